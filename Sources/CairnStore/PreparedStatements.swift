internal import GRDB

/// The prepared statements of one connection, found by where their text lies in memory: GRDB finds them by the text,
/// which it hashes and compares each time. Not Sendable: it lives on the connection's thread.
final class PreparedStatements {
    private struct Entry {
        /// Keeps the memory, so that no other text can come to lie there.
        let text: String
        let statement: GRDB.Statement
    }

    private var entries: [UnsafeRawPointer: Entry] = [:]
    /// Texts that are put together anew for each use would fill the memory.
    private static let entriesMax = 256
    /// Shorter texts lie in the string itself, not at an address of their own.
    private static let bytesInString = 15

    /// The statement of this text.
    func statement(_ text: String, in db: Database) throws -> GRDB.Statement {
        guard let address = Self.address(of: text) else { return try db.cachedStatement(sql: text) }
        // Of two texts at one address the shorter would be the beginning of the other.
        if let entry = entries[address], entry.text.utf8.count == text.utf8.count { return entry.statement }
        let statement = try db.cachedStatement(sql: text)
        if entries.count >= Self.entriesMax { entries.removeAll() }
        entries[address] = Entry(text: text, statement: statement)
        return statement
    }

    /// A connection closes only when nobody holds statements of it.
    func removeAll() { entries.removeAll() }

    var count: Int { entries.count }

    /// Where the text lies for as long as somebody holds it; nil = nowhere in particular.
    private static func address(of text: String) -> UnsafeRawPointer? {
        text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.count > bytesInString ? UnsafeRawPointer(bytes.baseAddress) : nil
        } ?? nil
    }
}

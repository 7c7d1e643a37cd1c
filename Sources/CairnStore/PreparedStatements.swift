internal import GRDB

/// The prepared statements of one connection, found by the address of their text in memory. GRDB finds them by the
/// text, which it hashes and compares each time. Not Sendable: it lives on the connection's thread.
final class PreparedStatements {
    private struct Entry {
        /// Retains the memory, so that no other text gets this address.
        let text: String
        let statement: GRDB.Statement
    }

    private var entries: [UnsafeRawPointer: Entry] = [:]
    /// Most statements, so that texts that are built for each use do not fill the memory.
    private static let entriesMax = 256
    /// Swift stores texts up to this length in the string itself, without a stable address.
    private static let bytesInString = 15

    /// The statement of this text.
    func statement(_ text: String, in db: Database) throws -> GRDB.Statement {
        guard let address = Self.address(of: text) else { return try db.cachedStatement(sql: text) }
        // Two texts with the same address are equal if their lengths are: otherwise the shorter is a prefix of the
        // longer.
        if let entry = entries[address], entry.text.utf8.count == text.utf8.count { return entry.statement }
        let statement = try db.cachedStatement(sql: text)
        if entries.count >= Self.entriesMax { entries.removeAll() }
        entries[address] = Entry(text: text, statement: statement)
        return statement
    }

    /// Releases all statements: a connection can be closed only when no statement of it is referenced.
    func removeAll() { entries.removeAll() }

    var count: Int { entries.count }

    /// The address of the text, which is stable while the text is retained; nil = the text has no stable address.
    private static func address(of text: String) -> UnsafeRawPointer? {
        text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.count > bytesInString ? UnsafeRawPointer(bytes.baseAddress) : nil
        } ?? nil
    }
}

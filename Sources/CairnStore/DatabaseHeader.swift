/// The first 100 bytes of a database file, and the check for values that no database of Cairn has.
///
/// SQLite does not check most of these bytes: one flipped bit makes the file read-only (18), unreadable (19, 44 to 47),
/// or changes the encoding of its texts (56 to 59). So the server checks them before SQLite opens the file (DAT-6).
struct DatabaseHeader {
    static let bytes = 100
    private let content: [UInt8]

    /// - Parameter content: the first bytes of the file, as far as it has them.
    init(_ content: [UInt8]) {
        self.content = content
    }

    /// The fault, in words; nil = none.
    var fault: String? {
        guard content.count == Self.bytes, content.starts(with: Array("SQLite format 3\0".utf8)) else {
            return "the file does not begin like an SQLite database"
        }
        for rule in Self.rules where !rule.holds(self) { return "its header is damaged: \(rule.meaning)" }
        return nil
    }

    private struct Rule: Sendable {
        let meaning: String
        let holds: @Sendable (DatabaseHeader) -> Bool
    }

    private static let rules = [
        Rule(meaning: "page size (bytes 16 and 17)") { header in
            let size = header.number(16, 2)
            return size == 1 || (size >= 512 && size.nonzeroBitCount == 1)
        },
        // 1 = rollback journal, as in backups; 2 = write-ahead log.
        Rule(meaning: "versions of the format (bytes 18 and 19)") { header in
            (1...2).contains(header.content[18]) && header.content[18] == header.content[19]
        },
        Rule(meaning: "reserved space and payload fractions (bytes 20 to 23)") { header in
            Array(header.content[20..<24]) == [0, 64, 32, 32]
        },
        // 0 = no table was ever created.
        Rule(meaning: "schema format (bytes 44 to 47)") { header in [0, 4].contains(header.number(44, 4)) },
        Rule(meaning: "automatic vacuum (bytes 52 to 55 and 64 to 67)") { header in
            header.number(52, 4) == 0 && header.number(64, 4) == 0
        },
        Rule(meaning: "text encoding (bytes 56 to 59)") { header in header.number(56, 4) <= 1 },
        Rule(meaning: "version and name of an application (bytes 60 to 63 and 68 to 71)") { header in
            header.number(60, 4) == 0 && header.number(68, 4) == 0
        },
        Rule(meaning: "bytes 72 to 91, which are zero") { header in header.content[72..<92].allSatisfy { $0 == 0 } },
    ]

    /// A big-endian number of `count` bytes.
    private func number(_ offset: Int, _ count: Int) -> UInt64 {
        content[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
    }
}

public import CairnCore

/// What is wrong with second copies of rows. The rows are sound without them, so a database with such copies is: the
/// server makes them anew (decision 0072).
public struct CopyFaults: Hashable, Sendable {
    /// The copies that are not as their rows are, the first 1,000.
    public private(set) var named: [DamagedRow] = []
    /// SQLite's findings about their values and their order.
    public private(set) var findings: [String] = []
    /// Number of copies that are not as their rows are. Of the copies without a row, at most 1,000 of each table count.
    public private(set) var count = 0
    /// What they are copies of.
    private(set) var groups: Set<CopyGroup> = []

    private static let namedMax = 1_000

    /// - Parameter findings: SQLite's.
    init(findings: [String] = []) { self.findings = findings }

    public var isEmpty: Bool { count == 0 && findings.isEmpty }

    /// - Parameters:
    ///   - key: that of the copy.
    ///   - group: what it is a copy of, or should be.
    mutating func note(_ key: SQLValue, _ cause: ColumnFault.Cause, of group: CopyGroup) {
        count += 1
        groups.insert(group)
        guard named.count < Self.namedMax else { return }
        named.append(DamagedRow(table: "cairn_copies", key: [key], column: "row of \(group.table)", cause: cause))
    }

    /// What an operator does about those that a check of a file has found, and what the server does by itself.
    /// - Parameter isOfWorld: whether the file is the world's database: nothing changes a backup.
    func remedy(isOfWorld: Bool) -> String {
        guard isOfWorld else { return "they are made anew in a world that it is restored to; the file stays as it is" }
        return findings.isEmpty
            ? "a start makes them anew, and a running server after a backup, where rows are as the server wrote them"
            : SecondCopies.remedyOfOrder
    }

    /// What a running server does about those that its backup has found, or what an operator does.
    var remedyAfterBackup: String {
        findings.isEmpty
            ? "they are made anew now, where rows are as the server wrote them" : SecondCopies.remedyOfOrder
    }

    /// The faults in one line; empty = none.
    public var text: String {
        var parts: [String] = []
        if let first = named.first {
            parts.append("\(count) second copies are not as their rows, the first is \(first)")
        }
        if let first = findings.first {
            parts.append("SQLite finds \(findings.count) faults in second copies, the first is \(first)")
        }
        return parts.joined(separator: "; ")
    }
}

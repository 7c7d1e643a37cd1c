public import CairnCore

/// The damaged rows that a store has read since its start. They are skipped and stay in place for repair. Pure: time is
/// a parameter.
struct DamageRegister: Sendable {
    /// Most damaged rows that are kept by name; further ones are only counted.
    static let rowsMax = 1_000
    /// Most log lines in a minute; the rows beyond are counted in the next line.
    static let linesPerMinute = 20

    private(set) var report = DamageReport()
    private var known: Set<String> = []
    private var minute = Int64.min
    private var lines = 0
    private var untold = 0

    /// Notes damaged rows and returns the lines for the log: one for each new row.
    mutating func note(_ rows: [DamagedRow], at now: WallTime) -> [String] {
        var told: [String] = []
        for row in rows where !known.contains(row.name) {
            report.tables[row.table, default: 0] += 1
            guard known.count < Self.rowsMax else {
                report.unnamed += 1
                continue
            }
            known.insert(row.name)
            report.rows.append(DamageReport.Entry(row: row, firstSeen: now))
            let thisMinute = now.milliseconds / 60_000
            if thisMinute != minute { (minute, lines) = (thisMinute, 0) }
            lines += 1
            guard lines <= Self.linesPerMinute else {
                untold += 1
                continue
            }
            let others = untold > 0 ? " (and \(untold) rows before it)" : ""
            untold = 0
            told.append("\(row)\(others); the row is set aside and the rest is served: cairn verify names all")
        }
        return told
    }

    /// A row opens.
    /// - Parameter isReplaced: whether its second copy has taken its place. Otherwise it was sound when it was read
    ///   again, which says nothing about other faults than that it did not open.
    mutating func opens(_ row: DamagedRow, isReplaced: Bool) {
        guard let index = report.rows.firstIndex(where: { $0.row.name == row.name }),
            isReplaced || report.rows[index].row.cause == .doesNotOpen
        else { return }
        known.remove(row.name)
        report.rows.remove(at: index)
        let left = (report.tables[row.table] ?? 1) - 1
        report.tables[row.table] = left > 0 ? left : nil
    }
}

/// The damaged rows of a store since its start.
public struct DamageReport: Hashable, Sendable {
    /// Each row once, in the order of discovery; the first 1,000.
    public internal(set) var rows: [Entry] = []
    /// Number of reports of further rows; a row may be counted more than once.
    public internal(set) var unnamed: UInt64 = 0

    /// One damaged row.
    public struct Entry: Hashable, Sendable {
        public let row: DamagedRow
        public let firstSeen: WallTime
    }

    /// The number of damaged rows of each table; the sum is `count`. At most one entry for each table.
    public internal(set) var tables: [String: UInt64] = [:]
    /// Number of damaged rows, at least.
    public var count: UInt64 { UInt64(rows.count) + unnamed }

    public init() {}
}

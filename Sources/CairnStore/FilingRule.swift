/// The rule for filing: when the writer files the new rows of a table with `Filing`.
///
/// More rows at a time share more pages of the large indexes, and hold the next commit up for longer: 4,096 rows of one
/// table are filed in some 25 ms. So one table is filed at a time, and other transactions come between two of them.
/// Rows are filed after some transactions; large ones have callers that wait longer anyway.
struct FilingRule: Hashable, Sendable {
    /// Units after which a table's new rows are filed even while changes wait. One table is filed at a time, so another
    /// may have some more.
    let unitsMax: Int
    /// Units after which new rows are filed when the writer has been idle for `pause`.
    let unitsIdle: Int
    /// Idle time of the writer after which `unitsIdle` suffice.
    let pause = Duration.milliseconds(20)
    /// Rows are filed after so many transactions of the size of the last one.
    private static let transactions = 48
    /// For each table the units that were saved since its new rows were last filed.
    private var units: [Int]
    /// Units of the last transaction.
    private var last = 0

    /// An earlier process may have left new rows: they are filed at the first idle time.
    init(tables: Int, unitsMax: Int) {
        self.unitsMax = max(unitsMax, 1)
        unitsIdle = max(unitsMax / 16, 1)
        units = Array(repeating: unitsIdle, count: tables)
    }

    /// Notes the size of a transaction that is on disk.
    mutating func saved(units saved: Int) {
        for table in units.indices { units[table] += saved }
        last = saved
    }

    /// The table to file now: the one that has waited for longest; nil = none has waited long enough.
    func due(idle: Duration) -> Int? {
        let wanted = idle >= pause ? unitsIdle : min(max(Self.transactions * last, unitsMax / 4), unitsMax)
        guard let table = units.indices.max(by: { units[$0] < units[$1] }), units[table] >= wanted else { return nil }
        return table
    }

    /// How long an idle writer waits before it asks again; nil = filing is not worthwhile.
    var recheck: Duration? { units.contains { $0 >= unitsIdle } ? pause : nil }

    /// The new rows of a table are filed.
    mutating func filed(table: Int) { units[table] = 0 }
}

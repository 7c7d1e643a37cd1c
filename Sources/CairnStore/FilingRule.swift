/// The rule for filing: when the writer files the new rows of all tables with `Filing`.
///
/// More rows at a time share more pages of the large indexes, and hold the next commit up for longer: 4,096 rows
/// are filed in some 40 ms. So rows are filed after some transactions; large ones have callers that wait longer anyway.
struct FilingRule: Hashable, Sendable {
    /// Most units that are not filed while changes wait.
    let unitsMax: Int
    /// Units after which new rows are filed when the writer has been idle for `pause`.
    let unitsIdle: Int
    let pause = Duration.milliseconds(20)
    /// Rows are filed after so many transactions of the size of the last one.
    private static let transactions = 24
    /// Units that were saved since new rows were last filed.
    private var units: Int
    /// Units of the last transaction.
    private var last = 0

    /// An earlier process may have left new rows: they are filed at the first idle time.
    init(unitsMax: Int) {
        self.unitsMax = max(unitsMax, 1)
        unitsIdle = max(unitsMax / 16, 1)
        self.units = unitsIdle
    }

    mutating func saved(units saved: Int) {
        units += saved
        last = saved
    }

    func isDue(idle: Duration) -> Bool {
        units >= (idle >= pause ? unitsIdle : min(max(Self.transactions * last, unitsMax / 4), unitsMax))
    }

    /// How long an idle writer waits before it asks again; nil = filing is not worthwhile.
    var recheck: Duration? { units >= unitsIdle ? pause : nil }

    mutating func done() { units = 0 }
}

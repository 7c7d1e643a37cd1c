public import CairnGeo
public import CairnWire

/// Finds, shows and removes instances of one kind on behalf of operators (MOD-4). A feature registers it for its kind.
public struct Withdrawal: Sendable {
    /// The kind of the instances.
    public let kind: ObjectKind
    /// Query for the row of an instance in any cell, if it has not ended by `now`.
    public let whereabouts: @Sendable (_ id: InstanceID, _ now: LastingTime) -> Query
    /// Query for the rows of all instances in a cell, unordered. The cell loads the same number when it wakes.
    public let contents: @Sendable (_ cell: CellID) -> Query
    /// Query for how many an account has that have not ended by `now`: one row of one integer. It may read an index
    /// from end to end (`Filing.scanned`).
    public let count: @Sendable (_ owner: AccountID, _ now: LastingTime) -> Query
    /// Query for these rows of all that an account has, as `count` counts them, the newest first. The answer may have
    /// more rows than the page.
    public let owned: @Sendable (_ owner: AccountID, _ page: InstancePage) -> Query
    /// Query for these rows in all cells, the newest first.
    public let everywhere: @Sendable (_ page: InstancePage) -> Query
    /// Query for whose an instance was that is gone: one row of one integer; nil = nothing is known of such a one. The
    /// answer may come from columns that are not bound: it proves nothing against anybody.
    public let leaver: (@Sendable (_ id: InstanceID) -> Query)?
    /// The instance of such a row, as it is stored: without names and attachments.
    public let record: @Sendable (_ row: Row) throws(DamagedRow) -> ObjectRecord
    /// Deletes the row.
    let deletion: @Sendable (_ id: InstanceID) -> Statement

    public init(
        of kind: ObjectKind, whereabouts: @escaping @Sendable (_ id: InstanceID, _ now: LastingTime) -> Query,
        contents: @escaping @Sendable (_ cell: CellID) -> Query,
        count: @escaping @Sendable (_ owner: AccountID, _ now: LastingTime) -> Query,
        owned: @escaping @Sendable (_ owner: AccountID, _ page: InstancePage) -> Query,
        everywhere: @escaping @Sendable (_ page: InstancePage) -> Query,
        leaver: (@Sendable (_ id: InstanceID) -> Query)? = nil,
        record: @escaping @Sendable (_ row: Row) throws(DamagedRow) -> ObjectRecord,
        deletion: @escaping @Sendable (_ id: InstanceID) -> Statement
    ) {
        self.kind = kind
        self.whereabouts = whereabouts
        self.contents = contents
        self.count = count
        self.owned = owned
        self.everywhere = everywhere
        self.leaver = leaver
        self.record = record
        self.deletion = deletion
    }

    /// The cell of a row of `whereabouts`, at this level of cells.
    public func cell(_ row: Row, _ level: Int) throws(DamagedRow) -> CellID {
        CellID(try record(row).coordinate, level: level)
    }
}

/// A page of instances that are read by id, the newest first: ids ascend with time.
public struct InstancePage: Sendable {
    /// It begins below this id; nil = with the newest.
    public let below: InstanceID?
    /// Those that have ended by then are left out.
    public let now: LastingTime
    /// The answer has one row more if there is another page.
    public let count: Int

    /// Most instances of a page.
    public static let countMax = Listing.countMax
    /// The end of a query for a page of any size that is no `Listing`: one row more than the largest page has.
    public static let limit = StaticText(limit: countMax + 1)

    /// - Parameter count: 1 to `countMax`.
    public init(below: InstanceID?, now: LastingTime, count: Int) {
        precondition((1...Self.countMax).contains(count), "a page of \(count) instances")
        (self.below, self.now, self.count) = (below, now, count)
    }

    /// `below` as the place in a listing by id.
    public var place: ListPlace? { below.map { ListPlace([Int64(bitPattern: $0.rawValue)]) } }
}

/// A feature's totals for one instance, for operators. They contain no names.
public struct InstanceTotals: Sendable {
    /// The kind of the instances.
    public let kind: ObjectKind
    /// Query for what is added up, with `limit` at its end.
    public let query: @Sendable (_ id: InstanceID) -> Query
    /// Adds up the answer. Damaged rows are added to `damage` and do not count.
    public let sum: @Sendable (_ rows: [Row], _ settings: Settings, _ damage: inout [DamagedRow]) -> Sum

    /// The end of such a query: the most rows that are added up, so that one look costs no more.
    public static let limit: StaticText = " LIMIT 10000"

    /// What they add up to.
    public struct Sum: Sendable {
        /// Totals by their names.
        public var counts: [String: Int] = [:]
        /// Whether only its owner sees the instance because of them.
        public var isHidden = false

        public init(counts: [String: Int] = [:], isHidden: Bool = false) {
            (self.counts, self.isHidden) = (counts, isHidden)
        }
    }

    public init(
        of kind: ObjectKind, query: @escaping @Sendable (_ id: InstanceID) -> Query,
        sum: @escaping @Sendable (_ rows: [Row], _ settings: Settings, _ damage: inout [DamagedRow]) -> Sum
    ) {
        (self.kind, self.query, self.sum) = (kind, query, sum)
    }
}

/// Operators remove an instance. Viewers get the same event `left` as when the owner removes it.
public struct InstanceWithdrawal: HomeMessage {
    public static let kind: StaticText = "withdrawal"

    public let id: InstanceID

    public init(id: InstanceID) {
        self.id = id
    }

    public init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault) {
        guard let id = InstanceID(String(decoding: payload, as: UTF8.self)) else { throw ColumnFault(0, .unreadable) }
        self.init(id: id)
    }

    public var payload: [UInt8] { Array(id.description.utf8) }

    /// No effect when the instance is gone or on its way to another cell; the caller then looks up its cell again.
    public func heard(in turn: inout Turn) -> [Effect] {
        guard let record = turn.objects[id], !record.isMoving,
            let withdrawal = turn.register.withdrawals.first(where: { $0.kind == record.kind })
        else { return [] }
        turn.objects[id] = nil
        return [.write(withdrawal.deletion(id)), .publish(.departure(of: record))]
    }
}

public import CairnWire

/// Finds the scopes that a person has been granted: the homes of which they are a member, the people who are absent for
/// them. A home writes the row, with `Effect.admit` or `Effect.expel` in the same turn. The person's account reads the
/// row when the person signs in.
public struct Membership: Sendable {
    /// How the rows of people are found who wait to be admitted to a scope (SUB-3).
    public struct Waiting: Sendable {
        let table: StoredTable
        let query: @Sendable (AccountID, Scope) -> Query?
        let waits: @Sendable (Row, LastingTime) throws(ColumnFault) -> Bool

        /// - Parameters:
        ///   - table: the table of the rows that `query` returns.
        ///   - query: query for the rows of a person and a scope; nil = nobody waits for a scope of this kind.
        ///   - waits: whether a row says that its person waits at this time.
        public init(
            in table: StoredTable, of query: @escaping @Sendable (AccountID, Scope) -> Query?,
            waits: @escaping @Sendable (Row, LastingTime) throws(ColumnFault) -> Bool
        ) {
            self.table = table
            self.query = query
            self.waits = waits
        }
    }

    let table: StoredTable
    /// Query for the accounts that are members of any home, one in each row; nil = unknown.
    let holders: Query?
    let query: @Sendable (AccountID) -> Query
    let isOn: @Sendable (Settings) -> Bool
    let damaged: @Sendable (Row, AccountID) -> Scope?
    let waiting: Waiting?
    let scope: @Sendable (Row, AccountID) throws(ColumnFault) -> Scope?

    /// - Parameters:
    ///   - table: the table of the rows that `query` returns.
    ///   - holders: query for the accounts that are members of any home, one in each row. Nil = everybody may be one.
    ///   - isOn: whether the rows give anything with these settings.
    ///   - damaged: the scope that a damaged row gives the person: one that closes more than it opens, or nil = none.
    ///   - waiting: how those are found who wait to become members; nil = nobody waits.
    ///   - scope: the scope that a row gives the person; nil = none.
    public init(
        in table: StoredTable, holders: Query? = nil, of query: @escaping @Sendable (AccountID) -> Query,
        isOn: @escaping @Sendable (Settings) -> Bool = { _ in true },
        damaged: @escaping @Sendable (Row, AccountID) -> Scope? = { _, _ in nil },
        waiting: Waiting? = nil,
        scope: @escaping @Sendable (Row, AccountID) throws(ColumnFault) -> Scope?
    ) {
        self.table = table
        self.holders = holders
        self.query = query
        self.isOn = isOn
        self.damaged = damaged
        self.waiting = waiting
        self.scope = scope
    }
}

extension FeatureRegister {
    /// The queries for all rights of a person beyond everyone's scope; none when no feature has members.
    public func rights(of account: AccountID) -> [Query] { memberships.map { $0.query(account) } }

    /// Queries for the accounts that have any right beyond everyone's scope; nil = everybody may have one.
    public var rightHolders: [Query]? {
        let queries = memberships.compactMap(\.holders)
        return queries.count == memberships.count ? queries : nil
    }

    /// Queries for whether a person waits to be admitted to a scope.
    public func candidacies(of account: AccountID, for scope: Scope, _ settings: Settings) -> [Query] {
        memberships.filter { $0.isOn(settings) }.compactMap { $0.waiting?.query(account, scope) }
    }

    /// Reads the answers to `candidacies`. A damaged row says nothing.
    public func waits(
        _ account: AccountID, for scope: Scope, in answers: [[Row]], at now: LastingTime, _ settings: Settings,
        _ damage: inout [DamagedRow]
    ) -> Bool {
        let open = memberships.filter { $0.isOn(settings) }.compactMap(\.waiting)
            .filter { $0.query(account, scope) != nil }
        for (waiting, rows) in zip(open, answers) {
            let waits = rows.read(as: waiting.table, into: &damage) { row throws(ColumnFault) in
                try waiting.waits(row, now)
            }
            if waits.contains(true) { return true }
        }
        return false
    }

    /// Reads the answers to `rights(of:)`. A damaged row gives no right, and takes what it may have taken.
    public func scopes(
        of account: AccountID, in answers: [[Row]], _ settings: Settings, _ damage: inout [DamagedRow]
    ) -> Set<Scope> {
        var scopes: Set<Scope> = []
        for (membership, rows) in zip(memberships, answers) where membership.isOn(settings) {
            for row in rows {
                var scope: Scope?
                do throws(DamagedRow) {
                    scope = try membership.table.read(row) { row throws(ColumnFault) in
                        try membership.scope(row, account)
                    }
                } catch {
                    damage.append(error)
                    scope = membership.damaged(row, account)
                }
                if let scope { scopes.insert(scope) }
            }
        }
        return scopes
    }
}

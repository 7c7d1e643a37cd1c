public import CairnWire

/// How a feature finds out of which homes a person is a member. The home writes the row, with `Effect.admit` or
/// `Effect.expel` in the same turn; the person's account reads it when they sign in.
public struct Membership: Sendable {
    let table: StoredTable
    let query: @Sendable (AccountID) -> Query
    let scope: @Sendable (Row) throws(ColumnFault) -> Scope

    /// - Parameters:
    ///   - table: of the rows that `query` gives.
    ///   - scope: that a row lets the person see.
    public init(
        in table: StoredTable, of query: @escaping @Sendable (AccountID) -> Query,
        scope: @escaping @Sendable (Row) throws(ColumnFault) -> Scope
    ) {
        self.table = table
        self.query = query
        self.scope = scope
    }
}

extension FeatureRegister {
    /// The questions for all scopes that a person may see beyond everyone's; none when no feature has members.
    public func rights(of account: AccountID) -> [Query] { memberships.map { $0.query(account) } }

    /// Reads the answers to `rights(of:)`. Damaged rows give no right.
    public func scopes(in answers: [[Row]], _ damage: inout [DamagedRow]) -> Set<Scope> {
        var scopes: Set<Scope> = []
        for (membership, rows) in zip(memberships, answers) {
            scopes.formUnion(rows.read(as: membership.table, into: &damage, membership.scope))
        }
        return scopes
    }
}

public import CairnCore
public import CairnWire

/// The tour that a person is on, for the code that ends runs and groups.
public enum WalkedTour {
    /// Query for the run of an account.
    public static func query(of account: AccountID) -> Query { RunFacts.query(of: account) }

    /// - Parameter rows: the answer.
    /// - Returns: the run; nil = they are not on this tour.
    public static func run(in rows: [Row], on tour: TourID) -> SpaceID? {
        var damage: [DamagedRow] = []
        let runs = rows.read(as: RunFacts.table, into: &damage, RunFacts.init(stored:))
        return runs.first { $0.tour == tour }?.id
    }
}

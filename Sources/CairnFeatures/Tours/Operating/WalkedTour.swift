public import CairnCore
public import CairnWire

/// The tour that a person is on, for the code that ends runs and groups, and for operators.
public enum WalkedTour {
    /// Query for the run of an account.
    public static func query(of account: AccountID) -> Query { RunFacts.query(of: account) }

    /// Query for how many walk a tour, whatever version: one row of one integer.
    public static func count(on tour: TourID) -> Query { RunFacts.count(on: tour) }

    /// - Parameter rows: of `query(of:)`.
    /// - Returns: the tour that the account walks; nil = none, or its row is damaged.
    public static func tour(in rows: [Row], into damage: inout [DamagedRow]) -> TourID? {
        rows.read(as: RunFacts.table, into: &damage, RunFacts.init(stored:)).first?.tour
    }

    /// - Parameter rows: the answer.
    /// - Returns: the run; nil = they are not on this tour.
    public static func run(in rows: [Row], on tour: TourID) -> SpaceID? {
        var damage: [DamagedRow] = []
        let runs = rows.read(as: RunFacts.table, into: &damage, RunFacts.init(stored:))
        return runs.first { $0.tour == tour }?.id
    }
}

public import CairnWire

/// The assets of the version that a person walks. They go with the run, also where the tour was free when it began and
/// has a price by now (TRT-4, TRM-9).
public struct WalkedAssets: Sendable {
    private let queries: @Sendable (AccountID, TourID) -> [Query]
    private let names: @Sendable ([[Row]], inout [DamagedRow]) -> Set<String>

    public init(
        _ queries: @escaping @Sendable (AccountID, TourID) -> [Query],
        names: @escaping @Sendable ([[Row]], inout [DamagedRow]) -> Set<String>
    ) {
        (self.queries, self.names) = (queries, names)
    }

    /// Queries for the run of a person on a tour, and the version of it.
    public func queries(_ account: AccountID, _ tour: TourID) -> [Query] { queries(account, tour) }

    /// Reads the answers.
    /// - Parameter damage: gets the damaged rows, which are no run.
    public func names(in answers: [[Row]], into damage: inout [DamagedRow]) -> Set<String> { names(answers, &damage) }
}

internal import CairnCore
internal import CairnWire

/// The only source of where homes live, as far as one loop knows.
///
/// A home's address assigns it to a district for ever. The place of a district may be undecided; work for its homes
/// then waits (`UnplacedWork`). Today one node has all districts, and a loop decides them as soon as it knows the other
/// loops.
struct HomeDirectory: Sendable {
    typealias District = UInt8

    static let districts = Set(District.min ... .max)

    /// This process.
    let node: NodeID
    let shardCount: Int
    /// Districts whose place is undecided.
    private(set) var undecided: Set<District> = []

    /// Where a home lives; nil = that is undecided, wait.
    func place(of home: HomeAddress) -> Place? {
        let spread = home.spread
        // Positions ask all the time, and mostly nothing is undecided.
        if !undecided.isEmpty, undecided.contains(Self.district(spread)) { return nil }
        return Place(node: node, loop: Int(spread % UInt64(shardCount)))
    }

    static func district(of home: HomeAddress) -> District { district(home.spread) }

    /// Other bits than those that spread homes over loops.
    private static func district(_ spread: UInt64) -> District { District(truncatingIfNeeded: spread >> 48) }

    /// Every loop there is.
    var places: some Collection<Place> { (0..<shardCount).lazy.map { Place(node: node, loop: $0) } }

    /// It is known where these districts live.
    mutating func decide(_ districts: Set<District>) { undecided.subtract(districts) }

    /// The same before anything is decided.
    func withdrawing(_ districts: Set<District>) -> HomeDirectory {
        HomeDirectory(node: node, shardCount: shardCount, undecided: undecided.union(districts))
    }
}

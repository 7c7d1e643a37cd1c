internal import CairnCore
internal import CairnWire

/// The one place that knows where a home lives: today on one of this process's shards.
struct HomeDirectory: Sendable {
    /// This process.
    let node: NodeID
    let shardCount: Int

    func place(of home: HomeAddress) -> Place {
        Place(node: node, loop: Int(home.spread % UInt64(shardCount)))
    }

    /// Every loop there is.
    var places: some Collection<Place> { (0..<shardCount).lazy.map { Place(node: node, loop: $0) } }
}

internal import CairnCore
internal import CairnWire

/// The one place that knows where a home lives: today on one of this process's shards.
struct HomeDirectory: Sendable {
    /// This process.
    let node: NodeID
    let shardCount: Int

    func shard(of home: HomeAddress) -> Int {
        Int(home.spread % UInt64(shardCount))
    }
}

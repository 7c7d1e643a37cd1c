internal import CairnCore
internal import CairnTime
internal import CairnWire

/// A place apart from the ground: a tour run, a room, a notebook, a sandbox. No feature of the product lives here yet.
actor Space: Home {
    nonisolated let id: SpaceID
    nonisolated let shard: Shard
    let host: HomeHost

    nonisolated var unownedExecutor: UnownedSerialExecutor { shard.unownedExecutor }
    nonisolated var address: HomeAddress { .space(id) }

    init(id: SpaceID, shard: Shard, context: ServerContext, now: MonotonicTime) {
        self.id = id
        self.shard = shard
        host = HomeHost(.space(id), context: context, now: now)
    }
}

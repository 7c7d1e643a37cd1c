internal import CairnCore
internal import CairnTime
internal import CairnWire

/// A guided walk that an organisation makes: its draft, its state, and the versions that it has published.
actor Tour: Home {
    nonisolated let id: TourID
    nonisolated let shard: Shard
    let host: HomeHost

    nonisolated var unownedExecutor: UnownedSerialExecutor { shard.unownedExecutor }
    nonisolated var address: HomeAddress { .tour(id) }

    init(id: TourID, shard: Shard, context: ServerContext, now: MonotonicTime) {
        self.id = id
        self.shard = shard
        host = HomeHost(.tour(id), context: context, now: now)
    }
}

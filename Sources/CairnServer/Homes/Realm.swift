internal import CairnCore
internal import CairnTime
internal import CairnWire

/// A sub-realm: what its members share wherever they are.
actor Realm: Home {
    nonisolated let id: RealmID
    nonisolated let shard: Shard
    let host: HomeHost

    nonisolated var unownedExecutor: UnownedSerialExecutor { shard.unownedExecutor }
    nonisolated var address: HomeAddress { .realm(id) }

    init(id: RealmID, shard: Shard, context: ServerContext, now: MonotonicTime) {
        self.id = id
        self.shard = shard
        host = HomeHost(.realm(id), context: context, now: now)
    }
}

internal import CairnStore
package import CairnWebSocket

extension Shard {
    /// The path of clients' sockets.
    package static let socketPath = "/v1"

    /// Makes a shard for each loop, makes the shards known to one another and starts the loops.
    /// - Parameter routes: makes what a loop serves beside players, on the loop's thread.
    package static func start(
        on loops: [WebSocketLoop], context: ServerContext,
        routes: @escaping @Sendable (WebSocketLoop) -> any LoopRoutes
    ) -> [Shard] {
        let shards = loops.map { Shard(index: $0.index, loop: $0, context: context) }
        context.store.onCommit { outcome in
            for shard in shards where outcome.concerns(shard.index) {
                shard.post { $0.commitDecided(outcome) }
            }
        }
        // The first connections find all shards ready to hear of one another.
        for shard in shards { shard.post { $0.begin(peers: shards) } }
        for (loop, shard) in zip(loops, shards) {
            loop.start { LoopAdapter(shard: shard, context: context, routes: routes(loop)) }
        }
        return shards
    }
}

extension CommitOutcome {
    /// Whether a home of this loop waits for it.
    fileprivate func concerns(_ loop: Int) -> Bool {
        [committed, failed, voided].contains { tickets in tickets.contains { $0.loop == loop } }
    }
}

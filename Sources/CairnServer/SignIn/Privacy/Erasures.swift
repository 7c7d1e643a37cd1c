internal import CairnCore
internal import CairnStore
internal import CairnWire
internal import Logging
internal import Synchronization

/// Carries out deletions of accounts (CMP-3): takes away everything that the tables hold on a person, as each of them
/// says (`StoredTable.erasure`), and then the account.
///
/// A deletion is a row (`DeletionRecord`) without a mark of its progress. It looks for what is left and takes that away
/// until nothing is left, so a crash loses nothing and no step has an effect twice.
package actor Erasures {
    private nonisolated let shared = Mutex(DeletionFigures())
    private nonisolated let pokes: AsyncStream<Void>
    private nonisolated let poker: AsyncStream<Void>.Continuation
    private var underWay: Set<AccountID> = []

    /// What deletions work on, with the settings of now.
    package struct World: Sendable {
        let context: ServerContext
        let shards: [Shard]

        package init(context: ServerContext, shards: [Shard]) { (self.context, self.shards) = (context, shards) }
    }

    /// Deletions at a time: most of them wait for their last round. Further ones wait in their table.
    private static let parallelMax = 16
    private static let pollPause = Duration.seconds(1)

    init() { (pokes, poker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    package nonisolated var figures: DeletionFigures { shared.withLock { $0 } }

    /// Has it look for deletions now. From any thread.
    nonisolated func poke() { poker.yield() }

    /// Deletes until the task is cancelled: at once what an earlier process has left, later whenever it is poked.
    package func run(in world: @escaping @Sendable () async -> World) async {
        let clock = Task { [poker] in
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.pollPause)
                if self.figures.waiting > 0 { poker.yield() }
            }
        }
        defer { clock.cancel() }
        await look(in: await world())
        for await _ in pokes { await look(in: await world()) }
    }

    private func look(in world: World) async {
        let context = world.context
        guard let rows = try? await context.store.read([DeletionRecord.oldest])[0] else {
            // A store that cannot be read is asked again.
            return shared.withLock { $0.waiting = max(1, $0.waiting) }
        }
        var damage: [DamagedRow] = []
        let records = DeletionRecord.records(in: rows, into: &damage)
        context.store.report(damage)
        let age = records.map { context.clock.lasting - $0.begun }.max() ?? .zero
        shared.withLock { ($0.waiting, $0.oldestSeconds) = (records.count, Int(max(.zero, age).components.seconds)) }
        for record in records {
            guard underWay.count < Self.parallelMax else { break }
            guard underWay.insert(record.account).inserted else { continue }
            Task {
                await carryOut(record, in: world)
                underWay.remove(record.account)
                poke()
            }
        }
    }

    private func carryOut(_ record: DeletionRecord, in world: World) async {
        do {
            let rows = try await Erasing(record, in: world).run()
            world.context.suspensions.note(nil, of: record.account)
            world.context.names.setGuestsSee(true, of: record.account)
            shared.withLock {
                $0.done += 1
                $0.rowsPastHomes += UInt64(rows)
            }
            world.context.logger.notice("an account was deleted")
        } catch is CancellationError {
            // The next process goes on.
        } catch {
            shared.withLock { $0.failed += 1 }
            world.context.logger.error(
                "a deletion of an account cannot go on now and is tried again", metadata: ["cause": "\(error)"])
            try? await Task.sleep(for: Self.pollPause)
        }
    }
}

internal import CairnStore
internal import CairnWebSocket

/// The figures of `/metrics`. No label names a user, a cell or an object: those are on the stats socket.
struct MetricsPage {
    private var writer = MetricsWriter()

    var text: String { writer.text }

    init(_ figures: WorldFigures, operators: OperatorFigures.State, door: [String: UInt64]) {
        writer.gauge("cairn.build_info", "Always 1; the label says which version.", [("version", Server.version, 1)])
        writePeople(figures)
        writeTraffic(figures)
        writeRequests(figures)
        writeStore(figures.store)
        writeLoops(figures)
        writeOperators(operators)
        writer.counter(
            "cairn.door.refusals", "Upgrades and page requests turned away before anything else, by reason.",
            door.labelled("reason"))
        writeProcess(figures.process)
    }

    mutating func write(_ clock: ServerClock) {
        writer.counter("cairn.clock.steps", "Steps of the wall clock that the server has followed.", clock.steps)
        writer.gauge(
            "cairn.clock.doubt", unit: "s", "Keys and tokens end later by this: the server was away, or so it seems.",
            Double(clock.doubt) / 1_000)
    }

    private mutating func writePeople(_ figures: WorldFigures) {
        writer.gauge("cairn.connections", "Open WebSockets, operators' included.", figures.sum { $0.loop.connections })
        writer.gauge("cairn.people", "Users with a position.", figures.sum { $0.people })
        writer.gauge("cairn.users", "Connections that are signed in.", figures.sum { $0.users })
        writer.gauge("cairn.guests", "Connections without an account.", figures.sum { $0.guests })
        writer.gauge(
            "cairn.sessions.detached", "Cut sessions that wait for their client.", figures.sum { $0.detached })
        writer.gauge("cairn.readers.behind", "Connections that read too slowly.", figures.sum { $0.behind })
        writer.gauge(
            "cairn.front_end.connections", "Open sessions by front end.",
            figures.connectionsByFrontEnd.labelled("front_end"))
        writer.gauge("cairn.cells.awake", "Cells in memory.", figures.sum { $0.cells })
        writer.gauge("cairn.instances.awake", "Instances in the cells in memory.", figures.sum { $0.held.instances })
        writer.gauge("cairn.accounts.awake", "Accounts in memory.", figures.sum { $0.accounts })
        writer.gauge(
            "cairn.subscriptions", "Pairs of a connection and a cell in its view.",
            figures.sum { $0.held.subscriptions })
        writer.counter("cairn.cell.wakeups", "Cells brought back from storage.", figures.sum { $0.shard.wakeUps })
        writer.counter("cairn.sessions.cut", "Sessions whose link was cut.", figures.sum { $0.shard.detached })
        writer.counter("cairn.sessions.resumed", "Of those, taken up again.", figures.sum { $0.shard.resumed })
        writer.counter(
            "cairn.topics.resumed", "Topics continued from a cursor, without a snapshot.",
            figures.sum { $0.done.resumed })
        writer.counter(
            "cairn.resynchronisations", "Topics told anew to slow readers.", figures.sum { $0.shard.resynchronised })
        writer.counter(
            "cairn.revocations.late", "Revocations of rights that some loop had not answered after 5 s.",
            figures.sum { $0.shard.revocationsLate })
    }

    private mutating func writeTraffic(_ figures: WorldFigures) {
        writer.counter("cairn.messages.received", "WebSocket messages taken.", figures.sum { $0.loop.messagesReceived })
        writer.counter("cairn.received", unit: "By", "Bytes of those.", figures.sum { $0.loop.bytesReceived })
        writer.counter(
            "cairn.messages.sent", "WebSocket messages sent; each is one send.", figures.sum { $0.loop.messagesSent })
        writer.counter("cairn.sent", unit: "By", "Bytes of those.", figures.sum { $0.loop.bytesSent })
        writer.counter("cairn.items.offered", "Items meant for a connection.", figures.sum { $0.loop.itemsOffered })
        writer.counter("cairn.items.queued", "Items put into outboxes.", figures.sum { $0.loop.itemsQueued })
        writer.counter("cairn.items.sent", "Items handed to the system.", figures.sum { $0.loop.itemsSent })
        writer.gauge("cairn.outbox.items", "Items waiting in outboxes.", figures.sum { $0.loop.itemsWaiting })
        writer.gauge("cairn.outbox", unit: "By", "Bytes waiting in outboxes.", figures.sum { $0.loop.bytesQueued })
        writer.counter("cairn.drops", "Items not delivered, by reason.", figures.drops.labelled("reason"))
        writer.counter("cairn.positions", "Positions taken.", figures.sum { $0.shard.positions })
        writer.counter(
            "cairn.positions.conflated", "Positions that a newer one replaced.",
            figures.sum { $0.shard.positionsConflated })
        writer.counter(
            "cairn.positions.dropped", "Positions that waited for their turn when their session ended.",
            figures.sum { $0.shard.positionsDropped })
        writer.counter(
            "cairn.travel.held_back", "Cells that did not come into view at once: travel.* held them back.",
            figures.sum { $0.shard.cellsHeldBack })
        writer.counter("cairn.presence.batches", "Presence batches made.", figures.sum { $0.shard.presenceBatches })
        writer.counter(
            "cairn.presence.poses_thinned", "Poses that receivers in a crowd were spared.",
            figures.sum { $0.done.thinned })
        writer.counter("cairn.events", "Events published.", figures.sum { $0.done.events })
        writer.counter("cairn.turns", "Turns of cells.", figures.sum { $0.done.turns })
        writer.gauge("cairn.turns.unsaved", "Turns whose changes are not on disk.", figures.sum { $0.held.unsaved })
        writer.counter(
            "cairn.transport.rejections", "What the transport turned away, by reason.",
            figures.transportRejections.labelled("reason"))
    }

    private mutating func writeRequests(_ figures: WorldFigures) {
        writer.counter("cairn.requests", "Requests handed to homes.", figures.sum { $0.shard.requests })
        writer.counter("cairn.replies", "Replies given.", figures.sum { $0.shard.replies })
        writer.counter("cairn.refusals", "Refusals by code.", figures.refusals.labelled("code"))
        writer.counter(
            "cairn.closures", "Connections closed by the server, by reason.", figures.closures.labelled("reason"))
        let bounds = MetricsWriter.secondBounds
        let requests = figures.requests.sorted { $0.key < $1.key }
        writer.histogram(
            "cairn.request.duration", "From the receipt of a request to its reply, by kind.",
            requests.map { kind, figures in
                MetricsWriter.Histogram(
                    label: ("kind", kind), bounds: bounds,
                    counts: figures.counts(upTo: bounds.map { UInt64($0 * 1_000_000) }), count: figures.count,
                    sumSeconds: Double(figures.sumMicroseconds) / 1e6)
            })
    }

    private mutating func writeStore(_ store: StoreFigures) {
        writer.gauge("cairn.store.backlog_changes", "Changes waiting for the disk.", store.backlogChanges)
        writer.gauge(
            "cairn.store.oldest_unsaved", unit: "s", "Age of the oldest change that is not on disk.",
            Double(store.oldestUnsavedMilliseconds) / 1_000)
        writer.gauge("cairn.store.failing", "1 while the last write failed.", store.isFailing ? 1 : 0)
        writer.gauge(
            "cairn.store.file_moved", "1 while the database's file is not where it was opened.",
            store.isFileMoved ? 1 : 0)
        writer.gauge(
            "cairn.store.damaged_rows", "Damaged rows met since the start, which are set aside.",
            Int(clamping: store.damagedRows))
        writer.gauge(
            "cairn.store.damaged_table_rows", "The same by table; a table without any has no line.",
            store.damagedTables.labelled("table"))
        writer.gauge(
            "cairn.store.damaged_indexes", "Indexes found damaged and not built anew yet.", store.damagedIndexes.count)
        writer.gauge(
            "cairn.store.rebuilt_indexes", "Indexes found damaged since the start and built anew.",
            store.rebuiltIndexes.count)
        writer.gauge(
            "cairn.backup.unsound", "1 while the last backup of this process has damaged rows in it.",
            store.lastBackupUnsound ? 1 : 0)
        writer.counter("cairn.store.commits", "Transactions committed.", store.commits)
        writer.counter("cairn.store.changes", "Changes committed.", store.changes)
        writer.gauge("cairn.store.batch_changes", "Changes in the last transaction.", store.batchLast)
        writer.counter("cairn.store.failures", "Writes that failed and were tried again.", store.failures)
        writer.counter("cairn.store.refused", "Units that the database refused for good.", store.unitsDropped)
        writer.counter(
            "cairn.store.voided", "Units that were left out because they stood on a refused one.", store.unitsVoided)
        writer.counter("cairn.store.rows_expired", "Rows deleted because their time was over.", store.rowsExpired)
        writer.counter("cairn.store.reads", "Reads answered.", store.reads)
        writer.gauge("cairn.store.reads_waiting", "Reads waiting for a reader.", store.readsWaiting)
        writer.gauge("cairn.store.wal_pages", "Pages in the write-ahead log.", store.walPages)
        writer.gauge(
            "cairn.store.cache", unit: "By", "Of the database in the writer's memory, up to storage.cacheMegabytes.",
            store.cacheBytes)
        writer.counter("cairn.backups", "Backups made.", store.backups)
        writer.counter("cairn.backup.failures", "Backups that failed.", store.backupFailures)
        writer.gauge(
            "cairn.backup.failing", "1 from a failed backup until one succeeds.", store.lastBackupFailed ? 1 : 0)
        writer.gauge(
            "cairn.backup.last", unit: "s", "When the newest backup was begun, since 1970; 0 = there is none.",
            Double(store.lastBackupAt) / 1_000)
        writer.gauge("cairn.backup.last_size", unit: "By", "Size of that backup.", store.lastBackupBytes)
        writer.histogram(
            "cairn.store.commit.duration", "From BEGIN to the disk's answer.", [.init(store.commitMicroseconds)])
        writer.histogram(
            "cairn.store.checkpoint.duration", "Copying the write-ahead log into the database.",
            [.init(store.checkpointMicroseconds)])
    }

    private mutating func writeLoops(_ figures: WorldFigures) {
        let loops = figures.shards.enumerated().map { ("\($0.offset)", $0.element.load) }
        writer.counter(
            "cairn.loop.busy", unit: "s", "Processor time of each network loop's thread.",
            loops.map { ("loop", $0.0, Double($0.1.busyMicroseconds) / 1e6) })
        writer.gauge(
            "cairn.loop.delay", unit: "s", "How late each loop's last tick of the second came.",
            loops.map { ("loop", $0.0, Double($0.1.delayMicroseconds) / 1e6) })
        writer.gauge(
            "cairn.loop.work_waiting", "Work posted to each loop and not begun.",
            loops.map { ("loop", $0.0, Double($0.1.letters)) })
        writer.gauge(
            "cairn.loop.overload",
            "0 = the loop keeps up; it sheds 1 = presence, 2 = live counts, 3 = detail of movement; 4 = it refuses.",
            loops.map { ("loop", $0.0, Double($0.1.overload)) })
    }

    private mutating func writeOperators(_ operators: OperatorFigures.State) {
        writer.gauge("cairn.operators", "Operators connected to the stats socket.", operators.connected)
        writer.counter("cairn.operator.commands", "Commands on the stats socket.", operators.commands)
        writer.counter(
            "cairn.operator.updates_skipped", "Updates that slow operators went without.", operators.updatesSkipped)
        writer.counter(
            "cairn.operator.refusals", "Operators turned away, by reason.", operators.refused.labelled("reason"))
    }

    /// Named as in all Prometheus clients.
    private mutating func writeProcess(_ process: ProcessFigures) {
        writer.gauge("process.resident_memory", unit: "By", "Resident memory.", process.residentBytes)
        writer.gauge(
            "cairn.memory.used", unit: "By", "Taken of the nearest limit of memory; 0 = there is none.",
            process.memory?.usedBytes ?? 0)
        writer.gauge(
            "cairn.memory.limit", unit: "By", "That limit: overload.memoryMegabytes, the cgroup's or ulimit -v.",
            process.memory?.limitBytes ?? 0)
        writer.gauge(
            "cairn.memory.level",
            "0 = enough, 1 = caches are given up, 2 = what is new is refused, 3 = slow connections are closed.",
            process.memoryLevel.rawValue)
        writer.counter("process.cpu", unit: "s", "Processor time.", [("", "", process.busySeconds)])
        writer.gauge("process.start_time", unit: "s", "When the process started, since 1970.", process.startedAt)
        writer.gauge("process.open_fds", "Open file descriptors.", process.openFiles)
        writer.gauge("process.max_fds", "Most file descriptors that may be open.", process.openFilesMax)
        writer.gauge("process.threads", "Threads.", process.threads)
    }
}

extension [String: UInt64] {
    /// Rows of a family, sorted by label.
    fileprivate func labelled(_ label: String) -> [MetricsWriter.Row] {
        sorted { $0.key < $1.key }.map { (label, $0.key, Double($0.value)) }
    }
}

extension MetricsWriter.Histogram {
    /// From buckets of powers of two microseconds.
    fileprivate init(_ histogram: LogHistogram) {
        // 64 microseconds to 8 seconds.
        let powers = 6...23
        var counts: [UInt64] = []
        var seen: UInt64 = histogram.buckets[..<powers.lowerBound].reduce(0, +)
        for power in powers {
            seen += histogram.buckets[power]
            counts.append(seen)
        }
        self.init(
            label: nil, bounds: powers.map { Double(1 << $0) / 1e6 }, counts: counts, count: histogram.count,
            sumSeconds: Double(histogram.sum) / 1e6)
    }
}

internal import CairnCore
internal import CairnFeatures

/// What every figure of the stats socket means. `schema` prints it; docs/stats.md is made of it.
enum StatsSchema {
    struct Field {
        let name: String
        let unit: String
        let meaning: String
    }

    static let sections = general + OperatorFeatures.sections

    typealias Section = (name: String, fields: [Field])

    private static let general: [Section] = [
        ("cell", cell), ("people", people), ("rates", rates), ("queues", queues), ("store", store), ("loops", loops),
        ("process", process), ("drops", drops), ("items", items), ("messages", messages), ("requests", requests),
        ("sessions", sessions), ("refused", refused), ("engagement", engagement),
    ]

    static func field(_ name: String, _ unit: String, _ meaning: String) -> Field {
        Field(name: name, unit: unit, meaning: meaning)
    }

    private static let cell = [
        field("cell", "S2 token", "names the cell"),
        field("people", "connections", "users whose position is in the cell; all cells' add up to people in all"),
        field("instances", "instances", "things placed in the cell"),
        field("subscribers", "connections", "those whose view touches the cell"),
        field("eventsPerSecond", "1/s", "numbered changes told to subscribers"),
        field("turnsPerSecond", "1/s", "changes and questions taken"),
        field("bytesPerSecond", "bytes/s", "put into subscribers' outboxes"),
        field("unsaved", "turns", "changes that are not on disk yet"),
        field("waiting", "pieces of work", "what waits for the cell to wake"),
        field("queuedBytes", "bytes", "events that wait for subscribers who read slowly"),
        field("turnP99Microseconds", "microseconds", "99 of 100 turns took at most about this long (a power of two)"),
    ]

    private static let people = [
        field("connections", "connections", "open WebSockets, operators' included"),
        field("people", "sessions", "users with a position, those included whose link was cut a moment ago"),
        field("users", "connections", "signed in"),
        field("guests", "connections", "connected without signing in"),
        field("arriving", "connections", "have not said hello yet"),
        field("detached", "sessions", "cut, and waiting for their client to come back"),
        field("behind", "connections", "read slower than they are told things"),
        field("byFrontEnd", "connections", "by what their hello called them"),
        field("cells", "cells", "in memory"),
        field("accounts", "accounts", "in memory"),
        field("instances", "instances", "in the cells in memory"),
        field("subscriptions", "subscriptions", "pairs of a connection and a cell that its view touches"),
    ]

    private static let rates = [
        field("messagesIn", "1/s", "WebSocket messages taken"),
        field("messagesOut", "1/s", "WebSocket messages sent; each is one send and holds all that waited"),
        field("bytesIn", "bytes/s", "of the messages taken"),
        field("bytesOut", "bytes/s", "of the messages sent"),
        field("items", "1/s", "replies, events and presence batches sent"),
        field("positions", "1/s", "positions taken"),
        field("events", "1/s", "numbered changes published by cells"),
        field("requests", "1/s", "requests handed to accounts and cells"),
        field("refusals", "1/s", "coded noes"),
        field("drops", "1/s", "items that did not reach somebody they were meant for"),
        field("commits", "1/s", "transactions on disk"),
        field("changes", "1/s", "changes in them"),
    ]

    private static let queues = [
        field("outboxItems", "items", "wait to be sent"),
        field("outboxBytes", "bytes", "wait to be sent"),
        field("unsavedTurns", "turns", "changes that are not on disk yet, and what has to wait behind them"),
        field("waitingForCells", "pieces of work", "wait for a cell to wake"),
        field("waitingForLoops", "pieces of work", "posted to a loop and not begun"),
        field("backlogChanges", "changes", "wait for the disk; bound: storage.backlogMax"),
        field("oldestUnsavedMilliseconds", "milliseconds", "age of the oldest change that is not on disk"),
        field("readsWaiting", "reads", "wait for a reader of the database"),
    ]

    private static let store = [
        field("failing", "", "true from a failed write until one succeeds"),
        field("failures", "writes", "failed and tried again"),
        field("commits", "transactions", "on disk since the start"),
        field("changes", "changes", "on disk since the start"),
        field("batchLast", "changes", "in the last transaction"),
        field("batchMax", "changes", "in the largest transaction"),
        field("commitP50Microseconds", "microseconds", "half of all transactions took at most about this long"),
        field("commitP99Microseconds", "microseconds", "99 of 100 transactions took at most about this long"),
        field("commitMaxMicroseconds", "microseconds", "the longest transaction"),
        field("walPages", "pages", "in the write-ahead log"),
        field("cacheBytes", "bytes", "of the database in the writer's memory; it fills up to storage.cacheMegabytes"),
        field("changesDropped", "units", "that the database refused for good; anything but 0 is a fault"),
        field("damagedRows", "rows", "met since the start and set aside; anything but 0 wants cairn verify"),
        field("damagedTables", "rows", "the same by table; those without any are not in it"),
        field("damagedIndexes", "indexes", "found damaged and not built anew yet; their tables are read instead"),
        field("rebuiltIndexes", "indexes", "found damaged since the start and built anew: look at the disk"),
        field("fileMoved", "", "true while the database's file is not where it was opened: nothing is acknowledged"),
        field("backupUnsound", "", "true when rows are damaged in the last backup of this process"),
        field("backups", "backups", "made since the start"),
        field("backupFailing", "", "true from a failed backup until one succeeds"),
        field(
            "lastBackup", "",
            "when the newest one was begun, how large it is, how long it took; null = none since the start"),
    ]

    private static let loops = [
        field("connections", "connections", "served by the loop"),
        field("busy", "share", "of the last second in which its thread had a processor"),
        field("delayMicroseconds", "microseconds", "how late the loop's last tick of the second came"),
        field(
            "overload", "level",
            "0 = keeps up; sheds 1 = presence, 2 = live counts, 3 = detail of movement; 4 = refuses what is new"),
        field("delayMaxMicroseconds", "microseconds", "how late one ever came"),
        field("waiting", "pieces of work", "posted to the loop and not begun"),
    ]

    private static let process = [
        field("residentBytes", "bytes", "memory that the process has"),
        field("memoryUsedBytes", "bytes", "of the nearest limit of memory; 0 = there is none"),
        field("memoryLimitBytes", "bytes", "that limit: overload.memoryMegabytes, the cgroup's or ulimit -v"),
        field(
            "memoryLevel", "level",
            "0 = enough, 1 = caches are given up, 2 = what is new is refused, 3 = slow connections are closed as well"),
        field("busySeconds", "seconds", "processor time since the start"),
        field("openFiles", "descriptors", "open: connections, sockets, files"),
        field("openFilesMax", "descriptors", "that may be open (ulimit -n)"),
        field("threads", "threads", "of the process"),
    ]

    private static let drops = [
        field("volatile_thinned", "items", "presence batches that a slow reader went without"),
        field("outbox_full", "items", "events dropped because an outbox was full; the reader starts from a snapshot"),
        field("resynchronising", "items", "events not queued because the reader is to start from a snapshot anyway"),
        field("right_revoked", "items", "thrown away unsent because the right to their topic was revoked"),
        field("connection_lost", "items", "not sent because the connection ended"),
    ]

    private static let items = [
        field("offered", "items", "meant for a connection: the sum of all below"),
        field("sent", "items", "handed to the system"),
        field("waiting", "items", "in outboxes"),
        field("thinned", "items", "see drops, volatile_thinned"),
        field("dropped", "items", "see drops, outbox_full"),
        field("superseded", "items", "see drops, resynchronising"),
        field("revoked", "items", "see drops, right_revoked"),
        field("lost", "items", "see drops, connection_lost"),
    ]

    private static let messages = [
        field("received", "messages", "from clients, operators' commands included"),
        field("positionsTaken", "positions", "looked at"),
        field("positionsConflated", "positions", "replaced by a newer one before they were looked at"),
        field("positionsDropped", "positions", "waited for their turn when their session ended"),
        field(
            "cellsHeldBack", "cells",
            "that did not come into view at once: somebody travelled too fast, or looked at too much (travel)"),
        field("requests", "requests", "handed to accounts and cells"),
        field("posesThinned", "poses", "that receivers in a crowd were spared in favour of nearer ones"),
    ]

    private static let requests = [
        field("count", "requests", "answered, refusals included"),
        field("refused", "requests", "of those"),
        field("p50Microseconds", "microseconds", "from receipt to reply; half took at most this long"),
        field("p90Microseconds", "microseconds", "the same for 9 of 10"),
        field("p99Microseconds", "microseconds", "the same for 99 of 100"),
        field("p999Microseconds", "microseconds", "the same for 999 of 1,000"),
        field("maxMicroseconds", "microseconds", "the longest"),
    ]

    private static let engagement =
        [
            field("activeUsers", "accounts", "that were connected on the day, or on any of the days"),
            field("accounts", "accounts", "that were made"),
        ] + Features.register.counts.map { field($0.name.text, $0.unit, $0.meaning) }

    private static let sessions = [
        field("session", "id", "names the session while it lasts, for kick"),
        field("frontEnd", "", "what its hello called it"),
        field("connectedSeconds", "seconds", "since the connection was opened"),
        field("queuedBytes", "bytes", "wait to be sent to it"),
        field("requestsInFlight", "requests", "that have no answer yet"),
        field("behind", "", "whether it reads slower than it is told things"),
    ]

    private static let refused = [
        field("secondsAgo", "seconds", "since the refusal; the newest of the cell come first, at most 20"),
        field("code", "", "why"),
        field("component", "", "what part of the server said no"),
    ]
}

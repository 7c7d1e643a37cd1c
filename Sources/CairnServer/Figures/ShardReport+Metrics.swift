package import CairnCore
internal import CairnStore
internal import CairnWebSocket

/// The metrics of a shard, added up over all shards.
extension ShardReport {
    fileprivate typealias Row = Metric<ShardReport>

    /// Traffic first: the rates stand in this order.
    package static let metrics: [Metric<ShardReport>] =
        traffic + outboxes + losses.map(\.row) + [drops, rejections, refusals, closures] + people + homes + work
        + positions
        + turns + journeys

    private static let people: [Row] = [
        Row("connections", in: .people, unit: "connections", "open WebSockets, operators' included") {
            .level($0.loop.connections)
        }
        .inHistory.family(.gauge, "cairn.connections"),
        Row(
            "people", in: .people, unit: "sessions",
            "users with a position, including those whose link was just cut"
        ) { .level($0.people) }
        .inHistory.family(.gauge, "cairn.people"),
        Row("inSpaces", in: .people, unit: "sessions", "those of them who are in a space, such as a tour") {
            .level($0.peopleInSpaces)
        }
        .family(.gauge, "cairn.people.in_spaces"),
        Row("users", in: .people, unit: "connections", "connections that are signed in") { .level($0.users) }
            .family(.gauge, "cairn.users"),
        Row("guests", in: .people, unit: "connections", "connections without an account") { .level($0.guests) }
            .family(.gauge, "cairn.guests"),
        Row("looking", in: .people, unit: "connections", "guests who look at the world; they are no people in a cell") {
            .level($0.looking)
        }
        .family(.gauge, "cairn.guests.looking"),
        Row(
            "guestsRefused", in: .refusals, unit: "positions",
            "positions and questions of guests that were refused, and guests sent away, by what was used up"
        ) { report in
            let counts = GuestViews.Shortage.allCases.map { ($0.rawValue, report.shard.guestRefusals[$0] ?? 0) }
            return .counts(Dictionary(uniqueKeysWithValues: counts))
        }
        .family(.counter, "cairn.guests.refused", by: "reason"),
        Row("arriving", in: .people, unit: "connections", "connections that have not said hello yet") {
            .level($0.arriving)
        },
        Row("detached", in: .people, unit: "sessions", "sessions that were cut and wait for their client") {
            .level($0.detached)
        }
        .family(.gauge, "cairn.sessions.detached"),
        Row("behind", in: .people, unit: "connections", "connections that read slower than the server sends") {
            .level($0.behind)
        }
        .family(.gauge, "cairn.readers.behind"),
        Row("byFrontEnd", in: .people, unit: "connections", "connections by the front end in their hello") { report in
            .counts(report.connectionsByFrontEnd.mapValues { UInt64($0) })
        }
        .family(.gauge, "cairn.front_end.connections", by: "front_end"),
        Row(unit: "sessions", "sessions whose link was cut") { .count($0.shard.detached) }
            .family(.counter, "cairn.sessions.cut"),
        Row(unit: "sessions", "cut sessions that were taken up again") { .count($0.shard.resumed) }
            .family(.counter, "cairn.sessions.resumed"),
    ]

    private static let homes: [Row] = [
        Row("cells", in: .people, unit: "cells", "cells in memory") { .level($0.cells) }
            .family(.gauge, "cairn.cells.awake"),
        Row("spaces", in: .people, unit: "spaces", "spaces in memory: tours that are being walked") {
            .level($0.spaces)
        }
        .family(.gauge, "cairn.spaces.awake"),
        Row("accounts", in: .people, unit: "accounts", "accounts in memory") { .level($0.accounts) }
            .family(.gauge, "cairn.accounts.awake"),
        Row("instances", in: .people, unit: "instances", "instances in the cells in memory") {
            .level($0.held.instances)
        }
        .family(.gauge, "cairn.instances.awake"),
        Row(
            "subscriptions", in: .people, unit: "subscriptions",
            "pairs of a connection and a cell that its view touches"
        ) { .level($0.held.subscriptions) }
        .family(.gauge, "cairn.subscriptions"),
        Row(unit: "cells", "cells brought back from storage") { .count($0.shard.wakeUps) }
            .family(.counter, "cairn.cell.wakeups"),
        Row(unit: "topics", "topics continued from a cursor, without a snapshot") { .count($0.done.resumed) }
            .family(.counter, "cairn.topics.resumed"),
        Row(unit: "topics", "topics sent again to slow readers") { .count($0.shard.resynchronised) }
            .family(.counter, "cairn.resynchronisations"),
        Row(unit: "notifications", "notifications that homes have stored") { .count($0.shard.notificationsStored) }
            .family(.counter, "cairn.notifications.stored"),
        Row(unit: "notifications", "notifications that were sent to devices, repetitions included") {
            .count($0.shard.notificationsSent)
        }
        .family(.counter, "cairn.notifications.sent"),
        Row(unit: "revocations", "revocations of rights that some loop had not answered after 5 s") {
            .count($0.shard.revocationsLate)
        }
        .family(.counter, "cairn.revocations.late"),
    ]

    private static let work: [Row] = [
        Row(unit: "timers", "timers of homes that have fired") { .count($0.shard.homes.timersFired) }
            .family(.counter, "cairn.timers.fired"),
        Row("homeMessages", in: .messages, unit: "messages", "messages between homes that are not decided yet") {
            .level($0.shard.homes.messagesWaiting)
        }
        .family(.gauge, "cairn.home.messages.waiting"),
        Row(unit: "messages", "messages that homes have sent to one another") { .count($0.shard.homes.messagesSent) }
            .family(.counter, "cairn.home.messages.sent"),
        Row(unit: "messages", "copies of messages between homes that were delivered again") {
            .count($0.shard.homes.messagesResent)
        }
        .family(.counter, "cairn.home.messages.resent"),
        Row(unit: "messages", "messages between homes that were declined, or withdrawn at their deadline") {
            .count($0.shard.homes.messagesFailed)
        }
        .family(.counter, "cairn.home.messages.failed"),
        Row(unit: "changes", "changes refused because of the bytes of a person's stored replies in a day") {
            .count($0.shard.homes.replyBytesRefused)
        }
        .family(.counter, "cairn.reply.bytes.refused"),
        Row(unit: "replies", "answers to changes that were too long to be stored for a retry") {
            .count($0.shard.homes.repliesTooLong)
        }
        .family(.counter, "cairn.replies.too.long"),
    ]

    private static let traffic: [Row] = [
        Row("received", in: .messages, unit: "messages", "WebSocket messages taken, operators' commands included") {
            .count($0.loop.messagesReceived)
        }
        .rate("messagesIn").family(.counter, "cairn.messages.received"),
        Row(unit: "messages", "WebSocket messages sent; each is one send and holds all that waited") {
            .count($0.loop.messagesSent)
        }
        .rate("messagesOut").inHistory.family(.counter, "cairn.messages.sent"),
        Row(unit: "bytes", "bytes of the messages taken") { .count($0.loop.bytesReceived) }
            .rate("bytesIn").family(.counter, "cairn.received"),
        Row(unit: "bytes", "bytes of the messages sent") { .count($0.loop.bytesSent) }
            .rate("bytesOut").family(.counter, "cairn.sent"),
        Row("offered", in: .items, unit: "items", "items meant for a connection: the sum of all below") {
            .count($0.loop.itemsOffered)
        }
        .family(.counter, "cairn.items.offered"),
        Row("sent", in: .items, unit: "items", "replies, events and presence batches handed to the system") {
            .count($0.loop.itemsSent)
        }
        .rate("items").family(.counter, "cairn.items.sent"),
        Row("positionsTaken", in: .messages, unit: "positions", "positions taken") { .count($0.shard.positions) }
            .rate("positions").family(.counter, "cairn.positions"),
        Row(unit: "events", "numbered changes published by cells") { .count($0.done.events) }
            .rate("events").inHistory.family(.counter, "cairn.events"),
        Row("requests", in: .messages, unit: "requests", "requests handed to accounts and cells") {
            .count($0.shard.requests)
        }
        .rate("requests").family(.counter, "cairn.requests"),
        Row(unit: "requests", "replies given") { .count($0.shard.replies) }.family(.counter, "cairn.replies"),
    ]

    package static let refusals: Metric<ShardReport> = Row(
        "refusals", in: .refusals, unit: "refusals", "refusals by code"
    ) {
        .counts($0.shard.refusals)
    }
    .rate("refusals").inHistory.family(.counter, "cairn.refusals", by: "code")

    package static let closures: Metric<ShardReport> = Row(
        "closures", in: .refusals, unit: "connections", "connections closed by the server, by reason"
    ) { report in
        var closures = report.shard.closures
        closures["silent", default: 0] += report.loop.closedSilent
        closures["slow_consumer", default: 0] += report.loop.closedSlow
        return .counts(closures)
    }
    .family(.counter, "cairn.closures", by: "reason")

    /// Runs of tours, without names (TRT-12).
    private static let journeys: [Row] = [
        Row("toursStarted", in: .people, unit: "runs", "runs of tours that were started") {
            .count($0.shard.homes.steps(.begun))
        }
        .family(.counter, "cairn.tours.started"),
        Row("toursCompleted", in: .people, unit: "runs", "runs of tours whose last stop was reached") {
            .count($0.shard.homes.steps(.completed))
        }
        .family(.counter, "cairn.tours.completed"),
        Row(
            "tourStops", in: .people, unit: "stops", "stops of tours that were reached, by their number",
            value: byStop(.reached)
        )
        .family(.counter, "cairn.tours.stops", by: "stop"),
        Row(
            "toursAbandoned", in: .people, unit: "runs", "runs of tours that ended early, by the stops reached",
            value: byStop(.abandoned)
        )
        .family(.counter, "cairn.tours.abandoned", by: "stop"),
    ]

    private static func byStop(_ step: JourneyStep) -> @Sendable (ShardReport) -> MetricValue {
        { report in
            let counts = report.shard.homes.steps[step] ?? [:]
            return .counts(Dictionary(uniqueKeysWithValues: counts.map { ("\($0.key)", $0.value) }))
        }
    }

    private static let positions: [Row] = [
        Row("positionsConflated", in: .messages, unit: "positions", "positions that a newer one replaced") {
            .count($0.shard.positionsConflated)
        }
        .family(.counter, "cairn.positions.conflated"),
        Row(
            "posesOnTime", in: .messages, unit: "poses",
            "poses of visible people that came within 4 ms of the expected time"
        ) { .count($0.shard.posesOnTime) }
        .family(.counter, "cairn.poses.on_time"),
        Row(
            "positionsShifted", in: .messages, unit: "requests",
            "times that clients were asked to send their positions at other moments"
        ) { .count($0.shard.positionsShifted) }
        .family(.counter, "cairn.positions.shifted"),
        Row(
            "positionsDropped", in: .messages, unit: "positions",
            "positions that waited for their turn when their session ended"
        ) { .count($0.shard.positionsDropped) }
        .family(.counter, "cairn.positions.dropped"),
        Row(
            "cellsHeldBack", in: .messages, unit: "cells",
            "cells that did not come into view at once, because of the travel limits"
        ) { .count($0.shard.cellsHeldBack) }
        .family(.counter, "cairn.travel.held_back"),
        Row(unit: "batches", "presence batches made") { .count($0.shard.presenceBatches) }
            .family(.counter, "cairn.presence.batches"),
        Row(
            "posesThinned", in: .messages, unit: "poses",
            "poses that receivers in a crowd did not get, in favour of nearer ones"
        ) { .count($0.done.thinned) }
        .family(.counter, "cairn.presence.poses_thinned"),
    ]

    private static let turns: [Row] = [
        Row(unit: "turns", "turns of cells") { .count($0.done.turns) }.family(.counter, "cairn.turns"),
        Row(
            "unsavedTurns", in: .queues, unit: "turns",
            "turns whose changes are not on disk yet, and what has to wait behind them"
        ) { .level($0.held.unsaved) }
        .family(.gauge, "cairn.turns.unsaved"),
        Row("waitingForCells", in: .queues, unit: "pieces of work", "pieces of work that wait for a cell to wake") {
            .level($0.held.waiting)
        },
        Row(
            "waitingForPlaces", in: .queues, unit: "pieces of work",
            "pieces of work for homes whose place is undecided"
        ) { .level($0.unplaced) },
        Row("waitingForLoops", in: .queues, unit: "pieces of work", "pieces of work posted to a loop and not begun") {
            .level($0.load.jobs)
        },
    ]
}

/// The fate of every item that was meant for a connection: `offered` is the sum of the others (invariant 10).
extension ShardReport {
    fileprivate static let outboxes: [Row] = [
        Row("waiting", in: .items, unit: "items", "items that wait in outboxes") { .level($0.loop.itemsWaiting) }
            .also("outboxItems", in: .queues).family(.gauge, "cairn.outbox.items"),
        Row("outboxBytes", in: .queues, unit: "bytes", "bytes that wait in outboxes") { .level($0.loop.bytesQueued) }
            .family(.gauge, "cairn.outbox"),
        Row(unit: "items", "items put into outboxes") { .count($0.loop.itemsQueued) }
            .family(.counter, "cairn.items.queued"),
    ]

    fileprivate static let drops = Row(
        unit: "items", "items meant for a connection that did not reach it, by reason"
    ) { report in
        .counts(Dictionary(uniqueKeysWithValues: ShardReport.losses.map { ("\($0.reason)", $0.count(report.loop)) }))
    }
    .rate("drops").family(.counter, "cairn.drops", by: "reason")

    fileprivate static let rejections = Row(
        "transport", in: .refusals, unit: "connections", "connections that the transport rejected, by reason"
    ) { report in
        let counts = TransportRejection.allCases.map { ("\($0)", report.loop.rejections[$0.rawValue]) }
        return .counts(Dictionary(uniqueKeysWithValues: counts))
    }
    .family(.counter, "cairn.transport.rejections", by: "reason")

    /// Why an item did not reach its connection.
    fileprivate struct Loss: Sendable {
        /// Among the drops.
        let reason: StaticString
        /// Among the items.
        let part: StaticString
        let meaning: String
        let count: @Sendable (LoopCounters) -> UInt64

        var row: Row {
            Row(reason, in: .drops, unit: "items", meaning) { .count(count($0.loop)) }.also(part, in: .items)
        }
    }

    fileprivate static let losses = [
        Loss(
            reason: "volatile_thinned", part: "thinned", meaning: "presence batches that a slow reader did not get",
            count: \.volatileThinned),
        Loss(
            reason: "outbox_full", part: "dropped",
            meaning: "events dropped because an outbox was full; the reader starts from a snapshot",
            count: \.eventsDropped),
        Loss(
            reason: "resynchronising", part: "superseded",
            meaning: "events not queued because the reader is to start from a snapshot anyway",
            count: \.eventsSuperseded),
        Loss(
            reason: "right_revoked", part: "revoked",
            meaning: "items thrown away unsent because the right to their topic was revoked", count: \.itemsRevoked),
        Loss(
            reason: "connection_lost", part: "lost", meaning: "items not sent because the connection ended",
            count: \.itemsLost),
    ]
}

/// The metrics of each single loop.
extension ShardReport {
    package static let loopMetrics: [Metric<ShardReport>] = [
        Row("connections", in: .loops, unit: "connections", "connections that the loop serves") {
            .level($0.loop.connections)
        },
        Row("busy", in: .loops, unit: "share", "share of the last second in which the loop's thread had a processor") {
            .number($0.load.busy)
        },
        Row(unit: "microseconds", "processor time of the loop's thread") { .count($0.load.busyMicroseconds) }
            .family(.counter, "cairn.loop.busy", by: "loop"),
        Row(
            "presenceWaitMicroseconds", in: .loops, unit: "microseconds",
            "longest that positions wait for their batch at present"
        ) { .level(Int($0.load.presenceWaitMicroseconds)) }
        .family(.gauge, "cairn.loop.presence.wait", by: "loop"),
        Row("delayMicroseconds", in: .loops, unit: "microseconds", "delay of the loop's last tick of the second") {
            .count($0.load.delayMicroseconds)
        }
        .family(.gauge, "cairn.loop.delay", by: "loop"),
        Row(
            "overload", in: .loops, unit: "level",
            "0 = keeps up; sheds 1 = presence, 2 = live counts, 3 = detail of movement; 4 = refuses new connections "
                + "and changes"
        ) { .level($0.load.overload) }
        .family(.gauge, "cairn.loop.overload", by: "loop"),
        Row("delayMaxMicroseconds", in: .loops, unit: "microseconds", "greatest delay of a tick of the loop") {
            .count($0.load.delayMaxMicroseconds)
        },
        Row(
            "timerLateMilliseconds", in: .loops, unit: "milliseconds",
            "greatest delay of a timer of the loop's homes; after a restart it includes the downtime"
        ) { .level(Int($0.shard.homes.timersLatest.milliseconds)) }
        .family(.gauge, "cairn.timers.late", by: "loop"),
        Row("waiting", in: .loops, unit: "pieces of work", "pieces of work posted to the loop and not begun") {
            .level($0.load.jobs)
        }
        .family(.gauge, "cairn.loop.work_waiting", by: "loop"),
    ]
}

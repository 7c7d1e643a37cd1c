import CairnWire

@testable import CairnCrowd

/// Falsifies what walkers were told of their runs and groups, as a server with one fault would tell it: one arrival in
/// so many skips a stop, is told twice, or names the wrong next stop; the clock runs through one pause in so many; or
/// after one movement in so many a walker is shown a wrong group.
struct TourTampering: Falsifier {
    enum Fault: Sendable {
        case none
        /// An arrival counts two stops. The walker goes another way then, to which the log has no answers: it happens
        /// once.
        case skip
        /// An arrival is told twice, or names the stop behind the next one.
        case repeated, swap
        /// The clock has run through a pause, and stays fast by it.
        case clock
        /// A follower is led to a stop that the guide has not set.
        case target
        /// A follower is shown a code.
        case code
        /// A walker who is in no group is shown one.
        case outside
    }

    /// A walker, as the server sees them.
    private struct Walker {
        var isOnRun = false
        /// The group that they were shown last; nil = they are in none.
        var group: WireGroup?
        /// Ids of all groups that they were shown.
        var groups: Set<String> = []
        /// The server's time at which their run was paused, in milliseconds; nil = it is not.
        var pausedAt: Int64?
        /// By how much the clock of their run is fast, in milliseconds.
        var fast: UInt64 = 0
        /// How many events of their run were invented: the numbers of later ones are higher by it.
        var invented: UInt64 = 0

        /// The run is over.
        mutating func leave() { self = Walker(groups: groups) }
    }

    private struct Place: Hashable {
        let tour: String
        /// Number of stops before this one.
        let stop: UInt32
    }

    let fault: Fault
    private var schedule: FaultSchedule
    private var walkers: [Int: Walker] = [:]
    /// The stops that walkers are told of in the run; none for faults that need no stop.
    private let stops: [Place: WireTourStop]
    /// The group that any member was shown last.
    private var lastShown: WireGroup?
    private var strays: [(link: Int, bytes: [UInt8])] = []

    /// - Parameter log: of the run that is falsified.
    init(_ fault: Fault, oneIn period: Int = 1, in log: CrowdLog) {
        self.fault = fault
        schedule = FaultSchedule(oneIn: period)
        stops = fault == .skip || fault == .swap ? Self.stops(in: log) : [:]
    }

    private static func stops(in log: CrowdLog) -> [Place: WireTourStop] {
        var stops: [Place: WireTourStop] = [:]
        for entry in log.entries {
            guard case .received(let message, _, _) = entry.call else { continue }
            for item in Tampering.Item.items(of: message) where item.field == .event {
                guard case .event(let event)? = item.decoded?.body, case .stopReached(let reached) = event.change,
                    reached.run.hasTarget
                else { continue }
                stops[Place(tour: reached.run.tour, stop: reached.run.reached)] = reached.run.target
            }
        }
        return stops
    }

    /// How often the fault has happened.
    var count: Int { schedule.count }

    mutating func takeStrays() -> [(link: Int, bytes: [UInt8])] {
        defer { strays = [] }
        return strays
    }

    mutating func change(_ message: [UInt8], on link: Int) -> [UInt8] {
        guard fault != .none else { return message }
        return Tampering.Item.items(of: message).flatMap { item -> [UInt8] in
            switch item.field {
            case .reply, .event, .run, .group:
                guard let decoded = item.decoded else { return item.bytes }
                return change(decoded, on: link).flatMap { ServerItemEncoder.encode($0, format: .proto) }
            default: return item.bytes
            }
        }
    }

    private mutating func change(_ item: WireItem, on link: Int) -> [WireItem] {
        var walker = walkers[link] ?? Walker()
        defer { walkers[link] = walker }
        var item = item
        switch item.body {
        case .reply(let reply): item.reply = change(reply, &walker)
        case .event(let event): return change(event, &walker).map(WireItem.of)
        case .run(let run): item.run = note(run, &walker)
        case .group(let group): note(group, &walker)
        default: break
        }
        return [item]
    }

    private mutating func change(_ reply: WireReply, _ walker: inout Walker) -> WireReply {
        var reply = reply
        switch reply.result {
        case .run(let run): reply.run = note(run, &walker)
        case .runSummary(let summary):
            reply.runSummary.milliseconds = summary.milliseconds + walker.fast
            walker.leave()
        case .group(let group): note(group, &walker)
        // The answer to leaving a group, or to a request about one that has ended.
        case .done, .refusal: walker.group = nil
        default: break
        }
        return reply
    }

    private mutating func change(_ event: WireEvent, _ walker: inout Walker) -> [WireEvent] {
        var event = event
        event.sequence += walker.invented
        switch event.change {
        case .runChanged(let changed): event.runChanged.run = note(changed.run, &walker)
        case .groupEnded: walker.group = nil
        case .stopReached(let reached):
            event.stopReached.run = note(reached.run, &walker)
            guard let wrong = strikeArrival(event.stopReached.run) else { break }
            guard fault != .repeated else {
                var again = event
                again.sequence += 1
                walker.invented += 1
                return [event, again]
            }
            event.stopReached.run = wrong
        default: break
        }
        return [event]
    }

    // MARK: Runs

    /// Takes over what a walker is told of the run.
    /// - Returns: the run by its clock, which may be fast.
    private mutating func note(_ run: WireRun, _ walker: inout Walker) -> WireRun {
        walker.isOnRun = true
        switch (run.state, walker.pausedAt) {
        case (.paused, nil): walker.pausedAt = run.at
        case (.walking, let since?):
            walker.pausedAt = nil
            if fault == .clock, schedule.strikes() { walker.fast += UInt64(clamping: run.at - since) }
        default: break
        }
        var told = run
        told.milliseconds += walker.fast
        return told
    }

    /// The wrong run for an arrival; nil if this one has no fault. There has to be a next stop, and one behind it.
    private mutating func strikeArrival(_ run: WireRun) -> WireRun? {
        guard run.reached + 1 < run.stops else { return nil }
        var wrong = run
        switch fault {
        case .repeated: break
        case .skip, .swap:
            guard fault == .swap || count == 0, let behind = stops[Place(tour: run.tour, stop: run.reached + 1)]
            else { return nil }
            if fault == .skip { (wrong.reached, wrong.last) = (run.reached + 1, run.target) }
            wrong.target = behind
        default: return nil
        }
        return schedule.strikes() ? wrong : nil
    }

    // MARK: Groups

    private mutating func note(_ group: WireGroup, _ walker: inout Walker) {
        walker.group = group
        walker.groups.insert(group.id)
    }

    mutating func hear(_ message: [UInt8], from link: Int) {
        guard let envelope = try? ClientEnvelopeDecoder.decode(message, format: .proto) else { return }
        switch Request(rawValue: envelope.field) {
        case .position: moved(link)
        case .leaveGroup: walkers[link]?.group = nil
        case .leaveRun: walkers[link]?.isOnRun = false
        case nil: break
        }
    }

    /// Fields of requests in envelope.proto.
    private enum Request: UInt32 {
        case position = 11
        case leaveRun = 174
        case leaveGroup = 182
    }

    /// A walker has moved, and may be shown a wrong group.
    private mutating func moved(_ link: Int) {
        guard let walker = walkers[link], walker.isOnRun else { return }
        let wrong = wrongGroup(for: walker)
        lastShown = walker.group ?? lastShown
        guard let wrong, schedule.strikes() else { return }
        var item = WireItem()
        item.group = wrong
        strays.append((link, ServerItemEncoder.encode(item, format: .proto)))
    }

    /// Nil if the fault cannot happen here.
    private func wrongGroup(for walker: Walker) -> WireGroup? {
        switch fault {
        case .outside:
            guard walker.group == nil, let lastShown, !walker.groups.contains(lastShown.id) else { return nil }
            return lastShown
        case .code:
            guard var wrong = walker.group, wrong.code.isEmpty else { return nil }
            // No group has this code: the code of one would be correct for its members.
            wrong.code = "AAAAAAAA"
            return wrong
        case .target:
            guard var wrong = walker.group, !wrong.target.isEmpty else { return nil }
            wrong.target = String(wrong.target.reversed())
            return wrong
        default: return nil
        }
    }
}

extension WireItem {
    fileprivate static func of(_ event: WireEvent) -> WireItem {
        var item = WireItem()
        item.event = event
        return item
    }
}

import CairnTime
import CairnWire

/// Measures broadcasts: the time from when a change was due to be asked for until the last receiver of its event has
/// it (QOS-3).
///
/// Every follower of a topic gets each of its events once, with the same number; the oracle's rules see to that. So the
/// last receiver is the one with the latest receipt of that number, and who follows need not be known. A follower that
/// gets the change in a snapshot is no receiver. Nothing is dropped before the end: a run has some hundred thousand
/// changes at most.
struct BroadcastMeter {
    /// One event on its way to its receivers.
    private struct Spread {
        let topic: String
        let sequence: UInt64
        let first: MonotonicTime
        var last: MonotonicTime
        var receivers = 1
    }

    /// An acknowledged request.
    private struct Request {
        let kind: String
        let mark: BroadcastMark
        let due: MonotonicTime
        let sentAt: MonotonicTime
        let answeredAt: MonotonicTime
    }

    /// By mark, in the order of their first receipts. A mark that is not unique may have several, and an instance that
    /// is shared in several sub-realms has one for each.
    private var spreads: [BroadcastMark: [Spread]] = [:]
    private var requests: [Request] = []
    /// What people have said of subjects (`Broadcast.own`).
    private var own: [Speaker: String] = [:]

    private struct Speaker: Hashable {
        let bot: Int
        let subject: String
    }

    /// Later than this after its request's answer, an event with a mark that may come again belongs to another request.
    private static let laterMax: Duration = .seconds(10)

    /// A bot has received an event.
    mutating func heard(_ event: WireEvent, now: MonotonicTime) {
        guard let change = event.change, let mark = BroadcastMark.of(change) else { return }
        let known = spreads[mark]?.lastIndex { $0.sequence == event.sequence && $0.topic == event.topic }
        if let known {
            spreads[mark]?[known].last = now
            spreads[mark]?[known].receivers += 1
        } else {
            spreads[mark, default: []].append(
                Spread(topic: event.topic, sequence: event.sequence, first: now, last: now))
        }
    }

    /// A request of a bot succeeded. All are told of, also those outside the measured time, because they decide what
    /// later ones change.
    /// - Parameter isMeasured: whether it was due in the measured time.
    mutating func acknowledged(
        _ errand: Bot.Errand, _ result: WireReply.OneOf_Result, of bot: Int, isMeasured: Bool, now: MonotonicTime
    ) {
        guard let broadcast = CrowdFeatures.broadcast(of: result, to: errand) else { return }
        if let said = broadcast.own {
            let before = own.updateValue(said, forKey: Speaker(bot: bot, subject: broadcast.mark.subject)) ?? ""
            // It changed nothing, and nobody is told.
            guard before != said else { return }
        }
        guard isMeasured else { return }
        requests.append(
            Request(
                kind: errand.kind.name, mark: broadcast.mark, due: errand.due, sentAt: errand.at, answeredAt: now))
    }

    /// The times of the broadcasts, by the kind of request, when everything has arrived.
    func times() -> (byKind: [String: KindTimes], unmatched: [String: Int]) {
        var byKind: [String: KindTimes] = [:]
        // Nobody was there to receive the event.
        var unmatched: [String: Int] = [:]
        for request in requests {
            let found = events(of: request)
            guard let last = found.map(\.last).max() else {
                unmatched[request.kind, default: 0] += 1
                continue
            }
            byKind[request.kind, default: KindTimes(limit: Quality.broadcastLimit)].record(
                last.microseconds(since: request.due), receivers: found.reduce(0) { $0 + $1.receivers })
        }
        return (byKind, unmatched)
    }

    /// The event of a request in each of its topics.
    private func events(of request: Request) -> [Spread] {
        var found: [Spread] = []
        for spread in spreads[request.mark] ?? [] where spread.first >= request.sentAt {
            let isTooLate = !request.mark.isUnique && spread.first - request.answeredAt > Self.laterMax
            if !isTooLate, !found.contains(where: { $0.topic == spread.topic }) { found.append(spread) }
        }
        return found
    }
}

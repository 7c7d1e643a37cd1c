import CairnClient
import CairnTime
import CairnWire

/// What QOS-3 asks for: 95 % of the requests are answered within one limit, and 95 % of the broadcasts have reached
/// their last receiver within another.
enum Quality {
    static let requestLimit: Duration = .milliseconds(200)
    static let broadcastLimit: Duration = .milliseconds(250)
    /// Greatest share that may be later.
    static let lateShareMax = 0.05
    /// Fewer of a kind say nothing about 95 % of it: of 20 one is the share that may be late.
    static let countMin = 20
}

/// Measures QOS-3 during a run: the time of every request by its kind, and of every broadcast.
///
/// Times count from when a request was due, as everywhere in a crowd, so what the crowd itself is late is in them: it
/// runs on the machine that the requirement is about.
struct QualityMeter {
    private var requests: [String: KindTimes] = [:]
    private var broadcasts = BroadcastMeter()
    /// Topics whose events were dropped for a receiver, who then got a snapshot.
    private var resyncs = 0

    /// A request of a bot is answered.
    /// - Parameter isMeasured: whether it was due in the measured time.
    mutating func answered(
        _ errand: Bot.Errand, _ answer: RequestAnswer, of bot: Int, isMeasured: Bool, now: MonotonicTime
    ) {
        var isRefusal = false
        switch answer {
        case .success(let result):
            broadcasts.acknowledged(errand, result, of: bot, isMeasured: isMeasured, now: now)
        case .refusal: isRefusal = true
        }
        guard isMeasured else { return }
        requests[errand.kind.name, default: KindTimes(limit: Quality.requestLimit)].record(
            now.microseconds(since: errand.due), isRefusal: isRefusal)
    }

    /// A bot has received an item.
    mutating func heard(_ item: WireItem, now: MonotonicTime) {
        switch item.body {
        case .event(let event): broadcasts.heard(event, now: now)
        case .resync: resyncs += 1
        default: break
        }
    }

    /// - Parameter poses: their times at their last receivers.
    func figures(poses: KindTimes) -> QualityFigures {
        let (spread, unmatched) = broadcasts.times()
        // A crowd without guests does nothing of theirs.
        let ofGuests = Set(CrowdFeatures.activities.filter(\.isOfGuests).map(\.name))
        let kinds = CrowdFeatures.exchanges.map(\.name).filter { !ofGuests.contains($0) || requests[$0] != nil }
        var rows = spread
        rows[QualityFigures.poseKind] = poses
        return QualityFigures(
            requests: kinds.map { QualityFigures.Row($0, requests[$0] ?? KindTimes(limit: Quality.requestLimit)) },
            broadcasts: rows.sorted { $0.key < $1.key }.map { QualityFigures.Row($0.key, $0.value) },
            unmatched: unmatched, resyncs: resyncs)
    }
}

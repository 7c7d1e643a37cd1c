import CairnTime

/// Who may see what is shared in a sub-realm, by requests and answers alone (SUB-9).
///
/// The server changes a right at some time between request and acknowledgement. In that span, and where spans of a gain
/// and a loss overlap, the right is uncertain: then a person may hold it, and need not.
struct RightHistory: Sendable {
    private struct Step {
        let isGain: Bool
        let requestedAt: MonotonicTime
        /// Nil = under way.
        var acknowledgedAt: MonotonicTime?
    }

    private struct Holder: Hashable {
        let realm: String
        let bot: Int
    }

    private var steps: [Holder: [Step]] = [:]
    /// Ends of whole sub-realms.
    private var ends: [String: [Step]] = [:]
    /// By sub-realm, the first request by which some bot may have lost the right to it.
    private var firstLosses: [String: MonotonicTime] = [:]
    /// Ids of the sub-realms that some bot was acknowledged to be in.
    private(set) var realms: Set<String> = []

    mutating func take(_ change: RightChange) {
        if !change.isGain, firstLosses[change.realm].map({ $0 > change.requestedAt }) ?? true {
            firstLosses[change.realm] = change.requestedAt
        }
        guard let people = change.people else { return Self.take(change, &ends[change.realm, default: []]) }
        for bot in people {
            if case .acknowledged = change.progress, !change.realm.isEmpty {
                realms.insert(change.realm)
                // If it was being founded, it has its id now.
                Self.drop(change, &steps[Holder(realm: "", bot: bot), default: []])
            }
            Self.take(change, &steps[Holder(realm: change.realm, bot: bot), default: []])
        }
    }

    private static func take(_ change: RightChange, _ steps: inout [Step]) {
        switch change.progress {
        case .underWay: steps.append(Step(isGain: change.isGain, requestedAt: change.requestedAt))
        case .acknowledged(let at):
            drop(change, &steps)
            steps.append(Step(isGain: change.isGain, requestedAt: change.requestedAt, acknowledgedAt: at))
        case .refused: drop(change, &steps)
        }
    }

    /// Removes the step that was under way until this answer.
    private static func drop(_ change: RightChange, _ steps: inout [Step]) {
        let index = steps.firstIndex {
            $0.isGain == change.isGain && $0.requestedAt == change.requestedAt && $0.acknowledgedAt == nil
        }
        if let index { steps.remove(at: index) }
    }

    /// Whether a person may have held the right at any time of a span: not if each gain before its end was followed by
    /// a loss that was acknowledged before its beginning.
    func mayHold(_ realm: String, _ bot: Int, from start: MonotonicTime, to end: MonotonicTime) -> Bool {
        let (gains, losses) = history(of: realm, bot)
        return gains.contains { gain in
            guard gain.requestedAt <= end else { return false }
            guard let gained = gain.acknowledgedAt else { return true }
            return !losses.contains { loss in
                loss.requestedAt > gained && loss.acknowledgedAt.map { $0 < start } ?? false
            }
        }
    }

    /// Whether a person may have been founding a sub-realm, whose id is unknown, at a time.
    func mayFound(_ bot: Int, at time: MonotonicTime) -> Bool {
        steps[Holder(realm: "", bot: bot)]?.contains { $0.requestedAt <= time } ?? false
    }

    /// Whether a person certainly held the right during a whole span.
    func holds(_ realm: String, _ bot: Int, from start: MonotonicTime, to end: MonotonicTime) -> Bool {
        let (gains, losses) = history(of: realm, bot)
        return gains.contains { gain in
            guard let gained = gain.acknowledgedAt, gained < start else { return false }
            return losses.allSatisfy { loss in
                loss.requestedAt > end || loss.acknowledgedAt.map { $0 < gain.requestedAt } ?? false
            }
        }
    }

    /// The sub-realms that a person certainly is in at the end.
    func realmsHeld(by bot: Int) -> [String] {
        realms.filter { holds($0, bot, from: .distantFuture, to: .distantFuture) }
    }

    /// From when on everything that is shared in a sub-realm may be gone, because the last member may have left it; nil
    /// = it certainly exists.
    func mayEnd(_ realm: String) -> MonotonicTime? { firstLosses[realm] }

    private func history(of realm: String, _ bot: Int) -> (gains: [Step], losses: [Step]) {
        let own = steps[Holder(realm: realm, bot: bot)] ?? []
        return (own.filter(\.isGain), own.filter { !$0.isGain } + (ends[realm] ?? []))
    }
}

/// The friends of a crowd, as the answers to its people tell of them. Of the changes of one pair only one is under way
/// at a time.
final class FriendBook: BotPart {
    /// Two people, the one with the lower index first.
    struct Pair: Hashable, Sendable {
        let low: Int
        let high: Int

        init(_ one: Int, _ other: Int) { (low, high) = (min(one, other), max(one, other)) }

        func other(than bot: Int) -> Int { bot == low ? high : low }
    }

    enum State: Sendable {
        case asked(by: Int)
        case friends
    }

    private var states: [Pair: State] = [:]
    private var pairs: [Int: Set<Pair>] = [:]
    private(set) var busy: Set<Pair> = []

    func state(_ pair: Pair) -> State? { states[pair] }

    /// In the order of indices.
    func friends(of bot: Int) -> [Int] {
        others(of: bot) { if case .friends = $0 { true } else { false } }
    }

    /// The people who have asked a person.
    func askers(of bot: Int) -> [Int] {
        others(of: bot) { if case .asked(let by) = $0 { by != bot } else { false } }
    }

    /// The people whom a person has asked.
    func asked(by bot: Int) -> [Int] {
        others(of: bot) { if case .asked(by: bot) = $0 { true } else { false } }
    }

    /// Only those with whom nothing is under way.
    private func others(of bot: Int, where isWanted: (State) -> Bool) -> [Int] {
        (pairs[bot] ?? []).filter { !busy.contains($0) && states[$0].map(isWanted) ?? false }
            .map { $0.other(than: bot) }.sorted()
    }

    func begin(_ pair: Pair) { busy.insert(pair) }

    func end(_ pair: Pair) { busy.remove(pair) }

    /// - Parameter state: nil = nothing.
    func set(_ pair: Pair, to state: State?) {
        states[pair] = state
        for bot in [pair.low, pair.high] {
            if state == nil { pairs[bot]?.remove(pair) } else { pairs[bot, default: []].insert(pair) }
        }
    }
}

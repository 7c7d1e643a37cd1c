internal import CairnServer
internal import CairnTime
internal import CairnWebSocket
internal import DequeModule

/// Wrong credentials and links that were shown at the operators' doors, with where they came from. In memory, for a
/// day; a restart begins anew.
///
/// A request without a credential is not an attempt: it leads to the form. An expired cookie is not an attempt either:
/// an open console sends its cookie after every restart, and cookies cannot be guessed.
struct CredentialAttempts: Sendable {
    /// In no order.
    private(set) var sources: [Source] = []
    /// Since the start.
    private(set) var total: UInt64 = 0
    /// Attempts of the last minute by second, the newest last.
    private var seconds: Deque<(second: Int64, count: Int)> = []

    /// An address, or of IPv6 a /64.
    struct Source: Sendable, Equatable {
        let address: PeerAddress
        var count = 0
        var last: MonotonicTime
    }

    /// Beyond it the address with the fewest attempts is forgotten, of equals the one that tried longest ago.
    static let sourcesMax = 64
    private static let kept = Duration.seconds(86_400)
    private static let windowSeconds: Int64 = 60

    mutating func add(from address: PeerAddress, now: MonotonicTime) {
        total += 1
        let second = (now - .epoch).components.seconds
        if seconds.last?.second == second {
            seconds[seconds.count - 1].count += 1
        } else {
            seconds.append((second, 1))
        }
        forget(now)
        let network = address.network
        if let index = sources.firstIndex(where: { $0.address == network }) {
            sources[index].count += 1
            sources[index].last = now
        } else {
            if sources.count == Self.sourcesMax,
                let least = sources.indices.min(by: {
                    (sources[$0].count, sources[$0].last) < (sources[$1].count, sources[$1].last)
                })
            {
                sources.remove(at: least)
            }
            sources.append(Source(address: network, count: 1, last: now))
        }
    }

    /// Attempts of the last minute.
    func lately(_ now: MonotonicTime) -> Int {
        let first = (now - .epoch).components.seconds - Self.windowSeconds
        return seconds.reduce(0) { $1.second > first ? $0 + $1.count : $0 }
    }

    /// `203.0.113.7 (30)`, those with the most attempts first.
    func words(max: Int) -> [String] {
        sources.sorted { ($0.count, $0.last) > ($1.count, $1.last) }.prefix(max)
            .map { "\($0.address.text) (\($0.count))" }
    }

    private mutating func forget(_ now: MonotonicTime) {
        let first = (now - .epoch).components.seconds - Self.windowSeconds
        while let oldest = seconds.first, oldest.second <= first { seconds.removeFirst() }
        sources.removeAll { now - $0.last > Self.kept }
    }
}

/// When wrong credentials are entered in the audit log: when their alarm is raised, and at most once an hour. What came
/// after an entry is in the next one.
struct AttemptNotes {
    private var isDue = false
    /// Nil = there was no entry yet.
    private var next: MonotonicTime?
    private var noted: UInt64 = 0

    static let pause = Duration.seconds(3_600)
    /// Addresses that an entry names.
    private static let addressesNamed = 10

    /// - Parameter isRaised: whether the alarm is.
    /// - Returns: the words of an entry; nil = there is none now.
    mutating func entry(of attempts: CredentialAttempts, isRaised: Bool, now: MonotonicTime) -> String? {
        isDue = isDue || isRaised
        guard isDue, next.map({ now >= $0 }) ?? true, attempts.total > noted else { return nil }
        let count = attempts.total - noted
        let since = noted == 0 ? "since the start" : "since the last entry"
        (noted, next, isDue) = (attempts.total, now + Self.pause, isRaised)
        let named = attempts.words(max: Self.addressesNamed).joined(separator: ", ")
        let rest = max(0, attempts.sources.count - Self.addressesNamed)
        return "\(count) \(since), from \(named)" + (rest > 0 ? " and \(rest) more addresses" : "")
    }
}

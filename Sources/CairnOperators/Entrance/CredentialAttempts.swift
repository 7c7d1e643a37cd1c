internal import CairnServer
internal import CairnTime
internal import CairnWebSocket

/// Wrong credentials and links that were shown at the operators' doors, with where they came from, and when the audit
/// log gets an entry of them. In memory, for a day; a restart begins anew.
///
/// A request without a credential is not an attempt: it leads to the form. An expired cookie is not an attempt either:
/// an open console sends its cookie after every restart, and cookies cannot be guessed.
struct CredentialAttempts: Sendable {
    /// In no order.
    private(set) var sources: [Source] = []
    /// Since the start.
    private(set) var total: UInt64 = 0
    /// How many of them entries in the audit log tell of.
    private var entered: UInt64 = 0
    /// Attempts of the last minute.
    private var minute = RecentCount(buckets: 60, ofSeconds: 1)
    private var schedule = Schedule()

    /// An address, or of IPv6 a /64.
    struct Source: Sendable {
        let address: PeerAddress
        fileprivate(set) var last: MonotonicTime
        /// Of the last day.
        fileprivate var day = RecentCount(buckets: 24, ofSeconds: 3_600)
        /// Those that no entry in the audit log tells of.
        fileprivate var unentered = 0

        /// Attempts of the last 23 to 24 hours: the oldest hour goes as a whole.
        func count(_ now: MonotonicTime) -> Int { day.count(now) }
    }

    /// Beyond it the address with the fewest attempts is forgotten, of equals the one that tried longest ago.
    static let sourcesMax = 64
    /// Addresses that an entry names.
    private static let addressesNamed = 10

    mutating func add(from address: PeerAddress, now: MonotonicTime) {
        total += 1
        forget(now)
        minute.add(now)
        let network = address.network
        let known = sources.firstIndex { $0.address == network }
        let index = if let known { known } else { place(for: network, now) }
        sources[index].last = now
        sources[index].unentered += 1
        sources[index].day.add(now)
    }

    /// Attempts of the last minute.
    func lately(_ now: MonotonicTime) -> Int { minute.count(now) }

    /// `203.0.113.7 (30)`, attempts of the last day, those with the most first.
    func words(max: Int, now: MonotonicTime) -> [String] {
        sources.filter { $0.count(now) > 0 }
            .sorted { ($0.count(now), $0.last) > ($1.count(now), $1.last) }.prefix(max)
            .map { "\($0.address.text) (\($0.count(now)))" }
    }

    /// Forgets what is older than a day, even without new attempts.
    mutating func forget(_ now: MonotonicTime) {
        minute.forget(now)
        for index in sources.indices { sources[index].day.forget(now) }
        sources.removeAll { $0.day.isEmpty }
    }

    /// Adds an address; at the bound another one is forgotten.
    private mutating func place(for network: PeerAddress, _ now: MonotonicTime) -> Int {
        if sources.count == Self.sourcesMax,
            let least = sources.indices.min(by: {
                (sources[$0].count(now), sources[$0].last) < (sources[$1].count(now), sources[$1].last)
            })
        {
            sources.remove(at: least)
        }
        sources.append(Source(address: network, last: now))
        return sources.count - 1
    }
}

// MARK: - Entries in the audit log

/// What the audit log is to say of attempts.
struct AttemptEntry: Sendable {
    let words: String
    /// `CredentialAttempts.total` when it was made.
    fileprivate let total: UInt64
    /// The attempts that it tells of, by address.
    fileprivate let counts: [PeerAddress: Int]
}

extension CredentialAttempts {
    /// When there is an entry: when the alarm is raised, and at most once an hour. What comes after an entry, while the
    /// alarm is still raised or in the hour that follows, is in the next one.
    private struct Schedule {
        /// Whether the alarm has been raised since the last entry, or was raised then and no hour has passed.
        var isDue = false
        /// Nil = there was no entry yet.
        var next: MonotonicTime?
        /// Whether an entry is on its way to the disk.
        var isWriting = false
    }

    static let entryPause = Duration.seconds(3_600)
    /// When the disk did not take an entry.
    static let retryPause = Duration.seconds(60)

    /// The entry that is due; nil = there is none now. The caller then reports with `ended` whether it was written.
    /// - Parameter isRaised: whether the alarm is.
    mutating func entry(isRaised: Bool, now: MonotonicTime) -> AttemptEntry? {
        schedule.isDue = schedule.isDue || isRaised
        guard schedule.isDue, !schedule.isWriting, schedule.next.map({ now >= $0 }) ?? true else { return nil }
        schedule.isDue = isRaised
        guard total > entered else { return nil }
        schedule.isWriting = true
        return AttemptEntry(
            words: entryWords, total: total,
            counts: Dictionary(uniqueKeysWithValues: sources.map { ($0.address, $0.unentered) }))
    }

    /// - Parameter isKept: whether the audit log has the entry; if not, its attempts are in the next one.
    mutating func ended(_ entry: AttemptEntry, isKept: Bool, now: MonotonicTime) {
        schedule.isWriting = false
        schedule.next = now + (isKept ? Self.entryPause : Self.retryPause)
        guard isKept else {
            schedule.isDue = true
            return
        }
        entered = entry.total
        for index in sources.indices {
            let told = entry.counts[sources[index].address] ?? 0
            sources[index].unentered = max(0, sources[index].unentered - told)
        }
    }

    /// `12 since the last entry, from 203.0.113.7 (9), other addresses (3)`: the numbers add up.
    private var entryWords: String {
        let count = total - entered
        let named = sources.filter { $0.unentered > 0 }
            .sorted { ($0.unentered, $0.last) > ($1.unentered, $1.last) }.prefix(Self.addressesNamed)
        let rest = count - min(count, UInt64(named.reduce(0) { $0 + $1.unentered }))
        let words = named.map { "\($0.address.text) (\($0.unentered))" }
        let from = words + (rest > 0 ? ["other addresses (\(rest))"] : [])
        return "\(count) since the \(entered == 0 ? "start" : "last entry"), from \(from.joined(separator: ", "))"
    }
}

internal import CairnTime
internal import CairnWebSocket

/// Wrong passwords, codes and tokens of people, by the address that they came from, so that an operator learns who
/// guesses (ACC-4). Attempts beyond a limit count as well; those by a device or from an address that the account knows
/// do not.
///
/// An address belongs to a person, and the server keeps as little as it can (CMP-4): an attempt counts for a day, and
/// an address without one is forgotten. An address is shown to admins only from `hourMin` attempts in an hour or
/// `dayMin` in a day: people mistype, and many people may share one address. Addresses are written neither to the log
/// nor to the audit log, which outlives the account (CMP-3). A restart forgets all.
package struct PasswordGuesses: Sendable {
    /// An address that guesses, or of IPv6 a /64.
    package struct Guesser: Sendable, Equatable {
        let address: PeerAddress
        /// Attempts of the last day.
        let count: Int

        /// `203.0.113.7 (30)`.
        package var words: String { "\(address.text) (\(count))" }
    }

    private struct Source {
        let address: PeerAddress
        var last: MonotonicTime
        /// Attempts of the last 59 to 60 minutes: the oldest minute goes as a whole.
        var hour = RecentCount(buckets: 60, ofSeconds: 60)
        /// Attempts of the last 23 to 24 hours.
        var day = RecentCount(buckets: 24, ofSeconds: 3_600)

        func isGuesser(_ now: MonotonicTime) -> Bool {
            hour.count(now) >= PasswordGuesses.hourMin || day.count(now) >= PasswordGuesses.dayMin
        }
    }

    /// From how many attempts in an hour on an address is one that guesses: twice what the limits let through at once.
    static let hourMin = 20
    /// From how many attempts in a day on it is one that guesses slowly.
    static let dayMin = 100
    /// Addresses that are remembered. Beyond it the one with the fewest attempts is forgotten, of equals the one that
    /// tried longest ago.
    static let addressesMax = 256

    /// In no order.
    private var sources: [Source] = []

    init() {}

    mutating func add(from address: PeerAddress, now: MonotonicTime) {
        forget(now)
        let network = address.network
        let known = sources.firstIndex { $0.address == network }
        let index = if let known { known } else { place(for: network, now) }
        sources[index].last = now
        sources[index].hour.add(now)
        sources[index].day.add(now)
    }

    /// Addresses that guess, the most attempts first.
    mutating func guessers(_ now: MonotonicTime) -> [Guesser] {
        forget(now)
        return sources.filter { $0.isGuesser(now) }
            .map { (guesser: Guesser(address: $0.address, count: $0.day.count(now)), last: $0.last) }
            .sorted { ($0.guesser.count, $0.last) > ($1.guesser.count, $1.last) }
            .map { $0.guesser }
    }

    /// Addresses that are remembered now.
    var addressCount: Int { sources.count }

    private mutating func forget(_ now: MonotonicTime) {
        for index in sources.indices {
            sources[index].hour.forget(now)
            sources[index].day.forget(now)
        }
        sources.removeAll { $0.day.isEmpty }
    }

    /// Adds an address; at the bound another one is forgotten.
    private mutating func place(for network: PeerAddress, _ now: MonotonicTime) -> Int {
        let least = sources.indices.min {
            (sources[$0].day.count(now), sources[$0].last) < (sources[$1].day.count(now), sources[$1].last)
        }
        if sources.count >= Self.addressesMax, let least { sources.remove(at: least) }
        sources.append(Source(address: network, last: now))
        return sources.count - 1
    }
}

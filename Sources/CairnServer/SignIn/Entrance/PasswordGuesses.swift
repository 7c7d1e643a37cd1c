internal import CairnTime
internal import CairnWebSocket

/// Wrong passwords, codes and tokens of people, by the address that they came from, so that an operator learns who
/// guesses (ACC-4). Attempts beyond a limit count as well; those by a device or from an address that the account knows
/// do not.
///
/// An address belongs to a person, and the server keeps as little as it can (CMP-4): an address is remembered for an
/// hour after its last attempt. An address with fewer attempts than `attemptsMin` is shown to nobody: people mistype.
/// No address is in the log, nor in the audit log, which outlives the account (CMP-3). A restart forgets all.
package struct PasswordGuesses: Sendable {
    /// An address that guesses, or of IPv6 a /64.
    package struct Source: Sendable, Equatable {
        let address: PeerAddress
        fileprivate(set) var count: Int
        fileprivate(set) var last: MonotonicTime

        /// `203.0.113.7 (30)`.
        package var words: String { "\(address.text) (\(count))" }
    }

    /// From how many attempts on an address is one that guesses: twice what the limits let through at once.
    static let attemptsMin = 20
    /// Addresses that are remembered. Beyond it the one with the fewest attempts is forgotten, of equals the one that
    /// tried longest ago.
    static let addressesMax = 256
    private static let kept = Duration.seconds(3_600)

    /// In no order.
    private var sources: [Source] = []

    init() {}

    mutating func add(from address: PeerAddress, now: MonotonicTime) {
        forget(now)
        let network = address.network
        if let index = sources.firstIndex(where: { $0.address == network }) {
            sources[index].count += 1
            sources[index].last = now
            return
        }
        let least = sources.indices.min {
            (sources[$0].count, sources[$0].last) < (sources[$1].count, sources[$1].last)
        }
        if sources.count >= Self.addressesMax, let least { sources.remove(at: least) }
        sources.append(Source(address: network, count: 1, last: now))
    }

    /// Addresses that guess, the most attempts first.
    mutating func guessers(_ now: MonotonicTime) -> [Source] {
        forget(now)
        return sources.filter { $0.count >= Self.attemptsMin }
            .sorted { ($0.count, $0.last) > ($1.count, $1.last) }
    }

    /// Addresses that are remembered now.
    var addressCount: Int { sources.count }

    private mutating func forget(_ now: MonotonicTime) { sources.removeAll { now - $0.last > Self.kept } }
}

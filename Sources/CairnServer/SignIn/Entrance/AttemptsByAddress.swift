package import CairnTime
package import CairnWebSocket

/// Attempts by network address: how often each has tried. In memory alone: a restart begins anew.
package struct AttemptsByAddress: Sendable {
    /// An address, or of IPv6 a /64.
    package struct Source: Sendable, Equatable {
        package let address: PeerAddress
        package fileprivate(set) var count: Int
        package fileprivate(set) var last: MonotonicTime
    }

    /// In no order.
    package private(set) var sources: [Source] = []
    private let sourcesMax: Int
    private let kept: Duration

    /// - Parameters:
    ///   - sourcesMax: addresses that are remembered. Beyond it the one with the fewest attempts is forgotten, of
    ///     equals the one that tried longest ago.
    ///   - kept: how long an address is remembered after its last attempt.
    package init(sourcesMax: Int, kept: Duration) {
        (self.sourcesMax, self.kept) = (sourcesMax, kept)
    }

    package mutating func add(from address: PeerAddress, now: MonotonicTime) {
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
        if sources.count >= sourcesMax, let least { sources.remove(at: least) }
        sources.append(Source(address: network, count: 1, last: now))
    }

    /// Forgets the addresses that have not tried for long.
    package mutating func forget(_ now: MonotonicTime) { sources.removeAll { now - $0.last > kept } }
}

/// Wrong passwords, codes and tokens of people, by the address that they came from, so that an operator learns who
/// guesses (ACC-4). Attempts beyond a limit count as well; those by a device or from an address that the account knows
/// do not.
///
/// An address belongs to a person, and the server keeps as little as it can (CMP-4): an address is remembered for an
/// hour after its last attempt, and one with fewer than `attemptsMin`, of somebody who mistypes, is shown to nobody. No
/// address stands in the log or in the audit log, which outlives the account (CMP-3).
package struct PasswordGuesses: Sendable {
    /// From how many attempts on an address is one that guesses: twice what the limits let through at once.
    package static let attemptsMin = 20
    static let sourcesMax = 256
    static let kept = Duration.seconds(3_600)

    private var attempts = AttemptsByAddress(sourcesMax: Self.sourcesMax, kept: Self.kept)

    package init() {}

    package mutating func add(from address: PeerAddress, now: MonotonicTime) { attempts.add(from: address, now: now) }

    /// Addresses that guess, the most attempts first.
    package mutating func sources(_ now: MonotonicTime) -> [AttemptsByAddress.Source] {
        attempts.forget(now)
        return attempts.sources.filter { $0.count >= Self.attemptsMin }
            .sorted { ($0.count, $0.last) > ($1.count, $1.last) }
    }
}

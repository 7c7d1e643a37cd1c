internal import CairnConfiguration
internal import CairnCore
internal import CairnTime
internal import CairnWebSocket
internal import CairnWire
internal import Synchronization

/// The shared rate limit of several connections: all of one account, or those of one address that have not signed in.
/// Usable from all loops.
final class SharedPace: Sendable {
    private let state: Mutex<State>

    private struct State {
        var messages: MessagePace
        /// Connections that sign in; nil = any number.
        var signIns: TokenBucket?
    }

    init(_ messages: MessagePace, signIns: TokenBucket? = nil) {
        state = Mutex(State(messages: messages, signIns: signIns))
    }

    /// One of the connections has got a message; it has not been read.
    func take(bytes count: Int, now: MonotonicTime) -> MessagePace.Verdict {
        state.withLock { $0.messages.take(bytes: count, now: now) }
    }

    /// Time until half of the bytes at once are there.
    func waitForHalf(now: MonotonicTime) -> Duration { state.withLock { $0.messages.waitForHalf(now: now) } }

    /// One more connection wants to sign in.
    /// - Returns: nil = it may; else how long it has to wait.
    func signIn(now: MonotonicTime) -> Duration? {
        state.withLock { $0.signIns?.take(now: now) }
    }

    /// As `signIn`, and nothing is counted.
    func waitForSignIn(now: MonotonicTime) -> Duration? {
        state.withLock { $0.signIns?.wait(now: now) }
    }

    /// Whether nothing of it is used up: a new one would be no better.
    func isFull(now: MonotonicTime) -> Bool {
        state.withLock { $0.messages.isFull(now: now) && $0.signIns?.isFull(now: now) ?? true }
    }
}

/// Shared rate limits by account or address. They outlive connections: a client that reconnects gets no new allowance
/// (SES-12).
final class PaceTable<Key: Hashable & Sendable>: Sendable {
    private let countMax: Int
    private let known = Mutex<[Key: SharedPace]>([:])

    /// - Parameter countMax: keys that are remembered. Beyond it those with nothing used up are forgotten; all are
    ///   where that makes little room, so that looking for them stays rare. Connections keep the pace that they have.
    init(countMax: Int) { self.countMax = countMax }

    /// The pace of all who have the key.
    func pace(of key: Key, now: MonotonicTime, new: () -> SharedPace) -> SharedPace {
        known.withLock { known in
            if let pace = known[key] { return pace }
            if known.count >= countMax {
                known = known.filter { !$0.value.isFull(now: now) }
                if known.count > countMax / 2 { known = [:] }
            }
            let pace = new()
            known[key] = pace
            return pace
        }
    }

    /// Forgets all: there are other limits now.
    func forget() { known.withLock { $0 = [:] } }
}

/// What connections may send together, beside the limits of each: those of an account, and those of an address that
/// have not signed in.
final class Paces: Sendable {
    /// Addresses, and accounts, that are remembered.
    static let addressesMax = 4_096
    static let accountsMax = 65_536
    /// Allowance for one new connection: enough for a hello with the longest token and its cursors.
    private static let messagesPerHandshake = 4
    private static let bytesPerHandshake = 8_192
    /// A sign-in by name costs the disk a write: one in so many new connections of an address may have it, and at once
    /// as many as may come in a second.
    private static let handshakesPerSignIn = 5
    /// All connections of an account share the limit of this many connections.
    static let connectionsPerAccount = 2

    private let strangers = PaceTable<PeerAddress>(countMax: addressesMax)
    private let accounts = PaceTable<AccountID>(countMax: accountsMax)

    /// The rate limit that connections of one address share before they sign in. It allows for a hello each and for
    /// sign-ins by name.
    /// - Parameter address: of the client; nil = unknown.
    /// - Returns: nil where the address has no limit of new connections, as on loopback: it says nothing of who it is.
    func ofStrangers(at address: PeerAddress?, _ listen: Configuration.Listen, now: MonotonicTime) -> SharedPace? {
        let handshakes = listen.handshakesPerSecondPerAddress
        guard let address, handshakes > 0 else { return nil }
        return strangers.pace(of: address.network, now: now) {
            let (messages, bytes) = (handshakes * Self.messagesPerHandshake, handshakes * Self.bytesPerHandshake)
            return SharedPace(
                MessagePace(
                    messagesPerSecond: messages, messagesBurst: messages, bytesPerSecond: bytes, bytesBurst: bytes,
                    now: now),
                signIns: TokenBucket(
                    rate: Double(handshakes) / Double(Self.handshakesPerSignIn), burst: Double(handshakes), now: now))
        }
    }

    /// The rate limit that an account's connections share, present and later ones.
    /// - Parameter signInsPerMinute: 0 = any number.
    func ofAccount(
        _ account: AccountID, _ limits: Configuration.Connections, signInsPerMinute: Int, now: MonotonicTime
    ) -> SharedPace {
        accounts.pace(of: account, now: now) {
            let (times, signIns) = (Self.connectionsPerAccount, Double(signInsPerMinute))
            return SharedPace(
                MessagePace(
                    messagesPerSecond: limits.messagesPerSecond * times, messagesBurst: limits.messagesBurst * times,
                    bytesPerSecond: limits.bytesAllowedPerSecond * times,
                    bytesBurst: limits.bytesAllowedAtOnce * times, now: now),
                // Half a minute's worth at once: all devices come back after the network did.
                signIns: signIns > 0
                    ? TokenBucket(rate: signIns / 60, burst: max(1, signIns / 2), now: now) : nil)
        }
    }

    /// Goes by other limits from now on.
    func forget() {
        strangers.forget()
        accounts.forget()
    }
}

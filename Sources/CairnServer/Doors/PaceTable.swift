internal import CairnCore
internal import CairnWebSocket
internal import CairnWire
internal import Synchronization

/// How fast somebody sends, known beyond their connections: a new one is no fresh start (SES-12). Over all loops.
final class PaceTable<Key: Hashable & Sendable>: Sendable {
    private let countMax: Int
    private let known = Mutex<[Key: MessagePace]>([:])

    /// - Parameter countMax: keys that are remembered. Beyond it those with nothing used up are forgotten; all are
    ///   where that makes little room, so that looking for them stays rare.
    init(countMax: Int) { self.countMax = countMax }

    /// Takes a message of a pace that is shared by all who have the key.
    /// - Parameters:
    ///   - new: the pace of a key that is not known.
    ///   - now: monotonic microseconds.
    func take(bytes: Int, of key: Key, new: MessagePace, now: UInt64) -> MessagePace.Verdict {
        known.withLock { known in
            if known[key] == nil { Self.makeRoom(&known, countMax, now: now) }
            return known[key, default: new].take(bytes: bytes, now: now)
        }
    }

    /// Remembers what is left of a pace; of several the poorest.
    func note(_ pace: MessagePace, of key: Key, now: UInt64) {
        guard !pace.isFull(now: now) else { return }
        known.withLock { known in
            if known[key] == nil { Self.makeRoom(&known, countMax, now: now) }
            known[key] = known[key]?.poorer(pace, now: now) ?? pace
        }
    }

    /// What is left of the pace that was noted; nil = nothing of it is used up.
    func pace(of key: Key, now: UInt64) -> MessagePace? {
        known.withLock { known in
            guard let pace = known[key] else { return nil }
            if pace.isFull(now: now) { known[key] = nil }
            return known[key]
        }
    }

    /// Forgets all: there are other limits now.
    func forget() { known.withLock { $0 = [:] } }

    private static func makeRoom(_ known: inout [Key: MessagePace], _ countMax: Int, now: UInt64) {
        guard known.count >= countMax else { return }
        known = known.filter { !$0.value.isFull(now: now) }
        if known.count > countMax / 2 { known = [:] }
    }
}

/// What connections may send that have not signed in, by address, and what is left to the accounts of those that have.
///
/// All a stranger can do is say hello: so the strangers of one address share what a few connections may send, however
/// often they come. An account's next connection goes on with what the last one has left.
final class Paces: Sendable {
    /// Addresses, and accounts, that are remembered.
    static let addressesMax = 4_096
    static let accountsMax = 65_536
    /// What one new connection has to say: a hello with the longest token and what it holds.
    private static let messagesPerHandshake = 4
    private static let bytesPerHandshake = 8_192

    private let strangers = PaceTable<PeerAddress>(countMax: addressesMax)
    let accounts = PaceTable<AccountID>(countMax: accountsMax)

    /// Takes a message of somebody who has not signed in.
    /// - Parameters:
    ///   - address: nil = nobody knows, and only the connection's own limits hold.
    ///   - handshakesPerSecond: new connections that the address may have; 0 = no limit, and none here.
    func takeOfStranger(
        bytes: Int, at address: PeerAddress?, handshakesPerSecond: Int, now: UInt64
    ) -> MessagePace.Verdict {
        guard let address, handshakesPerSecond > 0 else { return .taken }
        let (messages, room) = (
            handshakesPerSecond * Self.messagesPerHandshake, handshakesPerSecond * Self.bytesPerHandshake
        )
        let new = MessagePace(
            messagesPerSecond: messages, messagesBurst: messages, bytesPerSecond: room, bytesBurst: room, now: now)
        return strangers.take(bytes: bytes, of: address.network, new: new, now: now)
    }

    /// Goes by other limits from now on.
    func forget() {
        strangers.forget()
        accounts.forget()
    }
}

internal import CairnCore
internal import CairnWire

/// How fast clients may send, and what is left to those who come again (SES-12).
extension Shard {
    /// Takes a message of the connection's pace; before it has signed in, of that of its address first.
    func pace(of session: Session, bytes count: Int) -> MessagePace.Verdict {
        if case .user = session.stage { return session.pace.take(bytes: count, now: now) }
        let verdict = world.doors.paces.takeOfStranger(
            bytes: count, at: session.address,
            handshakesPerSecond: world.configuration.listen.handshakesPerSecondPerAddress, now: now)
        return verdict == .taken ? session.pace.take(bytes: count, now: now) : verdict
    }

    /// The account's next connection goes on with what this one has left: coming again is no fresh start.
    func rememberPace(of session: Session) {
        guard case .user(let user) = session.stage else { return }
        world.doors.paces.accounts.note(session.pace, of: user.account, now: now)
    }

    func tooFast(_ session: Session, id: UInt32, wait: UInt64) {
        let limits = world.configuration.connections
        refuse(
            session, id: id,
            Refusal(
                .rateLimited,
                "more than \(limits.messagesPerSecond) messages or \(limits.bytesAllowedPerSecond) bytes a second",
                component: "session", retryAfter: .microseconds(wait)))
    }
}

internal import CairnCore
internal import CairnGeo
internal import CairnWebSocket
internal import CairnWire

/// A cut link is not a leave: for a grace period the session waits for its client, and others see nothing of it
/// (SES-11). Whoever comes back in time goes on where they were, over whichever loop.
extension Shard {
    /// Whether a connection ended without a goodbye from either side (RFC 6455 7.1.5).
    static func isCut(_ code: UInt16) -> Bool { code == 1006 }

    func detach(_ session: Session) {
        guard let user = session.user else { return }
        let participant = session.participant
        for cell in Array(session.follows.keys) { unfollow(cell, session) }
        session.waitingPosition = nil
        session.givenUpAt = now + UInt64(world.configuration.presence.graceSeconds) * 1_000_000
        detached[user.session] = session
        figures.detached += 1
        onShard(world.directory.shard(of: .account(user.account))) { shard in
            shard.accounts[user.account]?.assumeIsolated { $0.detach(participant) }
        }
    }

    /// Ends the sessions that nobody came back for.
    func giveUpDetached(now: UInt64) {
        for (id, session) in detached where session.givenUpAt <= now {
            detached[id] = nil
            leaveEverything(session)
            signOff(session)
        }
    }

    /// Hands a session over to another connection of the same account; a connection that still has it is closed.
    func surrender(_ id: SessionID, of old: Participant, to new: Participant) {
        var state: Session.State?
        if let session = detached.removeValue(forKey: id) {
            state = session.state
        } else if let session = session(of: old), session.user?.session == id {
            state = session.state
            for cell in Array(session.follows.keys) { unfollow(cell, session) }
            session.tracker = ViewTracker()
            session.position = nil
            session.stage = .guest
            close(session, .sessionTakenOver)
        }
        if let cell = state?.tracker.cell { leaveCount(of: cell) }
        onShard(new.loop) { [state] in $0.adopt(state, from: old, to: new) }
    }

    /// Goes on with a session that another connection had: same place, same people around, nothing missed.
    private func adopt(_ state: Session.State?, from old: Participant, to new: Participant) {
        guard let session = session(of: new), let user = session.user else {
            // The new connection has gone as well; nobody is there to go on.
            if let cell = state?.tracker.cell { inCell(cell) { $0.leave(old) } }
            return
        }
        pause(session, false)
        guard let state else { return greet(session, user, resumed: false) }
        let resumed = Session.User(account: user.account, name: user.name, token: user.token, session: state.id)
        session.stage = .user(resumed)
        session.tracker = state.tracker
        session.position = state.position
        figures.resumed += 1
        greet(session, resumed, resumed: true)
        if let cell = state.tracker.cell {
            occupancy[cell, default: 0] += 1
            inCell(cell) { $0.replace(old, with: new) }
            let isSeenAlike = session.shares == state.shares && session.gridMetres == state.gridMetres
            if !isSeenAlike { reenter(session) }
        }
        for cell in state.tracker.view { follow(cell, session) }
        forgetCursors(of: session)
    }
}

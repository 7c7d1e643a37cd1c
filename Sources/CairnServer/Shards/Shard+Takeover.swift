internal import CairnConfiguration
internal import CairnCore
internal import CairnGeo
internal import CairnTime
internal import CairnWebSocket
internal import CairnWire

/// A cut is not a leave. During a grace period others see no change, and for the longer resume window the session waits
/// for its client (SES-11). A client that reconnects in time resumes its session, on any loop.
extension Shard {
    /// Whether a connection ended without a goodbye from either side (RFC 6455 7.1.5).
    static func isCut(_ code: UInt16) -> Bool { code == 1006 }

    func detach(_ session: Session) {
        guard let user = session.user, let state = session.state else { return }
        let participant = session.participant
        unfollowAll(session)
        dropWaitingPosition(of: session)
        detached[user.session] = CutSession(user: user, participant: participant, state: state, cutAt: now)
        figures.detached += 1
        dispatch(.account(user.account, .detach(participant)), to: .account(user.account))
    }

    /// Ends presence when the grace period is over, and sessions when the resume window is.
    func giveUpDetached(now: MonotonicTime) {
        let grace = Duration.seconds(context.configuration.presence.graceSeconds)
        let window = Duration.seconds(context.configuration.connections.resumeSeconds)
        for (id, cut) in detached where now > cut.cutAt {
            let gone = now - cut.cutAt
            if gone >= grace { letOthersMiss(id) }
            if gone >= max(grace, window) { giveUp(id) }
        }
    }

    /// Ends a cut session: no connection can take it over any more.
    func giveUp(_ id: SessionID) {
        letOthersMiss(id)
        guard let cut = detached.removeValue(forKey: id) else { return }
        let account = cut.user.account
        dispatch(.account(account, .disconnect(cut.participant, session: id)), to: .account(account))
    }

    func letOthersMiss(_ id: SessionID) {
        guard let cut = detached[id], cut.state.isPresent else { return }
        leaveCounts(of: cut.state.boards)
        seclude(cut.user.account, in: cut.state.boards.space, .whereabouts)
        for cell in cut.state.boards.all { inCell(cell, .leave(cut.participant)) }
        detached[id]?.state.boards = Session.Boards()
        detached[id]?.state.isPresent = false
    }

    /// Hands a session over to another connection of the same account; a connection that still has it is closed.
    func surrender(_ id: SessionID, of old: Participant, to new: Participant) {
        var state: Session.State?
        if let cut = detached.removeValue(forKey: id) {
            state = cut.state
        } else if let session = session(of: old), !session.isDismissed {
            // One that has only just taken the session over, and has not got it yet, goes all the same: its account
            // counts it no more.
            if session.user?.session == id { state = session.state }
            // First, so that no topic says goodbye: the client keeps its view, which it may be about to take back.
            close(session, .sessionTakenOver)
            unfollowAll(session)
            session.tracker = ViewTracker()
            session.position = nil
            session.boards = Session.Boards()
            session.coarse = nil
            dropWaitingPosition(of: session)
            session.becomesGuest()
        }
        if let state { leaveCounts(of: state.boards) }
        dispatch(.session(.adopt(state, from: old, to: new)), to: new.place)
    }

    /// Goes on with a session that another connection had: same place, same people around, nothing missed.
    func adopt(_ state: Session.State?, from old: Participant, to new: Participant) {
        guard let session = session(of: new), let user = session.user else {
            // The new connection has gone as well: no connection goes on with the session.
            for cell in state?.boards.all ?? [] { inCell(cell, .leave(old)) }
            return
        }
        pause(session, false)
        guard let state else {
            let work = AccountWork.beganAnew(new, session: user.session)
            dispatch(.account(user.account, work), to: .account(user.account))
            return greet(session, resumed: false)
        }
        // An admin is in no cell. A person who became one on the way here leaves the cells that they were in.
        guard user.role.isInWorld || state.boards.all.isEmpty && state.tracker.cell == nil else {
            for cell in state.boards.all { inCell(cell, .leave(old)) }
            let work = AccountWork.beganAnew(new, session: user.session)
            dispatch(.account(user.account, work), to: .account(user.account))
            return greet(session, resumed: false)
        }
        var resumed = user
        resumed.session = state.id
        session.becomes(resumed)
        session.position = state.position
        session.positionTime = now
        session.positionErrorMetres = .infinity
        session.journey = state.journey
        session.notifications = NotificationDelivery(received: state.received)
        figures.resumed += 1
        // In a space now, or no longer in the space of before: a session without a cell has been in one.
        guard session.space == nil, state.tracker.cell != nil || state.position == nil else {
            for cell in state.boards.all { inCell(cell, .leave(old)) }
            greet(session, resumed: true)
            if session.space == nil { returnToWorld(session) } else { placeInSpace(session) }
            return forgetCursors(of: session)
        }
        session.tracker = state.tracker
        greet(session, resumed: true)
        if state.tracker.cell != nil {
            if let cell = state.boards.shown { occupancy[cell, default: 0] += 1 }
            session.boards = state.boards
            for cell in state.boards.all { inCell(cell, .replace(old, with: new)) }
            if let place = state.position?.coordinate {
                coarsen(session, user.account, at: place, errorMetres: .infinity)
            }
            let isSeenAlike = session.shares == state.shares && session.gridMetres == state.gridMetres
            if !state.isPresent || !isSeenAlike { reenter(session) }
        }
        for cell in state.tracker.view { follow(cell, session) }
        forgetCursors(of: session)
    }
}

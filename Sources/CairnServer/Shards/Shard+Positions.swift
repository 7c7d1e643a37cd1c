internal import CairnConfiguration
internal import CairnCore
internal import CairnGeo
internal import CairnTime
internal import CairnWebSocket
internal import CairnWire

/// Where people are: positions in, cells entered and left, who sees whom (SES-5, SES-6, VIS-1, VIS-9).
extension Shard {
    static let positionComponent = "position"

    // MARK: In

    func position(_ envelope: ClientEnvelope, from session: Session) throws(Refusal) {
        if session.user == nil { try admitGuest(session, component: Self.positionComponent) }
        try require(Role.inWorld, session, component: Self.positionComponent)
        let message = try WireBody.decode(WirePosition.self, from: envelope.payload)
        guard session.positions.take(now: now) == nil else {
            // Only the newest counts; it is applied as soon as the limit allows (SES-5).
            if session.waitingPosition == nil {
                waitingPositions.append(session)
                loop.requestTick(at: now + .milliseconds(20))
            } else {
                overtakeWaitingPosition(of: session)
            }
            session.waitingPosition = Session.WaitingPosition(message, requestID: envelope.id)
            return
        }
        defer { overtakeWaitingPosition(of: session) }
        try apply(message, requestID: envelope.id, from: session)
    }

    /// Replaces the waiting position by a newer one; a request for the old one is answered all the same (SES-3).
    private func overtakeWaitingPosition(of session: Session) {
        guard let waiting = session.waitingPosition else { return }
        figures.positionsConflated += 1
        session.waitingPosition = nil
        if waiting.requestID != 0 { positioned(session, id: waiting.requestID) }
    }

    /// Gives up a guest's position that waits: the connection is about to be somebody's. Its request is answered.
    func settleWaitingPosition(of session: Session) {
        guard let waiting = session.waitingPosition else { return }
        dropWaitingPosition(of: session)
        if waiting.requestID != 0 { positioned(session, id: waiting.requestID) }
    }

    /// Applies the positions that came too fast, once the limit allows them.
    func applyWaitingPositions() {
        guard !waitingPositions.isEmpty else { return }
        let sessions = waitingPositions
        waitingPositions = []
        for session in sessions {
            guard let waiting = session.waitingPosition else { continue }
            guard session.positions.take(now: now) == nil else {
                waitingPositions.append(session)
                continue
            }
            session.waitingPosition = nil
            do {
                try apply(waiting.message, requestID: waiting.requestID, from: session)
            } catch {
                refuse(session, id: waiting.requestID, error)
            }
        }
        if !waitingPositions.isEmpty { loop.requestTick(at: now + .milliseconds(20)) }
    }

    private func apply(_ message: WirePosition, requestID: UInt32, from session: Session) throws(Refusal) {
        let sample = try message.sample(at: now)
        figures.positions += 1
        let place = GeoPoint(
            coordinate: sample.coordinate, altitudeMetres: message.hasH ? sample.heightMetres : nil)
        guard session.user != nil else {
            try look(session, at: place)
            if requestID != 0 { positioned(session, id: requestID) }
            return
        }
        session.position = place
        session.positionTime = sample.at
        session.positionErrorMetres = sample.accuracyMetres ?? 0
        if let space = session.space {
            move(session, to: sample, in: space)
        } else {
            let change = move(session, to: sample.coordinate)
            show(session, at: sample)
            session.follows.makeRoom(for: change.followed.count)
            for cell in change.followed { follow(cell, session) }
            unfollow(change.unfollowed, session)
        }
        forgetCursors(of: session)
        lookForTours(session, at: sample.coordinate)
        if requestID != 0 { positioned(session, id: requestID) }
    }

    /// Moves a session's view. A client that jumps, or exceeds its travel budget, gets no new cells for a while.
    func move(_ session: Session, to place: Coordinate) -> ViewTracker.Change {
        let (account, explorers, time) = (session.user?.account, context.explorers, now)
        let (guestViews, address) = (context.guestViews, session.address)
        let change = session.tracker.move(to: place, reach: context.reach) { wanted in
            guard let account else { return guestViews.admit(wanted, at: address, now: time) }
            let hasJumped = session.journey.isJump(
                to: place, metresPerSecond: explorers.limits.speedMetresPerSecond, now: time)
            return explorers.admit(wanted, to: account, hasJumped: hasJumped, now: time)
        }
        // Guests have budgets of their own, and cells held back from them say nothing about excessive travel.
        if account != nil { figures.cellsHeldBack += UInt64(change.heldBack) }
        return change
    }

    /// Retries for users who stand still while cells near them are held back. Called about once a second.
    func lookAgain() {
        for case let session? in sessions where session.tracker.isWaiting && !session.isDismissed {
            guard let place = session.position?.coordinate else { continue }
            let cells = move(session, to: place).followed
            guard !session.isLooking else {
                lookInto(cells, session)
                continue
            }
            for cell in cells { follow(cell, session) }
        }
    }

    private func positioned(_ session: Session, id: UInt32) {
        var positioned = WirePositioned()
        positioned.cell = session.tracker.cell?.token ?? ""
        reply(session, id: id, .positioned(positioned))
    }

    // MARK: Being seen

    /// Shows others a person's position, with the accuracy that the person shares.
    /// - Parameter anew: whether the position is the last one again, because the sharing has changed or everything must
    ///   be sent again. It is no reason for another square.
    func show(_ session: Session, at sample: PoseSample, anew: Bool = false) {
        guard let account = session.user?.account else { return }
        let (participant, old, standing) = (session.participant, session.boards, sample.coordinate)
        let errorMetres = anew ? .infinity : sample.accuracyMetres
        let sample = sample.shown(at: coarsen(session, account, at: standing, errorMetres: errorMetres) ?? standing)
        let boards = boards(of: session)
        if boards != old {
            session.boards = boards
            for cell in old.all where !boards.all.contains(cell) { inCell(cell, .leave(participant)) }
            // This shard's count has them in exactly one cell at any moment.
            if boards.shown != old.shown {
                if let cell = old.shown { leaveCount(of: cell) }
                if let cell = boards.shown { occupancy[cell, default: 0] += 1 }
            }
        }
        guard let shown = boards.shown else { return }
        if shown == old.shown, !anew {
            inCell(shown, .move(participant, to: sample, standing: standing))
        } else {
            let person = session.person(context.identifiers)
            inCell(shown, .enter(participant, of: account, as: person, at: sample, standing: standing))
        }
        if let watched = boards.watched {
            inCell(watched, .watch(participant, of: account, standing: standing))
        }
    }

    /// Has the session's square follow the position.
    /// - Returns: its middle, where others see or count the person; nil = the accuracy is exact (PRF-8).
    @discardableResult
    func coarsen(
        _ session: Session, _ account: AccountID, at place: Coordinate, errorMetres: Float?
    ) -> Coordinate? {
        guard session.gridMetres > 0 else { return nil }
        if let coarse = session.coarse, coarse.holds(place, errorMetres: errorMetres) { return coarse.middle }
        let coarse = context.coarsePlaces.place(
            of: account, at: place, errorMetres: errorMetres, gridMetres: session.gridMetres,
            level: context.configuration.cells.level, after: session.coarse)
        session.coarse = coarse
        return coarse.middle
    }

    /// The user is seen or counted in the cell of the shared place: the cell that they are in would reveal more than
    /// their accuracy allows (PRF-8).
    private func boards(of session: Session) -> Session.Boards {
        let cell = session.tracker.cell
        guard let shown = session.coarse?.cell else { return Session.Boards(shown: cell) }
        return Session.Boards(shown: shown, watched: shown == cell ? nil : cell)
    }

    func leaveCount(of cell: CellID) {
        let count = occupancy[cell, default: 0] - 1
        occupancy[cell] = count > 0 ? count : nil
    }

    /// Takes a session out of the counts of cells and spaces.
    func leaveCounts(of boards: Session.Boards) {
        if let cell = boards.shown { leaveCount(of: cell) }
        if boards.space != nil { peopleInSpaces -= 1 }
    }

    /// Leaves the cells or the space, and forgets the view.
    func leaveBoards(_ session: Session) {
        leaveCounts(of: session.boards)
        for cell in session.boards.all { inCell(cell, .leave(session.participant)) }
        session.boards = Session.Boards()
        session.coarse = nil
        session.tracker = ViewTracker()
    }

    /// Leaves everything: the connection ends or signs out.
    func leaveEverything(_ session: Session) {
        stopLooking(session)
        if let account = session.user?.account { seclude(account, in: session.boards.space, .whereabouts) }
        leaveBoards(session)
        unfollowAll(session)
        session.position = nil
        session.nearTours = []
        dropWaitingPosition(of: session)
    }

    /// Drops and counts a position that waits when the session ends.
    func dropWaitingPosition(of session: Session) {
        if session.waitingPosition != nil { figures.positionsDropped += 1 }
        session.waitingPosition = nil
    }

    // MARK: Homes

    /// Has the presence of a cell hear something, wherever the cell lives.
    func inCell(_ id: CellID, _ work: CellWork) {
        dispatch(.cell(id, work), to: .cell(id))
    }
}

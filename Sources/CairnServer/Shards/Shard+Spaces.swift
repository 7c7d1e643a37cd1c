internal import CairnConfiguration
internal import CairnCore
internal import CairnGeo
internal import CairnTime
internal import CairnWire

/// People in spaces (SES-13). An account that has the right to a space is in it: its sessions are in no cell and follow
/// no cell's topic, and their positions go to the space. The right is granted and ended as any other, so this holds for
/// all devices of the person, after a resume and after a restart.
extension Shard {
    /// The person has entered a space: they are not seen in the world, and see nothing of it.
    func enterSpace(_ session: Session) {
        unfollow(session.follows.keys.filter { $0.homeKind == .cell }, session)
        leaveBoards(session)
        placeInSpace(session)
        // It may have changed while the person was not connected.
        if session.user?.role != .general { tellRole(of: session) }
        // The person is not told of the tours that the account was asked about just now; it is asked again afterwards
        // (PRX-3).
        session.toursAsked = [:]
        if let place = session.position?.coordinate { lookForTours(session, at: place) }
    }

    /// The person has left a space, and sees the world again, from a fresh snapshot.
    func leaveSpace(_ session: Session) {
        leaveBoards(session)
        guard session.space == nil else { return placeInSpace(session) }
        returnToWorld(session)
    }

    /// Shows the view around the last position, which may have been sent in a space.
    func returnToWorld(_ session: Session) {
        guard let user = session.user, user.role.isInWorld, !session.isDismissed, let position = session.position
        else { return }
        let change = move(session, to: position.coordinate)
        reenter(session)
        for cell in change.followed { follow(cell, session) }
        lookForTours(session, at: position.coordinate)
    }

    /// Counts a person with a position in the space that they are in, or no longer in one (invariant 8).
    func placeInSpace(_ session: Session) {
        guard session.boards.space != session.space else { return }
        guard session.position != nil else { return }
        leaveCounts(of: session.boards)
        session.boards = Session.Boards(space: session.space)
        if session.space != nil { peopleInSpaces += 1 }
    }

    /// Sends the last position of a person who enters a space to the space. It may have come before the right to the
    /// space, while the request for it was under way, and a person who stands still sends no other. Each device of the
    /// person does so: the space goes by the newest position.
    func stand(_ session: Session, in space: SpaceID) {
        guard let position = session.position else { return }
        let sample = PoseSample(
            coordinate: position.coordinate, heightMetres: position.altitudeMetres ?? 0,
            orientation: Quaternion.identity.packed, accuracyMetres: session.positionErrorMetres,
            at: session.positionTime)
        move(session, to: sample, in: space)
    }

    /// Sends the position of a person in a space to the space, and to no cell.
    func move(_ session: Session, to sample: PoseSample, in space: SpaceID) {
        guard let account = session.user?.account else { return }
        placeInSpace(session)
        let standing = sample.coordinate
        let shown = coarsen(session, account, at: standing, errorMetres: sample.accuracyMetres) ?? standing
        let movement = Movement(
            account: account, place: standing, accuracyMetres: sample.accuracyMetres, at: sample.at,
            shown: session.shares ? shown : nil, absent: session.absent)
        dispatch(.space(space, .move(movement)), to: .space(space))
    }

    /// Tells the space of the person's role, so that it puts out a person whose role may not be in it.
    func tellRole(of session: Session) {
        guard let user = session.user, let space = session.space,
            let message = context.register.roleNotice(user.role, of: user.account)
        else { return }
        tell(.space(space), message)
    }

    /// The others in a space learn less of the person from here on.
    func seclude(_ account: AccountID, in space: SpaceID?, _ seclusion: Seclusion) {
        guard let space, let message = context.register.seclusion(seclusion, of: account) else { return }
        tell(.space(space), message)
    }

    /// Takes a person's cut sessions out of the cells and spaces that they were in.
    func letOthersMissCut(_ account: AccountID) {
        for (id, cut) in detached where cut.user.account == account { letOthersMiss(id) }
    }
}

internal import CairnConfiguration
internal import CairnCore
internal import CairnGeo
internal import CairnTime
internal import CairnWire

/// What others may learn of where a person is, by what the person has saved and what the connection says (VIS-9,
/// PRF-8).
extension Shard {
    private static let component = "position"

    func share(_ envelope: ClientEnvelope, from session: Session) throws(Refusal) {
        guard session.user != nil else { throw session.refusalWithoutAccount(component: Self.component) }
        try require(Role.inWorld, session, component: Self.component)
        let message = try WireBody.decode(WireShare.self, from: envelope.payload)
        let cells = session.boards.all
        let isOther = try setSharing(
            session, on: message.position, accuracy: message.hasAccuracy ? message.accuracy : nil)
        reenter(session)
        guard envelope.id != 0 else { return }
        guard isOther, !cells.isEmpty else { return reply(session, id: envelope.id, .done(WireDone())) }
        acknowledgeSharing(envelope.id, of: session.participant, behind: Set(cells))
    }

    /// Answers when no follower sees the person in these cells any more as they were: as for the setting, first the
    /// cells tell it, then the loops of their followers pass it on.
    private func acknowledgeSharing(_ id: UInt32, of participant: Participant, behind cells: Set<CellID>) {
        let shards = peers
        // One task per message: a connection has as many as it may send.
        Task {
            // First this loop, which hands on what waits for the others.
            self.tellPresence(of: cells)
            for shard in shards { await shard.tellPresence(of: cells) }
            for shard in shards { await shard.tellPresence(of: []) }
            self.post { shard in
                guard let session = shard.session(of: participant) else { return }
                shard.reply(session, id: id, .done(WireDone()))
            }
        }
    }

    func setSharing(_ session: Session, by hello: WireHello) throws(Refusal) {
        try setSharing(
            session, on: hello.hasSharePosition ? hello.sharePosition : nil,
            accuracy: hello.hasShareAccuracy ? hello.shareAccuracy : nil)
    }

    /// Takes a connection's own word about sharing; nil = no word about it.
    /// - Returns: whether others may learn something else of the person now.
    @discardableResult
    private func setSharing(_ session: Session, on: Bool?, accuracy: UInt32?) throws(Refusal) -> Bool {
        var said = Sharing.Wish(shares: on)
        if let accuracy {
            guard let known = LocationAccuracy(gridMetres: accuracy) else {
                throw Refusal(
                    .invalidField, "accuracy: 0, 10, 100 or 1000 metres", component: Self.component,
                    details: ["field": "accuracy"])
            }
            said.accuracy = known
        }
        var sharing = session.sharing
        sharing.said = sharing.said.updated(by: said)
        return goBy(sharing, session)
    }

    /// - Returns: whether others may learn something else of the person now.
    @discardableResult
    private func goBy(_ sharing: Sharing, _ session: Session) -> Bool {
        let before = (session.shares, session.gridMetres)
        session.goBy(sharing, initially: context.configuration.presence.accuracy)
        guard before != (session.shares, session.gridMetres) else { return false }
        let isLess = before.0 && !session.shares || session.gridMetres > before.1
        if isLess, let account = session.user?.account { seclude(account, in: session.space, .whereabouts) }
        return true
    }

    /// Shows a user once more, with what others may know now.
    func reenter(_ session: Session) {
        guard session.space == nil, session.tracker.cell != nil, let position = session.position else { return }
        let sample = PoseSample(
            coordinate: position.coordinate, heightMetres: position.altitudeMetres ?? 0,
            orientation: Quaternion.identity.packed, accuracyMetres: nil, at: now)
        show(session, at: sample, anew: true)
    }

    // MARK: Settings

    /// Goes by the settings of the person who signs in. They may have been changed while they were looked up.
    func goBy(_ known: SignIn.SignedIn, in session: Session, since start: MonotonicTime) {
        session.chooses(known.settings.chosenLanguage ?? "", among: languages)
        var saved = known.settings.live
        if let changed = changedSettings[known.account], changed.at >= start {
            saved = saved.updated(by: changed.settings)
        }
        session.showsObjects = saved.showsObjects ?? true
        session.wantsTours = saved.wantsTours ?? false
        var sharing = session.sharing
        sharing.saved = saved.sharing
        session.goBy(sharing, initially: context.configuration.presence.accuracy)
    }

    /// Has all connections of a person go by what the person has saved.
    /// - Returns: the cells in which others saw the person until now, if others may know less now.
    func goBy(_ settings: LiveSettings, of account: AccountID) -> Set<CellID> {
        let recent = changedSettings[account]?.settings ?? LiveSettings()
        changedSettings[account] = (recent.updated(by: settings), now)
        if let shows = settings.showsObjects {
            for case let session? in sessions where session.user?.account == account { show(objects: shows, session) }
        }
        if let wants = settings.wantsTours {
            for case let session? in sessions where session.user?.account == account { tell(ofTours: wants, session) }
        }
        return settings.sharing.isEmpty ? [] : goBy(settings.sharing, of: account)
    }

    private func goBy(_ wish: Sharing.Wish, of account: AccountID) -> Set<CellID> {
        var cells: Set<CellID> = []
        for case let session? in sessions where session.user?.account == account && !session.isDismissed {
            var sharing = session.sharing
            sharing.saved = sharing.saved.updated(by: wish)
            guard goBy(sharing, session) else { continue }
            cells.formUnion(session.boards.all)
            reenter(session)
        }
        // The person is shown again when a connection goes on with the session, by what holds then.
        for (id, cut) in detached where cut.user.account == account {
            cells.formUnion(cut.state.boards.all)
            letOthersMiss(id)
        }
        return cells
    }

    /// Sends the batches of cells on this loop at once, before their neighbourhoods leave, and passes on to other loops
    /// what waits for them.
    func tellPresence(of cells: Set<CellID>) {
        for cell in cells.compactMap(homes.cell) {
            _ = cell.enter(with: now) { $0.tellPresence(now: $1, withCounts: true, newcomersWait: .zero) }
        }
        flushOutgoing()
    }
}

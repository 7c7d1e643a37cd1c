internal import CairnConfiguration
internal import CairnCore
internal import CairnGeo
internal import CairnTime
internal import CairnWire

/// Tours that begin near people (PRX-2), and drafts that their makers have open (TRM-6, TRM-9).
extension Shard {
    private static let component = "tours"
    /// Drafts that one connection has open.
    private static let openMax = 16
    /// Tours in one `nearby_tours`.
    private static let nearMax = 10
    /// Tours of which a connection remembers that it has asked.
    private static let toursAskedMax = 256
    /// A tour that was near leaves so much further away, so that a fix at the edge does not flicker.
    private static let hysteresis = 1.2

    // MARK: Near people

    /// Has the loop's index replaced whenever a tour is published or withdrawn.
    func observeTours() {
        let shard = self
        context.names.tours.observe { index in shard.post { $0.goBy(index) } }
    }

    /// People who are near a new one need not move to learn of it.
    private func goBy(_ index: TourIndex) {
        let isFirst = tours.count == 0 && index.count == 0
        tours = index
        guard !isFirst else { return }
        for case let session? in sessions {
            guard let place = session.position?.coordinate else { continue }
            lookForTours(session, at: place, isAnew: true)
        }
    }

    /// Tells the client of tours that begin near the place, when they are others than before. Called at each position:
    /// where no tour is near, and none was, it is one look into a dictionary.
    /// - Parameter isAnew: whether a tour may have another version now.
    func lookForTours(_ session: Session, at place: Coordinate, isAnew: Bool = false) {
        guard tours.count > 0 || !session.nearTours.isEmpty, case .user = session.stage else { return }
        let metres = context.configuration.nearby.tourStartMetres
        // A person in a space sees nothing of the world and gets no notice of tours (PRX-3).
        if session.wantsTours, session.space == nil { askForNotices(session, at: place) }
        let known = session.nearTours
        let around = session.space == nil ? tours.tours(beginningWithin: metres * Self.hysteresis, of: place) : []
        let found =
            around
            .filter { $0.metres <= metres || known.contains($0.tour.id) }
            .prefix(Self.nearMax)
        guard !found.isEmpty || !known.isEmpty else { return }
        let near = found.map(\.tour.id)
        // Their order alone is no news.
        guard isAnew || near.count != known.count || !near.allSatisfy(known.contains) else { return }
        session.nearTours = near
        var item = WireItem()
        item.nearbyTours.tours = found.map {
            $0.tour.summary(
                in: session.readLanguage, awayMetres: $0.metres, context.names, context.identifiers)
        }
        send(item, to: session)
    }

    /// Goes by the person's choice (PRX-1). Who stands near a tour need not move to be told of it.
    func tell(ofTours wants: Bool, _ session: Session) {
        session.wantsTours = wants
        if wants, let place = session.position?.coordinate { lookForTours(session, at: place) }
    }

    /// Has the account tell its person of tours whose area is near. The account knows what it has told, on whichever
    /// device and before whichever restart; a connection asks it once an hour for each tour.
    private func askForNotices(_ session: Session, at place: Coordinate) {
        guard let user = session.user, user.role == .general else { return }
        let (time, metres) = (now, context.configuration.nearby.tourAreaMetres)
        let near = tours.tours(around: place, within: metres) { tour in
            session.toursAsked[tour.id].map { time - $0 >= .seconds(3_600) } ?? true
        }
        for tour in near {
            guard let notice = context.register.notice(of: tour.id, in: session.readLanguage) else { return }
            if session.toursAsked.count >= Self.toursAskedMax { session.toursAsked = [:] }
            session.toursAsked[tour.id] = time
            tell(.account(user.account), notice)
        }
    }

    // MARK: Open drafts

    /// Follows the changes of a draft. The topic is that of the sender's organisation at the tour: at a tour of another
    /// one, or at none, it is silent, so no client learns which it is.
    func openTour(_ envelope: ClientEnvelope, from session: Session) throws(Refusal) {
        let topic = try draft(envelope, WireOpenTour.self, \.tour, from: session)
        if session.follows[topic] == nil {
            let count = session.follows.keys.count { $0.scope.organisation != nil }
            guard count < Self.openMax else {
                throw Refusal(
                    .limitReached, "\(count) drafts are open", component: Self.component,
                    details: ["count": "\(count)", "limit": "\(Self.openMax)"])
            }
            follow(topic, session)
        }
        reply(session, id: envelope.id, .done(WireDone()))
    }

    func closeTour(_ envelope: ClientEnvelope, from session: Session) throws(Refusal) {
        unfollow([try draft(envelope, WireCloseTour.self, \.tour, from: session)], session)
        reply(session, id: envelope.id, .done(WireDone()))
    }

    private func draft<Body: WireMessage>(
        _ envelope: ClientEnvelope, _ type: Body.Type, _ tour: (Body) -> String, from session: Session
    ) throws(Refusal) -> Topic {
        guard case .user(let user) = session.stage else {
            throw session.refusalWithoutAccount(component: Self.component)
        }
        try require([.organisation], session, component: Self.component)
        guard envelope.id != 0 else {
            throw Refusal(
                .missingField, "id: it needs a request id", component: Self.component, details: ["field": "id"])
        }
        let body = try WireBody.decode(type, from: envelope.payload)
        guard let id: TourID = context.identifiers.identifier(named: tour(body)) else {
            throw Refusal(.notFound, component: Self.component)
        }
        guard let organisation = context.names.organisations.organisation(of: user.account) else {
            throw Refusal(.forbidden, component: Self.component)
        }
        return Topic(.tour(id), .organisation(organisation))
    }

    /// Whether the connection may follow topics of a scope now. For whom a person acts, nobody grants: it is asked.
    func holds(_ scope: Scope, _ session: Session) -> Bool {
        guard let organisation = scope.organisation else { return session.holds(scope) }
        guard let account = session.user?.account else { return false }
        return context.names.organisations.organisation(of: account) == organisation
    }

    /// The person's role or organisation has changed: no byte of a draft of another one is sent from here on. It is
    /// done on each loop before the change is acknowledged.
    func closeForeignDrafts(of session: Session) {
        cutOff(session.follows.keys.filter { $0.scope.organisation != nil && !holds($0.scope, session) }, session)
    }
}

extension Shard {
    /// Tells the homes of tours that these are withdrawn with their organisation. Each has noted on disk that its runs
    /// end when this returns.
    nonisolated static func withdraw(_ tours: [TourID], on shards: [Shard]) async {
        guard let first = shards.first else { return }
        let context = await first.context
        guard let message = context.register.tourWithdrawal else { return }
        for tour in tours { _ = await order(message, of: .tour(tour), in: context, on: shards) }
    }
}

extension SessionMessage {
    static var openingOfADraft: MessageKind { WireOpenTour.kind }
    static var closingOfADraft: MessageKind { WireCloseTour.kind }
}

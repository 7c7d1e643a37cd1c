internal import CairnConfiguration
internal import CairnCore
internal import CairnCrypto
internal import CairnGeo
internal import CairnTime
internal import CairnWire

/// A snapshot that is being taken for a client, or was (SYN-1).
final class WorldSnapshotTaking {
    let requestID: UInt32
    let number: UInt64
    let began: MonotonicTime
    let place: GeoPoint
    let account: AccountID
    /// What the person had a right to when the homes were asked.
    let scopes: Set<Scope>
    let shown: Scope
    /// Topics whose homes have not answered.
    fileprivate var missing: Set<Topic>
    fileprivate var snapshot = WireWorldSnapshot()
    fileprivate var isOver = false

    init(
        requestID: UInt32, number: UInt64, began: MonotonicTime, place: GeoPoint, of user: Session.User,
        _ session: Session, missing: Set<Topic>
    ) {
        (self.requestID, self.number, self.began, self.place) = (requestID, number, began, place)
        (account, scopes, shown, self.missing) = (user.account, session.scopes, session.shown, missing)
    }
}

/// Snapshots of what is presented around a user, complete by themselves (SYN-1). Each home that the session follows is
/// asked once for what the session sees there; no other home is asked, so the travel budget bounds them too.
extension Shard {
    private static let component = "snapshot"
    /// Least time between two of one connection: each is made anew.
    private static let interval = Duration.seconds(1)

    func getSnapshot(_ envelope: ClientEnvelope, from session: Session) throws(Refusal) {
        guard case .user(let user) = session.stage else {
            throw session.refusalWithoutAccount(component: Self.component)
        }
        try require(Role.inWorld, session, component: Self.component)
        _ = try WireBody.decode(WireGetSnapshot.self, from: envelope.payload)
        guard envelope.id != 0 else {
            throw Refusal(
                .missingField, "id: a \(SessionMessage.getSnapshot.kind.name) needs a request id",
                component: Self.component, details: ["field": "id"])
        }
        guard let place = session.position else { throw Refusal(.positionRequired, component: Self.component) }
        let time = now
        if let last = session.worldSnapshot, !last.isOver || time - last.began < Self.interval {
            let wait = max(.milliseconds(100), Self.interval - (time - last.began))
            throw Refusal(.rateLimited, component: Self.component, retryAfter: wait)
        }
        followNumber += 1
        let topics = session.follows.keys.filter { $0.homeKind == .cell && $0.scope != .nothing }
        let taking = WorldSnapshotTaking(
            requestID: envelope.id, number: followNumber, began: time, place: place, of: user, session,
            missing: Set(topics))
        session.worldSnapshot = taking
        figures.requests += 1
        for topic in topics {
            let request = FollowRequest(
                scope: topic.scope, participant: session.participant, account: user.account, absent: session.absent,
                number: taking.number)
            give(.present(request, nearest: place.coordinate), to: topic.home)
        }
        if topics.isEmpty { finish(taking, session) }
    }

    /// A home has answered.
    func presented(_ part: WireWorldSnapshot, of topic: Topic, to participant: Participant, number: UInt64) {
        guard let session = session(of: participant), let taking = session.worldSnapshot, taking.number == number,
            !taking.isOver, taking.missing.remove(topic) != nil
        else { return }
        taking.snapshot.instances += part.instances
        taking.snapshot.own += part.own
        taking.snapshot.leftOut += part.leftOut
        if taking.missing.isEmpty { finish(taking, session) }
    }

    private func finish(_ taking: WorldSnapshotTaking, _ session: Session) {
        // The parts were collected by the rights and the selection of the beginning.
        guard session.user?.account == taking.account, session.scopes == taking.scopes, session.shown == taking.shown
        else { return end(taking, session, .failure(Refusal(.tryAgain, component: Self.component))) }
        var snapshot = taking.snapshot
        let cells = context.configuration.cells
        snapshot.keepNearest(to: taking.place.coordinate, countMax: cells.snapshotInstancesMax)
        if case .realm(let realm)? = session.selection.home { snapshot.realm = context.identifiers.name(of: realm) }
        let digest = SHA256.hash(data: WireBody.encode(snapshot))
        snapshot.version = Array(digest.prefix(16)).hexadecimal
        snapshot.taken = context.clock.now.milliseconds
        snapshot.expires = snapshot.taken + Int64(cells.snapshotHours) * 3_600_000
        snapshot.place.lat = taking.place.coordinate.latitude
        snapshot.place.lon = taking.place.coordinate.longitude
        if let altitude = taking.place.altitudeMetres { snapshot.place.h = altitude }
        end(taking, session, .success(snapshot))
    }

    private func end(
        _ taking: WorldSnapshotTaking, _ session: Session, _ outcome: Result<WireWorldSnapshot, Refusal>
    ) {
        taking.isOver = true
        taking.snapshot = WireWorldSnapshot()
        taking.missing = []
        switch outcome {
        case .success(let snapshot):
            answered(SessionMessage.getSnapshot.field, since: taking.began, isRefused: false)
            reply(session, id: taking.requestID, .worldSnapshot(snapshot))
        case .failure(let refusal):
            answered(SessionMessage.getSnapshot.field, since: taking.began, isRefused: true)
            refuse(session, id: taking.requestID, refusal)
        }
    }

    /// Refuses snapshots for which a home has not answered in time: it cannot be read. Called about once a second.
    func refuseLateSnapshots(now: MonotonicTime) {
        for case let session? in sessions {
            guard let taking = session.worldSnapshot, !taking.isOver, now - taking.began > HomeQueue.patience else {
                continue
            }
            end(taking, session, .failure(HomeQueue.unreadable))
        }
    }
}

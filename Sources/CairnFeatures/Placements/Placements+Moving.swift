internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// An edit that moves an instance to another cell asks that cell to admit it (PLC-10). Until the new cell has decided,
/// the old cell keeps the instance as it was and locks it against other changes.
struct InstanceArriving: DurableMessage {
    static let kind: StaticText = "placements.arriving"
    /// The old cell unlocks an instance whose move is undecided after this time.
    static let lifetime = Duration.seconds(5)

    /// The instance as it will be in its new cell.
    let record: ObjectRecord
    let request: Request
    let edit: Edit

    // MARK: The new cell

    /// The new cell decides whether it admits the instance.
    func heard(in turn: inout Turn) -> MessageVerdict {
        guard case .cell(let cell) = turn.home else { return .declined([]) }
        do {
            try Placements.checkRoom(for: record.owner, in: turn)
        } catch {
            return .declined([.answer(request, .refusal(error))])
        }
        var record = record
        record.isMoving = false
        record.wire.cell = cell.token
        turn.objects[record.id] = record
        turn.objects.forgetDeparture(of: record.id)
        return .accepted([
            .write(Placements.update(of: record, in: turn.home)),
            .publish(.entry(of: record, as: turn.described(record))),
            .answer(request, .success(edit.result(record, for: request.sender, in: turn))),
        ])
    }

    // MARK: The old cell

    func recalled(in turn: inout Turn) {
        guard isHere(in: turn) else { return }
        turn.objects[record.id]?.isMoving = true
    }

    /// Whether the old cell still has the instance as it was before the move: meanwhile it may have left, or left and
    /// come back with a higher version.
    private func isHere(in turn: Turn) -> Bool {
        turn.objects[record.id].map { $0.wire.version < record.wire.version } ?? false
    }

    /// The old cell removes the instance and does not say where it went. A view of both cells has had the new cell's
    /// event before; any other view would learn where a person carries things.
    func delivered(in turn: inout Turn) -> [Effect] {
        guard isHere(in: turn), let left = turn.objects[record.id] else { return [] }
        turn.objects.depart(record.id, to: CellID(record.coordinate, level: turn.settings.cellLevel))
        var moved = WireMovedOut()
        moved.instance = record.wire.id
        moved.version = record.wire.version
        return [
            .publish(Publication(of: left, .movedOut(moved), state: nil))
        ]
    }

    /// The new cell has declined the instance, or no decision came in time. A cell that declines answers the request
    /// itself.
    func failed(_ failure: MessageFailure, in turn: inout Turn) -> [Effect] {
        if isHere(in: turn) { turn.objects[record.id]?.isMoving = false }
        return switch failure {
        case .declined: []
        case .notHeard: [.answer(request, .refusal(Self.notHeard))]
        case .refused: [.answer(request, .refusal(Self.refused))]
        }
    }

    private static let notHeard = Refusal(
        .tryAgain, "the other cell cannot take the instance now", component: Placements.name, retryAfter: .seconds(1))
    private static let refused = Refusal(.internal, "the change could not be kept", component: Placements.name)
}

extension InstanceArriving {
    func payload(in turn: Turn) -> [UInt8] {
        var moving = WireMovingInstance()
        moving.id = record.id.rawValue
        moving.owner = record.owner.rawValue
        moving.ownerName = record.ownerName
        moving.scopes = record.audience.scopes.map(\.name)
        moving.instance = record.wire
        moving.attachments = turn.encodedAttachments(of: record).map { feature, bytes in
            var attachment = WireInstanceAttachment()
            attachment.feature = feature
            attachment.payloadBytes = bytes
            return attachment
        }
        moving.key = request.key
        moving.editBytes = request.payload
        return WireBody.encode(moving)
    }

    /// The sender may have disconnected since: the answer is stored under their key, and nothing is sent to them.
    init(payload: [UInt8], in turn: Turn) throws(ColumnFault) {
        guard let moving = try? WireBody.decode(WireMovingInstance.self, from: payload),
            let body = try? WireBody.decode(WireEdit.self, from: moving.editBytes), let edit = try? Edit(body),
            let record = try ObjectRecord(moving, in: turn)
        else { throw ColumnFault(1, .unreadable) }
        self.record = record
        self.edit = edit
        request = Request(
            id: 0, key: moving.key, command: edit, payload: moving.editBytes,
            sender: Sender(participant: .nobody, account: record.owner, name: record.ownerName, position: nil))
    }
}

extension ObjectRecord {
    /// Nil = the message is not a valid instance.
    fileprivate init?(_ moving: WireMovingInstance, in turn: Turn) throws(ColumnFault) {
        let position = moving.instance.pose.geopose.position
        let scopes = moving.scopes.compactMap { Scope(name: $0) }
        guard let coordinate = Coordinate(latitude: position.lat, longitude: position.lon),
            scopes.count == moving.scopes.count, let scope = scopes.first
        else { return nil }
        self.init(
            id: InstanceID(rawValue: moving.id), owner: AccountID(rawValue: moving.owner),
            ownerName: moving.ownerName, audience: Audience(scope, Array(scopes.dropFirst())), coordinate: coordinate,
            wire: moving.instance)
        for attachment in moving.attachments {
            try turn.decodeAttachment(attachment.payloadBytes, of: attachment.feature, into: &self)
        }
    }
}

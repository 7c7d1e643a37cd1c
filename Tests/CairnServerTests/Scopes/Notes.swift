import CairnCore
import CairnGeo
import CairnTesting
import CairnWire

extension Scope {
    /// A group that only tests have.
    static func group(_ number: UInt64) -> Scope { Scope(Scope.Kind("z"), InstanceID(rawValue: number)) }
}

/// What is left in a cell for some groups: placed, edited, carried to another cell and removed by anybody. Of `Place`
/// it uses the object, which names the groups' scopes, and the text; nothing is on disk but the answers.
enum Notes: Feature {
    static let name = "notes"
    static let commands: [any Command.Type] = [PlaceNote.self, EditNote.self, RemoveNote.self]
    static let migrations: [Migration] = []
    static let messages: [any HomeMessage.Type] = [NoteCarried.self]
    static let register = FeatureRegister([Notes.self])

    /// `Place.object` for these groups.
    static func object(for groups: [Scope]) -> String { groups.map(\.name).joined(separator: " ") }

    /// The groups that `object(for:)` names.
    static func groups(in object: String) -> [Scope] { object.split(separator: " ").compactMap { Scope(name: $0) } }

    fileprivate static func audience(of object: String) -> Audience {
        let scopes = groups(in: object)
        return scopes.first.map { Audience($0, Array(scopes.dropFirst())) } ?? .everyone
    }

    fileprivate static func found(_ name: String, in turn: Turn) throws(Refusal) -> ObjectRecord {
        guard let id = turn.instance(named: name), let record = turn.objects[id] else {
            throw Refusal(.notFound, component: Self.name)
        }
        return record
    }

    fileprivate static func entered(_ record: ObjectRecord) -> Effect {
        var entered = WireEntered()
        entered.instance = record.wire
        return publish(.entered(entered), record, record.wire)
    }

    fileprivate static func publish(
        _ change: WireEvent.OneOf_Change, _ record: ObjectRecord, _ state: WireInstance?
    ) -> Effect {
        .publish(Publication(audience: record.audience, change: change, object: record.id, owner: nil, state: state))
    }
}

struct PlaceNote: Change {
    let body: WirePlace

    init(_ body: WirePlace) { self.body = body }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        let position = body.pose.geopose.position
        guard let place = Coordinate(latitude: position.lat, longitude: position.lon) else {
            throw Refusal(.invalidField, component: Notes.name)
        }
        return .cell(CellID(place, level: settings.cellLevel))
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        guard case .cell(let cell) = turn.home else { return [] }
        let id = turn.newInstanceID()
        var wire = WireInstance()
        wire.id = turn.name(of: id)
        wire.object = body.object
        wire.text = body.text
        wire.version = 1
        wire.cell = cell.token
        let record = ObjectRecord(
            id: id, owner: request.sender.account, ownerName: "", audience: Notes.audience(of: body.object),
            coordinate: cell.centre, wire: wire)
        turn.objects[id] = record
        var placed = WirePlaced()
        placed.instance = wire
        return [.answer(request, .success(.placed(placed))), Notes.entered(record)]
    }
}

/// `text` names the cell into which a note is carried; empty = it stays.
struct EditNote: Change {
    let body: WireEdit

    init(_ body: WireEdit) { self.body = body }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        .cell(try settings.cell(named: body.cell, component: Notes.name))
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        var record = try Notes.found(body.instance, in: turn)
        record.wire.version += 1
        var edited = WireEdited()
        edited.instance = record.wire
        let answer = Effect.answer(request, .success(.edited(edited)))
        if let next = CellID(token: body.text) {
            turn.objects[record.id] = nil
            var moved = WireMovedOut()
            moved.instance = record.wire.id
            moved.version = record.wire.version
            return [
                answer, .tell(.cell(next), NoteCarried(record: record)), Notes.publish(.movedOut(moved), record, nil),
            ]
        }
        turn.objects[record.id] = record
        var changed = WireChanged()
        changed.instance = record.wire.id
        changed.version = record.wire.version
        return [answer, Notes.publish(.changed(changed), record, record.wire)]
    }
}

struct RemoveNote: Change {
    let body: WireRemove

    init(_ body: WireRemove) { self.body = body }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        .cell(try settings.cell(named: body.cell, component: Notes.name))
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let record = try Notes.found(body.instance, in: turn)
        turn.objects[record.id] = nil
        var left = WireLeft()
        left.instance = record.wire.id
        return [.answer(request, .success(.removed(WireRemoved()))), Notes.publish(.left(left), record, nil)]
    }
}

struct NoteCarried: HomeMessage {
    static let kind: StaticText = "notes.carried"
    let record: ObjectRecord

    init(record: ObjectRecord) { self.record = record }

    init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault) {
        let (numbers, body) = (Array(payload.prefix(24)).numbers, Array(payload.dropFirst(24)))
        guard let cell = CellID(rawValue: numbers[2]), let wire = try? WireBody.decode(WireInstance.self, from: body)
        else { throw ColumnFault(0, .unreadable) }
        record = ObjectRecord(
            id: InstanceID(rawValue: numbers[0]), owner: AccountID(rawValue: numbers[1]), ownerName: "",
            audience: Notes.audience(of: wire.object), coordinate: cell.centre, wire: wire)
    }

    var payload: [UInt8] {
        let cell = CellID(record.coordinate, level: 16)
        return [UInt8](numbers: [record.id.rawValue, record.owner.rawValue, cell.rawValue])
            + WireBody.encode(record.wire)
    }

    func heard(in turn: inout Turn) -> [Effect] {
        guard case .cell(let cell) = turn.home else { return [] }
        var record = record
        record.wire.cell = cell.token
        turn.objects[record.id] = record
        return [Notes.entered(record)]
    }
}

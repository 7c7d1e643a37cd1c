public import CairnGeo
public import CairnTime
internal import CairnWire

/// A person near by who shares their position.
public struct PresentPerson: Hashable, Sendable, Identifiable {
    /// The same across cells for as long as the other's session lasts.
    public let id: String
    public let name: String
    /// Nil until the first pose has come.
    public internal(set) var pose: PersonPose?
}

/// A person's pose at some time.
public struct PersonPose: Hashable, Sendable {
    public let coordinate: Coordinate
    /// Metres above the ellipsoid; nil = not told, as of all people who share no more than a square of ground.
    public let heightMetres: Double?
    /// Nil = not told, as the height.
    public let orientation: Quaternion?
    /// Nil = unknown.
    public let accuracyMetres: Double?
    /// When the server received it, by our clock and not counting the time under way. A second ago for a person who
    /// shares only a square.
    public let at: MonotonicTime
}

/// The changes of one cell by one batch.
public struct PresenceChange: Hashable, Sendable {
    public let cell: CellID
    public var joined: [PresentPerson] = []
    public var left: [PresentPerson] = []
    /// The people with a new pose, including those who have just joined.
    public var moved: [PresentPerson] = []
    /// Others in the cell who do not share their position, as last told; nil = too few to say.
    public var peopleCount: Int?
}

/// The people who share their position in one cell, by slot.
public struct Roster: Sendable {
    public let cell: CellID
    /// As last told; nil = too few to say.
    public private(set) var peopleCount: Int?
    private var bySlot: [UInt16: PresentPerson] = [:]
    private let plane: LocalPlane

    init(cell: CellID) {
        self.cell = cell
        plane = LocalPlane(origin: cell.centre)
    }

    /// Everybody known in the cell, in no order.
    public var people: some Collection<PresentPerson> { bySlot.values }

    /// Takes a batch in the order that session.proto gives.
    /// - Returns: the changes, and the slots of poses without a person.
    mutating func apply(
        _ batch: borrowing PresenceBatch, now: MonotonicTime
    ) -> (change: PresenceChange, strays: [UInt16]) {
        var change = PresenceChange(cell: cell)
        var before: [UInt16: PresentPerson] = [:]
        if batch.isKeyframe {
            before = bySlot
            bySlot.removeAll(keepingCapacity: true)
            peopleCount = nil
        }
        batch.forEachLeft { slot in
            guard let person = bySlot.removeValue(forKey: slot) else { return }
            change.left.append(person)
        }
        batch.forEachJoined { joined in
            let id = joined.id
            // A keyframe names people again who were here all along.
            let known = before.removeValue(forKey: joined.slot) ?? bySlot[joined.slot]
            if let known, known.id == id {
                bySlot[joined.slot] = known
                return
            }
            if let known { change.left.append(known) }
            let person = PresentPerson(id: id, name: joined.name)
            bySlot[joined.slot] = person
            change.joined.append(person)
        }
        change.left.append(contentsOf: before.values.filter { gone in !change.joined.contains { $0.id == gone.id } })
        var strays: [UInt16] = []
        batch.forEachPose { record in
            guard var person = bySlot[record.slot] else {
                strays.append(record.slot)
                return
            }
            person.pose = pose(record, step: batch.stepMetres, base: batch.baseHeightMetres, now: now)
            bySlot[record.slot] = person
            change.moved.append(person)
        }
        if let count = batch.peopleCount { peopleCount = count == 0 ? nil : count }
        change.peopleCount = peopleCount
        return (change, strays)
    }

    private func pose(_ record: PoseRecord, step: Double, base: Double, now: MonotonicTime) -> PersonPose {
        let isTold = record.orientation != PoseRecord.orientationUntold
        return PersonPose(
            coordinate: plane.coordinate(east: Double(record.east) * step, north: Double(record.north) * step),
            heightMetres: isTold ? base + Double(record.up) * step : nil,
            orientation: isTold ? Quaternion(packed: record.orientation) ?? .identity : nil,
            accuracyMetres: record.accuracy == PoseRecord.accuracyUnknown ? nil : Double(record.accuracy) / 2,
            at: now - .milliseconds(UInt32(record.age) * PoseRecord.ageStepMilliseconds))
    }
}

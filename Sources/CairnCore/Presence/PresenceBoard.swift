public import CairnGeo
public import CairnWire
internal import Foundation

/// Who is in a cell and where: the volatile lane's state of one cell (SES-8, VIS-9).
///
/// Moves only mark a person; a batch is made once per turn of the clock for all who moved since the last, newest pose
/// only. Those who do not share their position are counted and nothing else.
public struct PresenceBoard: Sendable {
    private let cell: CellID
    private let plane: LocalPlane
    private let step: Double
    private let countHiddenBelow: Int
    private var people: [Participant: Entry] = [:]
    private var slots: [SlotState] = []
    private var freeSlots: [UInt16] = []
    private var moved: [UInt16] = []
    private var joined: [UInt16] = []
    private var left: [UInt16] = []
    private var baseHeight: Int32?
    private var toldCount: Int?
    /// Poses that a newer one of the same person replaced before they were told.
    public private(set) var conflated: UInt64 = 0

    private struct Entry: Sendable {
        var slot: UInt16?
    }

    private struct SlotState: Sendable {
        var person: Person?
        var sample: PoseSample?
        var isMarked = false
    }

    /// Somebody in the cell, known to others by `id` and `name` as long as they share their position.
    public struct Person: Sendable {
        public let id: String
        public let name: String
        /// Others see the position on a grid of this many metres; 0 = exactly (PRF-8).
        public let gridMetres: Double

        public init(id: String, name: String, gridMetres: Double) {
            self.id = id
            self.name = name
            self.gridMetres = gridMetres
        }
    }

    public init(cell: CellID, countHiddenBelow: Int) {
        self.cell = cell
        self.countHiddenBelow = countHiddenBelow
        plane = LocalPlane(origin: cell.centre)
        // 16 bits reach 1.5 times as far as the cell's farthest corner, at 1 cm or coarser.
        let corner = cell.vertices.map { $0.distanceMetres(to: cell.centre) }.max() ?? 0
        step = max(0.01, ((corner * 1.5 / 32_767) * 1_000).rounded(.up) / 1_000)
    }

    /// People in the cell, sharing or not.
    public var count: Int { people.count }
    /// Whether a batch would say anything.
    public var isDue: Bool {
        !moved.isEmpty || !joined.isEmpty || !left.isEmpty || toldCount != shownCount
    }

    /// A user is in the cell from now on. `person` is nil when they do not share their position.
    public mutating func enter(_ participant: Participant, as person: Person?, at sample: PoseSample) {
        if people[participant] != nil { leave(participant) }
        guard let person, let slot = takeSlot() else {
            people[participant] = Entry(slot: nil)
            return
        }
        people[participant] = Entry(slot: slot)
        slots[Int(slot)] = SlotState(person: person, sample: nil)
        joined.append(slot)
        place(sample, in: slot)
    }

    /// A user moved within the cell. Unknown participants are ignored: they left while the pose was under way.
    public mutating func move(_ participant: Participant, to sample: PoseSample) {
        guard let slot = people[participant]?.slot else { return }
        place(sample, in: slot)
    }

    /// Somebody came back over another connection before they were missed: nobody else notices.
    public mutating func replace(_ old: Participant, with new: Participant) {
        guard let entry = people.removeValue(forKey: old) else { return }
        people[new] = entry
    }

    public mutating func leave(_ participant: Participant) {
        guard let entry = people.removeValue(forKey: participant) else { return }
        guard let slot = entry.slot else { return }
        slots[Int(slot)] = SlotState()
        if let index = joined.firstIndex(of: slot) {
            // Nobody was told that they came, so nobody is told that they went.
            joined.remove(at: index)
            freeSlots.append(slot)
        } else {
            left.append(slot)
        }
        moved.removeAll { $0 == slot }
    }

    /// Everything that changed since the last batch, and forgets that it did.
    public mutating func takeBatch(now: UInt64) -> WirePresence {
        var batch = heading()
        batch.left = left.map(UInt32.init)
        batch.joined = joined.map(described)
        batch.poses = records(of: moved, now: now)
        if toldCount != shownCount, let count = shownCount { batch.people = UInt32(count) }
        toldCount = shownCount
        for slot in moved { slots[Int(slot)].isMarked = false }
        // A slot rests for one batch before it names somebody else.
        freeSlots.append(contentsOf: left)
        moved.removeAll(keepingCapacity: true)
        joined.removeAll(keepingCapacity: true)
        left.removeAll(keepingCapacity: true)
        return batch
    }

    /// All who share their position, for somebody who just came or who missed batches.
    ///
    /// Those who joined or left since the last batch are told again by the next one; applying both is harmless.
    public func keyframe(now: UInt64) -> WirePresence {
        var batch = heading()
        batch.keyframe = true
        let present = slots.indices.filter { slots[$0].person != nil }.map(UInt16.init)
        batch.joined = present.map(described)
        batch.poses = records(of: present, now: now)
        if let count = shownCount { batch.people = UInt32(count) }
        return batch
    }

    private var shownCount: Int? { people.count >= countHiddenBelow ? people.count : nil }

    private mutating func takeSlot() -> UInt16? {
        if let slot = freeSlots.popLast() { return slot }
        guard slots.count <= Int(UInt16.max) else { return nil }
        slots.append(SlotState())
        return UInt16(slots.count - 1)
    }

    private mutating func place(_ sample: PoseSample, in slot: UInt16) {
        let grid = slots[Int(slot)].person?.gridMetres ?? 0
        var shown = sample
        if grid > 0 { shown.coordinate = snapped(sample.coordinate, toGridMetres: grid) }
        if baseHeight == nil { baseHeight = Int32(clamping: Int64(sample.heightMetres.rounded())) }
        slots[Int(slot)].sample = shown
        if slots[Int(slot)].isMarked {
            conflated += 1
        } else {
            slots[Int(slot)].isMarked = true
            moved.append(slot)
        }
    }

    private func heading() -> WirePresence {
        var batch = WirePresence()
        batch.cell = cell.token
        batch.step = UInt32((step * 1_000).rounded())
        batch.baseHeight = baseHeight ?? 0
        return batch
    }

    private func described(_ slot: UInt16) -> WirePerson {
        var person = WirePerson()
        person.slot = UInt32(slot)
        person.id = slots[Int(slot)].person?.id ?? ""
        person.name = slots[Int(slot)].person?.name ?? ""
        return person
    }

    private func records(of chosen: [UInt16], now: UInt64) -> Data {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(chosen.count * PoseRecord.byteCount)
        for slot in chosen {
            guard let sample = slots[Int(slot)].sample else { continue }
            let (east, north) = plane.metres(of: sample.coordinate)
            PoseRecord(
                slot: slot,
                east: steps(east), north: steps(north), up: steps(sample.heightMetres - Double(baseHeight ?? 0)),
                orientation: sample.orientation,
                age: UInt8(clamping: (now &- min(now, sample.at)) / 4_000),
                accuracy: sample.accuracyMetres.map { UInt8(clamping: Int(min(127, $0) * 2)) } ?? PoseRecord.accuracyUnknown
            ).append(to: &bytes)
        }
        return Data(bytes)
    }

    private func steps(_ metres: Double) -> Int16 {
        Int16(clamping: Int((metres / step).rounded()))
    }
}

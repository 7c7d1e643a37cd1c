public import CairnGeo
public import CairnWire

/// Who is in a cell and where: the volatile lane's state of one cell (SES-8, VIS-9).
///
/// Moves only mark a person; a batch is made once per turn of the clock for all who moved since the last, newest pose
/// only. Those who do not share their position are counted and nothing else.
public struct PresenceBoard: Sendable {
    /// A count of people below this is not told (VIS-9).
    public var countHiddenBelow: Int
    let frame: CellFrame
    private var people: [Participant: Entry] = [:]
    var slots: [SlotState] = []
    private var freeSlots: [UInt16] = []
    var moved: [UInt16] = []
    private var joined: [UInt16] = []
    private var left: [UInt16] = []
    /// What heights of the batch at hand count from, metres.
    private var baseHeight: Int32 = 0
    private var toldCount = 0
    /// A keyframe told another count than the last batch: those who got it must hear the next one, whatever it is.
    private var isCountSplit = false
    /// People who share their position.
    public private(set) var sharing = 0
    /// Entries of people who are shown in another cell.
    private var watching = 0
    /// People per group of receivers, sharing or not.
    private(set) var groupPopulation = [Int32](repeating: 0, count: CellFrame.groupCount)
    /// Where each block's view of those at the edge of what fits, and of the far crowd, goes on with the next batch;
    /// empty before the first crowd.
    var nearCursors: [Int] = []
    var farCursors: [Int] = []
    /// People whose pose somebody was spared, and the slot from which on the next of them is looked for.
    var owed = 0
    var owedNext = 0
    /// Poses that a newer one of the same person replaced before they were told.
    public private(set) var conflated: UInt64 = 0

    private struct Entry: Sendable {
        var slot: UInt16?
        /// The group of receivers that the person belongs to: the block of ground that they stand on.
        var group: UInt16
        /// Whether others see or count them here.
        var isHere = true
    }

    struct SlotState: Sendable {
        var person: Person?
        var sample: PoseSample?
        var group: UInt16 = CellFrame.outside
        var isMarked = false
        /// Somebody was spared the pose, and has not been told since where they stand.
        var isOwed = false
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

    /// - Parameter countHiddenBelow: a count of people below this is not told (VIS-9).
    public init(cell: CellID, countHiddenBelow: Int) {
        self.countHiddenBelow = countHiddenBelow
        frame = CellFrame(cell: cell)
    }

    /// People in the cell, sharing or not.
    public var count: Int { people.count - watching }
    /// Whether a batch would say anything.
    public var isDue: Bool {
        !moved.isEmpty || owed > 0 || hasRosterNews
    }

    var hasRosterNews: Bool { !joined.isEmpty || !left.isEmpty || toldCount != shownCount || isCountSplit }

    /// The group of receivers that somebody who follows the cell belongs to.
    public func group(of participant: Participant) -> UInt16 { people[participant]?.group ?? CellFrame.outside }

    // MARK: Who is here

    /// A user is in the cell from now on. `person` is nil when they do not share their position.
    public mutating func enter(_ participant: Participant, as person: Person?, at sample: PoseSample) {
        if people[participant] != nil { leave(participant) }
        let group = frame.group(of: sample.coordinate)
        groupPopulation[Int(group)] += 1
        guard let person, let slot = takeSlot() else {
            people[participant] = Entry(slot: nil, group: group)
            return
        }
        people[participant] = Entry(slot: slot, group: group)
        slots[Int(slot)] = SlotState(person: person)
        sharing += 1
        joined.append(slot)
        place(sample, in: slot)
    }

    /// A user moved within the cell. Unknown participants are ignored: they left while the pose was under way.
    /// - Returns: the group of receivers that they belong to from now on, when it is another.
    @discardableResult
    public mutating func move(_ participant: Participant, to sample: PoseSample) -> UInt16? {
        guard let entry = people[participant] else { return nil }
        if let slot = entry.slot { place(sample, in: slot) }
        let group = frame.group(of: sample.coordinate)
        guard group != entry.group else { return nil }
        people[participant]?.group = group
        groupPopulation[Int(entry.group)] -= 1
        groupPopulation[Int(group)] += 1
        return group
    }

    /// A user stands in the cell and is shown in another: where they stand decides what they are told, and nobody here
    /// is told of them or counts them.
    /// - Returns: the group of receivers that they belong to from now on, when it is another.
    public mutating func watch(_ participant: Participant, from sample: PoseSample) -> UInt16? {
        if people[participant]?.isHere == true { leave(participant) }
        guard people[participant] == nil else { return move(participant, to: sample) }
        let group = frame.group(of: sample.coordinate)
        people[participant] = Entry(slot: nil, group: group, isHere: false)
        groupPopulation[Int(group)] += 1
        watching += 1
        return group
    }

    /// Somebody came back over another connection before they were missed: nobody else notices.
    public mutating func replace(_ old: Participant, with new: Participant) {
        guard let entry = people.removeValue(forKey: old) else { return }
        people[new] = entry
    }

    /// A user is gone from the cell: the next batch names their slot as left. Unknown participants are ignored.
    public mutating func leave(_ participant: Participant) {
        guard let entry = people.removeValue(forKey: participant) else { return }
        groupPopulation[Int(entry.group)] -= 1
        if !entry.isHere { watching -= 1 }
        guard let slot = entry.slot else { return }
        if slots[Int(slot)].isOwed { owed -= 1 }
        slots[Int(slot)] = SlotState()
        sharing -= 1
        // Told even when no batch has named them: a keyframe may have.
        joined.removeAll { $0 == slot }
        left.append(slot)
        moved.removeAll { $0 == slot }
    }

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
        slots[Int(slot)].sample = shown
        slots[Int(slot)].group = frame.group(of: shown.coordinate)
        if slots[Int(slot)].isMarked {
            conflated += 1
        } else {
            slots[Int(slot)].isMarked = true
            moved.append(slot)
        }
    }

    // MARK: What to tell

    /// Before each batch: the middle of some people's heights, so that one who is far up or down, or says so, is cut
    /// off at what a record holds and nobody else is.
    mutating func settleBaseHeight() {
        let heights = stride(from: 0, to: slots.count, by: slots.count / 9 + 1)
            .compactMap { slots[$0].sample?.heightMetres }.sorted()
        guard !heights.isEmpty else { return }
        baseHeight = Int32(heights[heights.count / 2].rounded())
    }

    /// Everything that changed since the last batch, and forgets that it did.
    public mutating func takeBatch(now: UInt64) -> WirePresence {
        settleBaseHeight()
        var batch = takeRoster()
        // After a crowd, whatever anybody was spared.
        batch.poses = bytes(of: owed > 0 ? slots.indices.map(UInt16.init) : moved, now: now)
        forgetMoves()
        _ = takeOwed(max: owed) { _ in true }
        return batch
    }

    /// All who share their position, for somebody who just came or who missed batches.
    ///
    /// Those who joined or left since the last batch are told again by the next one; applying both is harmless. So a
    /// keyframe is good for everybody who comes before the next batch.
    public mutating func keyframe(now: UInt64) -> WirePresence {
        if toldCount != shownCount { isCountSplit = true }
        settleBaseHeight()
        var batch = heading()
        batch.keyframe = true
        let present = slots.indices.filter { slots[$0].person != nil }.map(UInt16.init)
        batch.joined = present.map(described)
        batch.poses = bytes(of: present, now: now)
        batch.people = UInt32(shownCount)
        batch.originLat = frame.origin.latitude
        batch.originLon = frame.origin.longitude
        return batch
    }

    /// Who came, who went and how many there are, and forgets that it changed.
    mutating func takeRoster() -> WirePresence {
        var batch = heading()
        batch.left = left.map(UInt32.init)
        batch.joined = joined.map(described)
        if toldCount != shownCount || isCountSplit { batch.people = UInt32(shownCount) }
        toldCount = shownCount
        isCountSplit = false
        // A slot rests for one batch before it names somebody else.
        freeSlots.append(contentsOf: left)
        joined.removeAll(keepingCapacity: true)
        left.removeAll(keepingCapacity: true)
        return batch
    }

    mutating func forgetMoves() {
        for slot in moved { slots[Int(slot)].isMarked = false }
        moved.removeAll(keepingCapacity: true)
    }

    func heading() -> WirePresence {
        var batch = WirePresence()
        batch.cell = frame.token
        batch.step = frame.stepMillimetres
        batch.baseHeight = baseHeight
        return batch
    }

    /// The record of somebody's newest pose; nil when there is none.
    func record(of slot: UInt16, now: UInt64) -> PoseRecord? {
        slots[Int(slot)].sample.map { frame.record(of: $0, slot: slot, baseHeight: baseHeight, now: now) }
    }

    private var shownCount: Int { count >= countHiddenBelow ? count : 0 }

    private func described(_ slot: UInt16) -> WirePerson {
        var person = WirePerson()
        person.slot = UInt32(slot)
        person.id = slots[Int(slot)].person?.id ?? ""
        person.name = slots[Int(slot)].person?.name ?? ""
        return person
    }
}

public import CairnGeo
public import CairnTime
public import CairnWire

/// The people in a cell and their positions: the volatile lane's state of one cell (SES-8, VIS-9).
///
/// A move only marks a person. Each batch has all people who moved since the last one, with the newest pose of each.
/// People who do not share their position are only counted. Of people who share it roughly, receivers learn the square
/// and nothing finer, and only when the square changes (PRF-8).
public struct PresenceBoard: Sendable {
    /// The count of people who do not share their position.
    public private(set) var hidden: HiddenCount
    let frame: CellFrame
    private var people: [Participant: Entry] = [:]
    var slots: [SlotState] = []
    /// The account of each slot. Apart from the slots, because a search for an account reads all of it.
    private var owners: [AccountID] = []
    /// The owner of a free slot.
    private static let noOwner = AccountID(rawValue: 0)
    private var freeSlots: [UInt16] = []
    var moved: [UInt16] = []
    private var joined: [UInt16] = []
    private var left: [Departure] = []
    /// The height in metres that records of the current batch are relative to.
    private var baseHeight: Int32 = 0
    /// Whether a keyframe or a batch has had a base height, and whether all receivers have been sent the present one.
    private var hasBaseHeight = false
    private var allKnowBaseHeight = false
    /// Whether some receiver of the last `takeBatch` may not know its base height.
    public private(set) var isBaseNew = false
    /// People who share their position.
    public private(set) var sharing = 0
    /// Entries of people who are shown in another cell.
    private var watching = 0
    /// People per group of receivers, sharing or not. Empty until a person is here: of the cells in view most are,
    /// and it is a kilobyte.
    private var groupPopulation: [Int32] = []
    /// For each group of receivers, where its turns continue. Empty before poses were left out for the first time.
    var turns: [Turns] = []
    /// The newest poses that some receivers were not sent.
    var untold = UntoldPoses()
    /// How fast people move, on average, in metres a second.
    var usualSpeed = 0.0
    /// When the newest sample was accepted.
    private var newestAt: MonotonicTime = .epoch
    /// The newest pose, by its person's rhythm; nil = taken.
    var arrival: PoseArrival?
    /// Poses that were replaced by a newer one of the same person before they were sent.
    public private(set) var conflated: UInt64 = 0

    /// A slot that a person has left, and whose it was.
    private struct Departure: Sendable {
        let slot: UInt16
        let account: AccountID
    }

    private struct Entry: Sendable {
        let account: AccountID
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
        /// The person shares no more than a square of the grid.
        var isRough = false
        /// The person moves much faster than others.
        var isFast = false
        /// Time between the last two samples.
        var pause: Duration = .milliseconds(250)
        var rhythm = PoseRhythm()
    }

    /// Where the turns of a group of receivers continue in what does not fit.
    struct Turns: Sendable {
        /// The record of the first ring of blocks that does not fit.
        var near = 0
        /// The record of the blocks beyond it.
        var far = 0
        /// The slot of those that were left out before.
        var older = 0
    }

    /// A person in the cell. Others see `id` and `name` while the person shares the position.
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

    /// - Parameter countHiddenBelow: a lower count of people is sent as 0 (VIS-9).
    public init(cell: CellID, countHiddenBelow: Int) {
        hidden = HiddenCount(hiddenBelow: countHiddenBelow)
        frame = CellFrame(cell: cell)
    }

    /// Sets the threshold below which the count of people is sent as 0 (VIS-9).
    public mutating func hideCounts(below count: Int) { hidden.hiddenBelow = count }

    /// People in the cell, sharing or not.
    public var count: Int { people.count - watching }
    /// Whether there is a change for a batch.
    public var isDue: Bool { hasNewsOfPeople || hidden.hasNews }
    /// Whether there is a change for a batch beside the count.
    public var hasNewsOfPeople: Bool { !moved.isEmpty || !untold.isEmpty || hasRosterNews }
    /// People who have moved since the last batch.
    public var movedCount: Int { moved.count }

    /// Whether a batch may be for all receivers alike: everybody has been sent everything, and so many poses fit.
    public func fits(posesMax: Int) -> Bool { untold.isEmpty && moved.count <= posesMax }

    /// Whether all news is of people who have come since the last batch. A change of the count may be beside it.
    public var hasNewsOfNewcomersOnly: Bool {
        moved.count == joined.count && left.isEmpty && untold.isEmpty
    }

    var hasRosterNews: Bool { !joined.isEmpty || !left.isEmpty }

    /// The group of receivers that a follower of the cell belongs to.
    public func group(of participant: Participant) -> UInt16 { people[participant]?.group ?? CellFrame.outside }

    func hasPeople(inGroup group: Int) -> Bool { !groupPopulation.isEmpty && groupPopulation[group] > 0 }

    // MARK: People in the cell

    /// The slots of these people, and those that they have left since the last batch.
    public func slots(of accounts: Set<AccountID>) -> Set<UInt16> {
        guard !accounts.isEmpty else { return [] }
        var found = Set(left.lazy.filter { accounts.contains($0.account) }.map(\.slot))
        let present = Few(accounts.filter(hidden.isHere))
        guard !present.isEmpty else { return found }
        for slot in owners.indices where present.contains(owners[slot]) { found.insert(UInt16(slot)) }
        return found
    }

    /// Adds a user to the cell.
    /// - Parameters:
    ///   - person: nil when they do not share their position.
    ///   - sample: the position that others may see: at the person's `CoarsePlace`, if they share no more.
    ///   - standing: the place of the receiver, which decides which poses of a crowd they get.
    public mutating func enter(
        _ participant: Participant, of account: AccountID, as person: Person?, at sample: PoseSample,
        standing: Coordinate
    ) {
        if people[participant] != nil { leave(participant) }
        let group = frame.group(of: standing)
        cross(participant, from: CellFrame.outside, to: group)
        guard let person, let slot = takeSlot() else {
            people[participant] = Entry(account: account, slot: nil, group: group)
            hidden.enter(account, isHidden: true)
            return
        }
        people[participant] = Entry(account: account, slot: slot, group: group)
        hidden.enter(account, isHidden: false)
        slots[Int(slot)] = SlotState(person: person, isRough: person.gridMetres > 0)
        owners[Int(slot)] = account
        sharing += 1
        joined.append(slot)
        place(sample, in: slot)
    }

    /// Moves a user within the cell. Unknown participants are ignored: they left while the pose was under way.
    /// - Parameters: as for `enter`.
    /// - Returns: the group of receivers that they belong to from now on, when it is another.
    @discardableResult
    public mutating func move(
        _ participant: Participant, to sample: PoseSample, standing: Coordinate
    ) -> UInt16? {
        guard let entry = people[participant] else { return nil }
        if let slot = entry.slot { place(sample, in: slot) }
        return regroup(participant, entry, standing: standing)
    }

    private mutating func regroup(_ participant: Participant, _ entry: Entry, standing: Coordinate) -> UInt16? {
        let group = frame.group(of: standing)
        guard group != entry.group else { return nil }
        people[participant]?.group = group
        cross(participant, from: entry.group, to: group)
        return group
    }

    /// A receiver goes from one group to another. Those who are in the cell count as its population.
    private mutating func cross(_ receiver: Participant, from old: UInt16, to new: UInt16) {
        if groupPopulation.isEmpty { groupPopulation = Array(repeating: 0, count: CellFrame.groupCount) }
        let isFirst = new != CellFrame.outside && groupPopulation[Int(new)] == 0
        untold.cross(receiver, from: Int(old), to: Int(new), isFirst: isFirst, now: newestAt)
        if old != CellFrame.outside { groupPopulation[Int(old)] -= 1 }
        if new != CellFrame.outside { groupPopulation[Int(new)] += 1 }
    }

    /// Has receivers who crossed a while ago sent what they missed.
    mutating func settleCrossings(now: MonotonicTime) {
        untold.settle(now: now) { [people] in
            people[$0]?.group ?? CellFrame.outside
        } isNewer: { [slots] slot, time in
            slots[Int(slot)].sample.map { $0.at > time } ?? true
        }
    }

    /// Adds a user who stands in this cell and is shown in another one. The place decides which poses of this cell the
    /// user receives. Receivers of this cell neither see nor count the user.
    /// - Returns: the group of receivers that they belong to from now on, when it is another.
    public mutating func watch(
        _ participant: Participant, of account: AccountID, standing: Coordinate
    ) -> UInt16? {
        if people[participant]?.isHere == true { leave(participant) }
        if let entry = people[participant] { return regroup(participant, entry, standing: standing) }
        let group = frame.group(of: standing)
        people[participant] = Entry(account: account, slot: nil, group: group, isHere: false)
        cross(participant, from: CellFrame.outside, to: group)
        watching += 1
        return group
    }

    /// A person has reconnected within the grace period: others notice nothing.
    public mutating func replace(_ old: Participant, with new: Participant) {
        guard let entry = people.removeValue(forKey: old) else { return }
        people[new] = entry
    }

    /// Removes a user from the cell: the next batch names the slot as left. Unknown participants are ignored.
    public mutating func leave(_ participant: Participant) {
        guard let entry = people.removeValue(forKey: participant) else { return }
        cross(participant, from: entry.group, to: CellFrame.outside)
        guard entry.isHere else {
            watching -= 1
            return
        }
        hidden.leave(entry.account, isHidden: entry.slot == nil)
        guard let slot = entry.slot else { return }
        untold.remove(slot)
        slots[Int(slot)] = SlotState()
        owners[Int(slot)] = Self.noOwner
        sharing -= 1
        // The slot is sent as left even if no batch has named the person, because a keyframe may have.
        joined.removeAll { $0 == slot }
        left.append(Departure(slot: slot, account: entry.account))
        moved.removeAll { $0 == slot }
    }

    private mutating func takeSlot() -> UInt16? {
        if let slot = freeSlots.popLast() { return slot }
        guard slots.count <= Int(UInt16.max) else { return nil }
        slots.append(SlotState())
        owners.append(Self.noOwner)
        return UInt16(slots.count - 1)
    }

    private mutating func place(_ sample: PoseSample, in slot: UInt16) {
        // A move within the square changes nothing for receivers: neither the place nor the time is sent.
        if slots[Int(slot)].isRough, slots[Int(slot)].sample?.coordinate == sample.coordinate { return }
        notePace(of: slot, to: sample)
        newestAt = max(newestAt, sample.at)
        slots[Int(slot)].sample = sample
        slots[Int(slot)].group = frame.group(of: sample.coordinate)
        if slots[Int(slot)].isMarked {
            conflated += 1
        } else {
            slots[Int(slot)].isMarked = true
            moved.append(slot)
        }
    }

    // MARK: Batches and keyframes

    /// Sets the base height before each batch: the median of some people's heights. A person far above or below it, or
    /// with a false height, is clamped to a record's range; no one else is affected.
    mutating func updateBaseHeight() {
        let heights = stride(from: 0, to: slots.count, by: slots.count / 9 + 1)
            .compactMap { slots[$0].isRough ? nil : slots[$0].sample?.heightMetres }.sorted()
        guard !heights.isEmpty else { return }
        let height = Int32(heights[heights.count / 2].rounded())
        if height != baseHeight || !hasBaseHeight { allKnowBaseHeight = false }
        (baseHeight, hasBaseHeight) = (height, true)
    }

    /// A batch in the short form; nil = it holds more than poses.
    /// - Parameter withBase: whether some receiver may not know the base height.
    public func short(_ batch: WirePresence, withBase: Bool) -> WirePresence? {
        guard !batch.keyframe, batch.joined.isEmpty, batch.left.isEmpty, !batch.hasPeople, !batch.poses.isEmpty else {
            return nil
        }
        var short = WirePresence()
        short.number = frame.number
        short.poses = batch.poses
        if withBase { short.base = batch.baseHeight }
        return short
    }

    /// Takes the batch for all receivers alike: everybody who moved, joined or left since the last one. Only while
    /// `fits`.
    public mutating func takeBatch(now: MonotonicTime) -> WirePresence {
        updateBaseHeight()
        (isBaseNew, allKnowBaseHeight) = (!allKnowBaseHeight, true)
        var batch = takeRoster()
        // After a crowd, all pending resends go out at once.
        batch.poses = bytes(of: moved, now: now)
        forgetMoves()
        return batch
    }

    /// Makes a keyframe: everybody who shares their position, for a receiver who is new or missed batches.
    ///
    /// The next batch repeats the people who joined or left since the last one; applying both is harmless. So one
    /// keyframe serves all receivers that come before the next batch and get the same count.
    /// - Parameters:
    ///   - people: `HiddenCount.lastTold(to:)` the receiver.
    ///   - absent: the slots of people who are absent for the receiver.
    public mutating func keyframe(now: MonotonicTime, people: Int, without absent: Set<UInt16> = []) -> WirePresence {
        // Those who have been here know the present one.
        if !hasBaseHeight { updateBaseHeight() }
        var batch = heading()
        batch.keyframe = true
        let present = slots.indices.filter { slots[$0].person != nil }.map(UInt16.init).filter { !absent.contains($0) }
        batch.joined = present.map(described)
        batch.poses = bytes(of: present, now: now)
        batch.people = UInt32(people)
        batch.originLat = frame.origin.latitude
        batch.originLon = frame.origin.longitude
        return batch
    }

    /// Removes and returns the change of the count since it was last sent; nil = unchanged for every receiver.
    public mutating func takeCountNews() -> HiddenCount.News? { hidden.takeNews() }

    /// A batch that contains a count only.
    public func batch(people: Int) -> WirePresence {
        var batch = WirePresence()
        batch.cell = frame.token
        batch.people = UInt32(people)
        return batch
    }

    /// Takes the roster's changes since the last batch: who came and who left.
    mutating func takeRoster() -> WirePresence {
        var batch = heading()
        batch.left = left.map { UInt32($0.slot) }
        batch.joined = joined.map(described)
        // A slot is unused for one batch before it stands for another person.
        freeSlots.append(contentsOf: left.map(\.slot))
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

    /// The record of the newest pose in a slot; nil when there is none.
    func record(of slot: UInt16, now: MonotonicTime) -> PoseRecord? {
        guard let sample = slots[Int(slot)].sample else { return nil }
        if slots[Int(slot)].isRough { return frame.roughRecord(of: sample, slot: slot) }
        return frame.record(of: sample, slot: slot, baseHeight: baseHeight, now: now)
    }

    func described(_ slot: UInt16) -> WirePerson {
        var person = WirePerson()
        person.slot = UInt32(slot)
        person.id = slots[Int(slot)].person?.id ?? ""
        person.name = slots[Int(slot)].person?.name ?? ""
        return person
    }
}

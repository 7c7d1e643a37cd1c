public import CairnGeo
public import CairnTime
public import CairnWire

/// The people in a cell and their positions: the volatile lane's state of one cell (SES-8, VIS-9).
///
/// A move only marks a person. Each tick makes one batch of everybody who moved since the last one, with the newest
/// pose of each. People who do not share their position are only counted. Of people who share it roughly, receivers
/// learn the square and nothing finer, and only when the square changes (PRF-8).
public struct PresenceBoard: Sendable {
    /// The count of people who do not share their position.
    public private(set) var hidden: HiddenCount
    let frame: CellFrame
    private var people: [Participant: Entry] = [:]
    var slots: [SlotState] = []
    /// Whose each slot is. Beside the slots, because looking for somebody reads all of it.
    private var owners: [AccountID] = []
    private static let nobody = AccountID(rawValue: 0)
    private var freeSlots: [UInt16] = []
    var moved: [UInt16] = []
    private var joined: [UInt16] = []
    private var left: [Departure] = []
    /// The height in metres that records of the current batch are relative to.
    private var baseHeight: Int32 = 0
    /// People who share their position.
    public private(set) var sharing = 0
    /// Entries of people who are shown in another cell.
    private var watching = 0
    /// People per group of receivers, sharing or not.
    private(set) var groupPopulation = [Int32](repeating: 0, count: CellFrame.groupCount)
    /// For each group of receivers, the record at which the next batch continues: `nearCursors` in the first ring that
    /// does not fit, `farCursors` in the blocks beyond it. Empty before the first crowd.
    var nearCursors: [Int] = []
    var farCursors: [Int] = []
    /// Count of people with a pending resend: some receiver was not sent their newest pose.
    var pendingResends = 0
    /// The slot where the next scan for pending resends starts.
    var nextResend = 0
    /// Poses that were replaced by a newer one of the same person before they were sent.
    public private(set) var conflated: UInt64 = 0

    /// Who was in a slot.
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
        /// Some receiver was not sent the newest pose, and has not been sent it since.
        var isResendPending = false
        /// The person shares no more than a square of the grid.
        var isRough = false
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
    public var hasNewsOfPeople: Bool { !moved.isEmpty || pendingResends > 0 || hasRosterNews }

    /// Whether all news is of people who have come since the last batch. A change of the count may be beside it.
    public var hasNewsOfNewcomersOnly: Bool {
        moved.count == joined.count && left.isEmpty && pendingResends == 0
    }

    var hasRosterNews: Bool { !joined.isEmpty || !left.isEmpty }

    /// The group of receivers that a follower of the cell belongs to.
    public func group(of participant: Participant) -> UInt16 { people[participant]?.group ?? CellFrame.outside }

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
        groupPopulation[Int(group)] += 1
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
        groupPopulation[Int(entry.group)] -= 1
        groupPopulation[Int(group)] += 1
        return group
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
        groupPopulation[Int(group)] += 1
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
        groupPopulation[Int(entry.group)] -= 1
        guard entry.isHere else {
            watching -= 1
            return
        }
        hidden.leave(entry.account, isHidden: entry.slot == nil)
        guard let slot = entry.slot else { return }
        if slots[Int(slot)].isResendPending { pendingResends -= 1 }
        slots[Int(slot)] = SlotState()
        owners[Int(slot)] = Self.nobody
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
        owners.append(Self.nobody)
        return UInt16(slots.count - 1)
    }

    private mutating func place(_ sample: PoseSample, in slot: UInt16) {
        // A move within the square changes nothing for receivers: neither the place nor the time is sent.
        if slots[Int(slot)].isRough, slots[Int(slot)].sample?.coordinate == sample.coordinate { return }
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
        baseHeight = Int32(heights[heights.count / 2].rounded())
    }

    /// Takes the batch: everybody who moved, joined or left since the last one.
    public mutating func takeBatch(now: MonotonicTime) -> WirePresence {
        updateBaseHeight()
        var batch = takeRoster()
        // After a crowd, all pending resends go out at once.
        batch.poses = bytes(of: pendingResends > 0 ? slots.indices.map(UInt16.init) : moved, now: now)
        forgetMoves()
        _ = takePendingResends(max: pendingResends) { _ in true }
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
        updateBaseHeight()
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

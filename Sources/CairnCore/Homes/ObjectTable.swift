public import CairnGeo
public import CairnWire
internal import DequeModule

/// The instances of one home, as they will be when all writes under way have committed, and as they are on disk.
///
/// Rules check the former (`subscript`), readers get the latter (`kept`): invariant 4.
public struct ObjectTable: Sendable {
    private var records: [InstanceID: ObjectRecord] = [:]
    private var livePerOwner: [Holding: Int] = [:]
    private var livePerKind: [ObjectKind: Int] = [:]
    /// Every record with writes under way: its version on disk, and the version of each turn that has changed it.
    private var unsettled: [InstanceID: Unsettled] = [:]
    /// Those turns in order, so that the cost of `settle` depends only on the settled turns.
    private var unsettledTurns: Deque<(turn: UInt64, id: InstanceID)> = []
    /// When instances expire, for each kind.
    private var endings: [ObjectKind: EndingOrder] = [:]
    /// The new cells of instances that have recently moved away; the oldest entries are dropped first.
    private var departures: Deque<(id: InstanceID, owner: AccountID, cell: CellID)> = []
    private static let departuresMax = 1_024
    /// The instances that have recently expired here; the oldest entries are dropped first.
    private var ended: Deque<(id: InstanceID, owner: AccountID, audience: Audience)> = []
    private static let endedMax = 1_024
    /// The turn under way. Changes of turn 0, which restores the home, are on disk already.
    var turn: UInt64 = 0

    /// The instances of one account and kind.
    private struct Holding: Hashable {
        let owner: AccountID
        let kind: ObjectKind
    }

    public var count: Int { records.count }
    public var ids: some Collection<InstanceID> { records.keys }

    /// Number of live instances of a kind that an account has here (PLC-5).
    public func liveCount(of owner: AccountID, _ kind: ObjectKind = .object) -> Int {
        livePerOwner[Holding(owner: owner, kind: kind)] ?? 0
    }

    /// Number of instances of a kind.
    public func count(of kind: ObjectKind) -> Int { livePerKind[kind] ?? 0 }

    /// The instance of this id if it is of this kind, as it will be when all writes under way have committed.
    public func record(_ id: InstanceID?, _ kind: ObjectKind) -> ObjectRecord? {
        guard let id, let record = records[id], record.kind == kind else { return nil }
        return record
    }

    public subscript(id: InstanceID) -> ObjectRecord? {
        get { records[id] }
        set {
            let before = records[id]
            if turn > 0 {
                unsettled[id, default: Unsettled(kept: before)].note(newValue, turn: turn)
                unsettledTurns.append((turn, id))
            }
            put(newValue, at: id, inPlaceOf: before)
        }
    }

    private mutating func put(_ record: ObjectRecord?, at id: InstanceID, inPlaceOf before: ObjectRecord?) {
        if let before { count(before, -1) }
        if let record {
            count(record, 1)
            if let ends = record.ends, ends != before?.ends {
                endings[record.kind, default: EndingOrder()].insert(id, ends: ends)
            }
        }
        records[id] = record
    }

    /// The cell to which an account's own instance has moved from here, as long as the entry is kept.
    public func destination(of id: InstanceID, ownedBy owner: AccountID) -> CellID? {
        departures.last { $0.id == id && $0.owner == owner }?.cell
    }

    /// The refusal for an instance that is not here: its owner learns its new cell, others get `not_found`.
    public func absence(of id: InstanceID?, for account: AccountID, component: String) -> Refusal {
        guard let id, let cell = destination(of: id, ownedBy: account) else {
            return Self.absence(component: component)
        }
        return Self.absence(movedTo: cell, component: component)
    }

    /// `not_found`, the same for an instance that never existed, is out of view or is gone.
    public static func absence(component: String) -> Refusal {
        Refusal(.notFound, "no such instance in this cell", component: component)
    }

    /// The refusal for an instance that has moved: it names the new cell to the owner.
    public static func absence(movedTo cell: CellID, component: String) -> Refusal {
        Refusal(.notFound, "the instance is in cell \(cell) now", component: component, details: ["cell": cell.token])
    }

    /// Removes an instance that lives in another cell now.
    public mutating func depart(_ id: InstanceID, to cell: CellID) {
        guard let owner = self[id]?.owner else { return }
        self[id] = nil
        departures.append((id, owner, cell))
        if departures.count > Self.departuresMax { departures.removeFirst() }
    }

    /// Drops the entry of an instance that has come back.
    public mutating func forgetDeparture(of id: InstanceID) {
        departures.removeAll { $0.id == id }
    }

    /// Removes and returns up to `max` expired instances of a kind, earliest end first.
    public mutating func takeEnded(_ kind: ObjectKind, by time: LastingTime, max: Int) -> [ObjectRecord] {
        var taken: [ObjectRecord] = []
        while taken.count < max, let ending = endings[kind]?.takeFirst(by: time) {
            guard let record = records[ending.id], record.ends == ending.ends else { continue }
            self[ending.id] = nil
            remember(endOf: record)
            taken.append(record)
        }
        return taken
    }

    /// When the next instance of a kind expires; nil = no instance expires.
    public func nextEnd(of kind: ObjectKind) -> LastingTime? {
        endings[kind]?.first { records[$0.id]?.ends == $0.ends }?.ends
    }

    /// Notes an instance that expired before the home woke.
    public mutating func remember(endOf record: ObjectRecord) {
        ended.append((record.id, record.owner, record.audience))
        if ended.count > Self.endedMax { ended.removeFirst() }
    }

    /// Whether an instance that the sender was able to see has expired, as long as the entry is kept.
    public func hasEnded(_ id: InstanceID?, for sender: Sender) -> Bool {
        guard let id, let last = ended.last(where: { $0.id == id }) else { return false }
        return sender.sees(last.audience, of: last.owner)
    }

    /// An account's instances here, as they are on disk, in no order. Scans the table if the account has any.
    public func kept(of owner: AccountID) -> [ObjectRecord] {
        guard livePerKind.keys.contains(where: { liveCount(of: owner, $0) > 0 }) else { return [] }
        return records.keys.compactMap(kept).filter { $0.owner == owner }
    }

    /// All instances in a scope, as they are on disk, in no order.
    func kept(in scope: Scope) -> [ObjectRecord] {
        let settled = records.values.lazy.filter { unsettled[$0.id] == nil }
        let others = unsettled.values.lazy.compactMap(\.kept)
        return (Array(settled) + others).filter { $0.audience.scopes.contains(scope) }
    }

    /// All instances of a kind that a sender sees, as they are on disk, in no order.
    public func kept(_ kind: ObjectKind, seenBy sender: Sender) -> [ObjectRecord] {
        let settled = records.values.lazy.filter { unsettled[$0.id] == nil }
        let others = unsettled.values.lazy.compactMap(\.kept)
        return (Array(settled) + others).filter { $0.kind == kind && $0.isSeen(by: sender) }
    }

    /// The record as it is on disk, if it is of this kind.
    public func kept(_ id: InstanceID?, _ kind: ObjectKind) -> ObjectRecord? {
        guard let id, let record = kept(id), record.kind == kind else { return nil }
        return record
    }

    /// The record as it is on disk.
    public func kept(_ id: InstanceID) -> ObjectRecord? {
        if let entry = unsettled[id] { return entry.kept }
        return records[id]
    }

    /// The writes of all turns up to and including this one are on disk.
    mutating func settle(through turn: UInt64) {
        while let first = unsettledTurns.first, first.turn <= turn {
            unsettledTurns.removeFirst()
            // One that was changed in several of these turns has settled with the first of them.
            guard let index = unsettled.index(forKey: first.id) else { continue }
            unsettled.values[index].settle(through: turn)
            if unsettled.values[index].later.isEmpty { unsettled.remove(at: index) }
        }
    }

    /// Reverts the changes of this turn and of all later ones, whose writes will never be on disk.
    mutating func revert(from turn: UInt64) {
        while let last = unsettledTurns.last, last.turn >= turn {
            unsettledTurns.removeLast()
            // One that was changed in several of these turns was put back with the last of them.
            guard let index = unsettled.index(forKey: last.id) else { continue }
            unsettled.values[index].revert(from: turn)
            put(unsettled.values[index].newest, at: last.id, inPlaceOf: records[last.id])
            if unsettled.values[index].later.isEmpty { unsettled.remove(at: index) }
        }
    }

    private mutating func count(_ record: ObjectRecord, _ change: Int) {
        let holding = Holding(owner: record.owner, kind: record.kind)
        let live = livePerOwner[holding, default: 0] + change
        livePerOwner[holding] = live > 0 ? live : nil
        livePerKind[record.kind, default: 0] += change
    }
}

/// The ends of instances, the earliest first. The entry of an instance that is gone, or that now ends at another time,
/// stays until its time: an entry is valid only if its instance has the same end.
private struct EndingOrder: Sendable {
    private var entries: Deque<(ends: LastingTime, id: InstanceID)> = []

    /// Ends mostly arrive in order, so the insertion point is searched from the back.
    mutating func insert(_ id: InstanceID, ends: LastingTime) {
        var index = entries.count
        if let last = entries.last, last.ends > ends { index = place(of: ends) }
        entries.insert((ends, id), at: index)
    }

    /// The first index whose end is later.
    private func place(of ends: LastingTime) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].ends > ends { high = middle } else { low = middle + 1 }
        }
        return low
    }

    mutating func takeFirst(by time: LastingTime) -> (ends: LastingTime, id: InstanceID)? {
        guard let first = entries.first, first.ends <= time else { return nil }
        return entries.removeFirst()
    }

    func first(where matches: ((ends: LastingTime, id: InstanceID)) -> Bool) -> (ends: LastingTime, id: InstanceID)? {
        entries.first(where: matches)
    }
}

/// A record on disk, and its later versions that are not on disk yet.
private struct Unsettled {
    var kept: ObjectRecord?
    var later: Deque<(turn: UInt64, record: ObjectRecord?)> = []

    init(kept: ObjectRecord?) {
        self.kept = kept
    }

    mutating func note(_ record: ObjectRecord?, turn: UInt64) {
        if later.last?.turn == turn { later.removeLast() }
        later.append((turn, record))
    }

    mutating func settle(through turn: UInt64) {
        while let first = later.first, first.turn <= turn {
            kept = first.record
            later.removeFirst()
        }
    }

    /// The newest version of the record.
    var newest: ObjectRecord? { later.isEmpty ? kept : later[later.count - 1].record }

    mutating func revert(from turn: UInt64) {
        while let last = later.last, last.turn >= turn { later.removeLast() }
    }
}

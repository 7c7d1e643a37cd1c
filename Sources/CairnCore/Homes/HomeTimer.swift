/// Work that a home does at a given time. It is a row from the commit of the turn that sets it until it is done.
///
/// `Effect.wake` sets a timer and `Effect.cancel` cancels it. A sleeping home is woken within a second of the time,
/// also across restarts. An awake home holds its timers in memory: for many things that end, set one timer at the time
/// of the earliest rather than one for each.
public protocol HomeTimer: Sendable {
    /// Unique for ever, begins with the feature's name: "things.expiry".
    static var kind: StaticText { get }
    /// Distinguishes timers of one kind in one home; 0 where the home has only one.
    var subject: UInt64 { get }
    /// Data stored with the timer, sealed.
    var payload: [UInt8] { get }

    /// Decodes the stored data.
    init(subject: UInt64, payload: [UInt8]) throws(ColumnFault)

    /// Does the work, at its time or later, in a turn of its own. It cannot refuse.
    ///
    /// If the effects write, the timer's row is deleted in the same commit, so the work is done once. If they do not,
    /// they leave at once and the row is deleted in a later turn. After a crash that work may be done again, so it must
    /// follow from stored state.
    func fire(due: LastingTime, in turn: inout Turn) -> [Effect]
}

extension HomeTimer {
    public var subject: UInt64 { 0 }
    public var payload: [UInt8] { [] }
}

/// Names a timer of a home.
struct TimerName: Hashable, Sendable {
    let kind: String
    let subject: UInt64

    init(_ kind: String, _ subject: UInt64) {
        self.kind = kind
        self.subject = subject
    }

    init(_ timer: any HomeTimer) {
        self.init(type(of: timer).kind.text, timer.subject)
    }
}

/// The timers of one home, as they will be when all writes under way have committed.
struct TimerTable: Sendable {
    /// When a timer is due, and its payload.
    struct Entry: Hashable, Sendable {
        let due: LastingTime
        let payload: [UInt8]
    }

    private var entries: [TimerName: Entry] = [:]
    /// The latest first.
    private var order: [(due: LastingTime, name: TimerName)] = []

    subscript(name: TimerName) -> Entry? {
        get { entries[name] }
        set {
            if let old = entries[name] {
                var index = place(of: old.due)
                while order[index].name != name { index += 1 }
                order.remove(at: index)
            }
            entries[name] = newValue
            if let newValue { order.insert((newValue.due, name), at: place(of: newValue.due)) }
        }
    }

    /// All of them, in no order.
    var names: [TimerName] { Array(entries.keys) }

    /// The first index whose time is not later.
    private func place(of due: LastingTime) -> Int {
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if order[middle].due > due { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The timer with the earliest due time, if that is not after `time`.
    func earliest(through time: LastingTime) -> (name: TimerName, entry: Entry)? {
        guard let last = order.last, last.due <= time, let entry = entries[last.name] else { return nil }
        return (last.name, entry)
    }
}

internal import CairnCore
internal import CairnTime

/// The alarms since the start of the process. Each stays in the book, also after it has ended, until an operator marks
/// it as seen. Confined to the room's thread.
///
/// There is at most one unseen entry for each alarm: one that comes again before it was seen counts up in its entry. So
/// the book holds at most the number of alarms that there can be, and `seenMax` of those that are over and seen.
struct AlarmBook {
    /// In the order in which they began.
    private(set) var entries: [Entry] = []
    private var nextNumber = 1

    /// Alarms that are over and seen, and kept; beyond it the oldest goes.
    static let seenMax = 100

    struct Entry {
        let number: Int
        /// As it was when it was worst.
        var alarm: RaisedAlarm
        let beganAt: MonotonicTime
        /// nil = it is raised.
        var endedAt: MonotonicTime?
        /// How often it came.
        var times = 1
        /// Who has marked it as seen, and when; nil = it is unseen.
        var seen: (by: String, at: MonotonicTime)?
    }

    /// The number of unseen entries.
    var unseen: Int { entries.count { $0.seen == nil } }

    /// Notes which alarms are raised now.
    /// - Returns: those with a new entry, for the log.
    mutating func note(_ alarms: [RaisedAlarm], now: MonotonicTime) -> [RaisedAlarm] {
        var raised = Dictionary(alarms.map { ("\($0.figure)", $0) }) { first, _ in first }
        for index in entries.indices {
            let figure = "\(entries[index].alarm.figure)"
            if entries[index].endedAt == nil {
                if let alarm = raised.removeValue(forKey: figure) {
                    worsen(index, to: alarm)
                } else {
                    entries[index].endedAt = now
                }
            } else if entries[index].seen == nil, let alarm = raised.removeValue(forKey: figure) {
                entries[index].endedAt = nil
                entries[index].times += 1
                worsen(index, to: alarm)
            }
        }
        // In the order given, the worst first.
        let new = alarms.filter { raised["\($0.figure)"] != nil }
        for alarm in new {
            entries.append(Entry(number: nextNumber, alarm: alarm, beganAt: now))
            nextNumber += 1
        }
        forgetOldest()
        return new
    }

    /// Marks one as seen, or with nil all of them.
    /// - Returns: how many were marked; nil = there is no such entry.
    mutating func see(_ number: Int?, by name: String, now: MonotonicTime) -> Int? {
        if let number, !entries.contains(where: { $0.number == number }) { return nil }
        var count = 0
        for index in entries.indices
        where entries[index].seen == nil && (number == nil || entries[index].number == number) {
            entries[index].seen = (name, now)
            count += 1
        }
        forgetOldest()
        return count
    }

    /// What was seen and is worse now is to be seen again.
    private mutating func worsen(_ index: Int, to alarm: RaisedAlarm) {
        let before = entries[index].alarm
        let isGraver = before.alarm.severity == .warn && alarm.alarm.severity == .bad
        guard isGraver || (alarm.alarm.severity == before.alarm.severity && alarm.amount ?? 0 > before.amount ?? 0)
        else { return }
        entries[index].alarm = alarm
        entries[index].seen = nil
    }

    private mutating func forgetOldest() {
        var excess = entries.count { $0.seen != nil && $0.endedAt != nil } - Self.seenMax
        entries.removeAll { entry in
            guard excess > 0, entry.seen != nil, entry.endedAt != nil else { return false }
            excess -= 1
            return true
        }
    }
}

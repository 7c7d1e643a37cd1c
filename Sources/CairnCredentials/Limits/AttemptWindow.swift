internal import CairnTime

/// The attempts of one key in a sliding window. An attempt counts for `span` from its time on. A pure value.
struct AttemptWindow {
    /// How many attempts a key has in which time.
    struct Rule: Hashable {
        let attemptsMax: Int
        let span: Duration
        /// A table compares thousands of times at once, and a `Duration` has 128 bits.
        private let microseconds: UInt64

        init(attemptsMax: Int, span: Duration) {
            self.attemptsMax = attemptsMax
            self.span = span
            microseconds = UInt64(clamping: span.microseconds)
        }

        func isOver(_ time: MonotonicTime, now: MonotonicTime) -> Bool {
            now.microseconds(since: time) >= microseconds
        }
    }

    /// In order, at most `attemptsMax`.
    private var times: [MonotonicTime] = []

    var newest: MonotonicTime { times.last ?? .epoch }
    var isEmpty: Bool { times.isEmpty }
    var count: Int { times.count }

    /// Drops what has left the window.
    mutating func forgetOver(_ rule: Rule, now: MonotonicTime) {
        let over = times.prefix { rule.isOver($0, now: now) }.count
        if over > 0 { times.removeFirst(over) }
    }

    /// How long until an attempt may be made; nil = it may be made now.
    func wait(_ rule: Rule, now: MonotonicTime) -> Duration? {
        let counted = times.drop { rule.isOver($0, now: now) }
        guard counted.count >= rule.attemptsMax, let first = counted.first else { return nil }
        return first + rule.span - now
    }

    /// Counts an attempt. Readings of two threads may cross; the order is kept.
    /// - Returns: the time under which it was counted.
    mutating func add(_ time: MonotonicTime) -> MonotonicTime {
        let kept = max(time, newest)
        times.append(kept)
        return kept
    }

    /// Takes back an attempt that was counted under this time.
    mutating func remove(_ time: MonotonicTime) {
        if let place = times.lastIndex(of: time) { times.remove(at: place) }
    }
}

/// The windows of many keys, at most `keysMax`. A pure value.
///
/// Unused keys are dropped when a part of the table has doubled, so that its memory follows its use. At the bound,
/// where that frees less than an eighth, the table drops down to seven eighths: those with the fewest attempts, and of
/// these the newcomers. A flood of new keys therefore flushes no key that is near its limit, nor one that was there
/// before it.
struct AttemptTable<Key: Hashable> {
    let rule: AttemptWindow.Rule
    /// Each has its share of the keys and of the bound, so that looking for unused ones takes milliseconds: it is done
    /// under the limiter's lock, on a loop.
    private var parts: [Part]

    fileprivate struct Part {
        let keysMax: Int
        var sweepAt: Int
        var windows: [Key: AttemptWindow] = [:]
    }

    /// Parts of a table for many keys.
    private static var partCount: Int { 16 }
    /// Tables with a lower bound have one part.
    private static var keysForParts: Int { 4_096 }

    /// - Parameter keysMax: at least 8, so that an eighth of it is a key.
    init(_ rule: AttemptWindow.Rule, keysMax: Int) {
        self.rule = rule
        let count = keysMax < Self.keysForParts ? 1 : Self.partCount
        let share = max(keysMax / count, 8)
        parts = Array(repeating: Part(keysMax: share, sweepAt: min(share, 64)), count: count)
    }

    var count: Int { parts.reduce(0) { $0 + $1.windows.count } }

    /// How long until the key may make an attempt; nil = now.
    func wait(_ key: Key, now: MonotonicTime) -> Duration? { parts[place(of: key)].windows[key]?.wait(rule, now: now) }

    /// Counts an attempt, whether or not there is room for it in the window.
    /// - Returns: the time under which `remove` finds it.
    mutating func add(_ key: Key, now: MonotonicTime) -> MonotonicTime {
        parts[place(of: key)].add(key, rule, now: now)
    }

    /// Takes back an attempt.
    mutating func remove(_ key: Key, at time: MonotonicTime) { parts[place(of: key)].remove(key, at: time) }

    /// Forgets all attempts of a key.
    mutating func clear(_ key: Key) { parts[place(of: key)].windows[key] = nil }

    private func place(of key: Key) -> Int {
        parts.count == 1 ? 0 : Int(UInt(bitPattern: key.hashValue) % UInt(parts.count))
    }
}

extension AttemptTable.Part {
    fileprivate mutating func add(_ key: Key, _ rule: AttemptWindow.Rule, now: MonotonicTime) -> MonotonicTime {
        if windows[key] == nil && windows.count >= sweepAt { sweep(rule, now: now) }
        windows[key, default: AttemptWindow()].forgetOver(rule, now: now)
        return windows[key, default: AttemptWindow()].add(now)
    }

    fileprivate mutating func remove(_ key: Key, at time: MonotonicTime) {
        windows[key]?.remove(time)
        if windows[key]?.isEmpty == true { windows[key] = nil }
    }

    private mutating func sweep(_ rule: AttemptWindow.Rule, now: MonotonicTime) {
        let isFull = windows.count >= keysMax
        windows = windows.filter { !rule.isOver($0.value.newest, now: now) }
        let room = keysMax - keysMax / 8
        if isFull && windows.count > room {
            let ranked = windows.sorted { one, other in
                one.value.count != other.value.count
                    ? one.value.count > other.value.count : one.value.newest < other.value.newest
            }
            for (key, _) in ranked[room...] { windows[key] = nil }
        }
        sweepAt = min(keysMax, max(64, windows.count * 2))
    }
}

internal import CairnTime

/// The attempts of one key in a sliding window. An attempt counts for `span` from its time on. A pure value.
struct AttemptWindow {
    /// How many attempts a key has in which time.
    struct Rule: Hashable {
        let attemptsMax: Int
        let span: Duration

        func isOver(_ time: MonotonicTime, now: MonotonicTime) -> Bool { now - time >= span }
    }

    /// In order, at most `attemptsMax`.
    private var times: [MonotonicTime] = []

    var newest: MonotonicTime { times.last ?? .epoch }
    var isEmpty: Bool { times.isEmpty }

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
/// Unused keys are dropped when the table has doubled, so that its memory follows its use. At the bound, where that
/// frees less than an eighth, the keys whose last attempt is the longest ago are dropped down to seven eighths.
struct AttemptTable<Key: Hashable> {
    let rule: AttemptWindow.Rule
    let keysMax: Int
    /// A smaller bound is this one, so that an eighth of it is a key.
    static var keysMaxLeast: Int { 8 }
    private var windows: [Key: AttemptWindow] = [:]
    private var sweepAt: Int

    init(_ rule: AttemptWindow.Rule, keysMax: Int) {
        self.rule = rule
        self.keysMax = max(keysMax, Self.keysMaxLeast)
        sweepAt = min(self.keysMax, 64)
    }

    var count: Int { windows.count }

    /// How long until the key may make an attempt; nil = now.
    func wait(_ key: Key, now: MonotonicTime) -> Duration? { windows[key]?.wait(rule, now: now) }

    /// Counts an attempt, whether or not there is room for it in the window.
    /// - Returns: the time under which `remove` finds it.
    mutating func add(_ key: Key, now: MonotonicTime) -> MonotonicTime {
        if windows[key] == nil && windows.count >= sweepAt { sweep(now: now) }
        windows[key, default: AttemptWindow()].forgetOver(rule, now: now)
        return windows[key, default: AttemptWindow()].add(now)
    }

    /// Takes back an attempt.
    mutating func remove(_ key: Key, at time: MonotonicTime) {
        windows[key]?.remove(time)
        if windows[key]?.isEmpty == true { windows[key] = nil }
    }

    /// Forgets all attempts of a key.
    mutating func clear(_ key: Key) { windows[key] = nil }

    private mutating func sweep(now: MonotonicTime) {
        let isFull = windows.count >= keysMax
        windows = windows.filter { !rule.isOver($0.value.newest, now: now) }
        let room = keysMax - keysMax / 8
        if isFull && windows.count > room {
            // Keys of one moment go together.
            let last = windows.values.map(\.newest).sorted()[windows.count - room - 1]
            windows = windows.filter { $0.value.newest > last }
        }
        sweepAt = min(keysMax, max(64, windows.count * 2))
    }
}

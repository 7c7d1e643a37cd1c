internal import CairnTime

/// The newest poses that groups of receivers have not been sent: a bit for each group and slot (SES-8).
///
/// Empty while everybody is sent everything. It takes 32 bytes a slot while poses are left out.
struct UntoldPoses: Sendable {
    /// Group after group, `width` words each.
    private var words: [UInt64] = []
    private var width = 0
    private var crossings: [Crossing] = []

    /// A receiver who went from one group to another, and the poses that only the receivers of the second had been
    /// sent.
    private struct Crossing: Sendable {
        let receiver: Participant
        let missed: [UInt64]
        let at: MonotonicTime
    }

    /// A receiver who has crossed is sent what it missed after this time: by then most people have a newer pose.
    private static let crossingPause: Duration = .seconds(1)
    /// Most crossings that wait; beyond it a receiver's new group is sent at once what the receiver missed.
    private static let crossingsMax = 2_048

    /// Whether no receiver has to be sent a pose.
    var isEmpty: Bool { words.isEmpty }

    /// Makes room for so many slots.
    mutating func reserve(slots: Int) {
        let needed = (slots + 63) / 64
        guard needed > width || words.isEmpty else { return }
        var larger = [UInt64](repeating: 0, count: needed * CellFrame.groupCount)
        for group in 0..<CellFrame.groupCount where !words.isEmpty {
            for word in 0..<width { larger[group * needed + word] = words[group * width + word] }
        }
        (words, width) = (larger, needed)
    }

    /// Gives up the memory when nothing is left to be sent to these groups.
    mutating func releaseIfTold(_ groups: some Sequence<Int>) {
        guard crossings.isEmpty, groups.allSatisfy({ !hasAny(of: $0) }) else { return }
        self = UntoldPoses()
    }

    func hasAny(of group: Int) -> Bool {
        words[group * width..<(group + 1) * width].contains { $0 != 0 }
    }

    mutating func insert(_ slot: UInt16, for group: Int) {
        words[group * width + Int(slot) / 64] |= 1 << UInt64(slot % 64)
    }

    mutating func remove(_ slot: UInt16, for group: Int) {
        words[group * width + Int(slot) / 64] &= ~(1 << UInt64(slot % 64))
    }

    /// The person in the slot has left.
    mutating func remove(_ slot: UInt16) {
        guard Int(slot) / 64 < width else { return }
        for group in 0..<CellFrame.groupCount { remove(slot, for: group) }
    }

    /// Takes up to `count` of a group's poses that `isWanted`, in turns from `cursor` on.
    mutating func take(_ count: Int, for group: Int, from cursor: inout Int, where isWanted: (UInt16) -> Bool)
        -> [UInt16]
    {
        var taken: [UInt16] = []
        let (first, start) = (group * width, cursor / 64)
        for step in 0..<width where taken.count < count {
            let word = (start + step) % width
            var left = words[first + word]
            while left != 0, taken.count < count {
                let slot = UInt16(word * 64 + left.trailingZeroBitCount)
                left &= left - 1
                guard isWanted(slot) else { continue }
                taken.append(slot)
                cursor = Int(slot) + 1
            }
        }
        if cursor >= width * 64 { cursor = 0 }
        for slot in taken { remove(slot, for: group) }
        return taken
    }

    /// A receiver goes from one group to another, which is its first one or has others in it already.
    mutating func cross(_ receiver: Participant, from old: Int, to new: Int, isFirst: Bool, now: MonotonicTime) {
        guard !words.isEmpty else { return }
        if isFirst {
            for word in 0..<width { words[new * width + word] = words[old * width + word] }
            return
        }
        let missed = (0..<width).map { words[old * width + $0] & ~words[new * width + $0] }
        guard missed.contains(where: { $0 != 0 }) else { return }
        if crossings.count < Self.crossingsMax {
            crossings.append(Crossing(receiver: receiver, missed: missed, at: now))
        } else {
            for word in 0..<width { words[new * width + word] |= missed[word] }
        }
    }

    /// Has receivers who crossed a while ago sent what they missed, as far as it still is the newest: `isSince` of a
    /// slot and a time says that it is not.
    mutating func settle(now: MonotonicTime, group: (Participant) -> UInt16, isNewer: (UInt16, MonotonicTime) -> Bool) {
        let due = crossings.prefix { now - $0.at >= Self.crossingPause }
        guard !due.isEmpty else { return }
        for crossing in due {
            let group = Int(group(crossing.receiver))
            for (place, word) in crossing.missed.enumerated() {
                var left = word
                while left != 0 {
                    let slot = UInt16(place * 64 + left.trailingZeroBitCount)
                    left &= left - 1
                    if !isNewer(slot, crossing.at) { insert(slot, for: group) }
                }
            }
        }
        crossings.removeFirst(due.count)
    }
}

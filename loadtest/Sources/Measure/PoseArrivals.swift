import Histogram

/// When each pose reached the last of its receivers that judge poses.
struct PoseArrivals {
    /// A pose that may reach further receivers.
    private struct Open {
        var number: UInt32
        /// From when it was due, microseconds; 0 = there is no pose here.
        var age: UInt64 = 0
    }

    /// Poses of each sender that are open: some seconds' worth. A pose that is later counts twice.
    private static let openMax = 16

    private var open: [Open]
    private(set) var last = KindTimes(limit: Quality.broadcastLimit)

    init(people: Int) { open = Array(repeating: Open(number: 0), count: people * Self.openMax) }

    /// A receiver got a pose at this age.
    mutating func note(_ person: Int, _ number: UInt32, age: UInt64) {
        let place = person * Self.openMax + Int(number) % Self.openMax
        let age = max(age, 1)
        if open[place].number != number {
            if open[place].age > 0 { last.record(open[place].age) }
            open[place] = Open(number: number, age: age)
        } else {
            open[place].age = max(open[place].age, age)
        }
    }

    /// Records all that are open.
    mutating func end() {
        for place in open.indices where open[place].age > 0 {
            last.record(open[place].age)
            open[place].age = 0
        }
    }
}

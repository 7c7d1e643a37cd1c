/// What time it is, by a wall clock that may be wrong and may be put right (pitfalls B22). Pure: the clocks' readings
/// are given.
///
/// There are two times. The **told** one is what people are told and what is written beside what they make: it follows
/// the wall clock, a little at a time where they differ by little, and in one step once the clock has stood by a larger
/// difference for ten seconds. The **lasting** one is what ages are counted in, those of keys, tokens and quotas. It
/// never runs backwards, in no process and from no process to the next, and follows no step of the wall clock before
/// the server has run for a day with it.
///
/// A start says nothing about how long the server was away when the clock may be wrong. So what is to end is given the
/// benefit of the `doubt`: it ends that much later, until the server has run for a day.
public struct FollowedTime: Sendable {
    /// Both clocks at one moment, in milliseconds.
    public struct Reading: Sendable, Hashable {
        /// Since 1970-01-01 UTC, as far as the system knows.
        public var wall: Int64
        /// Since some moment before the start.
        public var monotonic: Int64

        public init(wall: Int64, monotonic: Int64) {
            self.wall = wall
            self.monotonic = monotonic
        }
    }

    /// What a server leaves for the next one on the same world.
    public struct Mark: Sendable, Hashable {
        /// The newest lasting time.
        public var lasting: Int64
        public var doubt: Int64

        public init(lasting: Int64, doubt: Int64 = 0) {
            self.lasting = lasting
            self.doubt = doubt
        }
    }

    /// What an operator should hear of, in milliseconds.
    public enum Event: Sendable, Hashable {
        /// The told time has followed the wall clock by a step.
        case stepped(by: Int64)
        /// The lasting time has followed after a day.
        case caughtUp(by: Int64)
    }

    /// Differences up to this one are made up for little by little; larger ones are steps.
    public static let slewMax: Int64 = 1_000
    /// Of the time that has passed, so much is put right: one part in a hundred.
    private static let slewShare: Int64 = 100
    /// The wall clock has to stand by a step for so long.
    public static let stepPatience: Int64 = 10_000
    /// The server has to run with a jump for so long before anything ends because of it.
    public static let jumpPatience: Int64 = 86_400_000
    /// A server may be away for so long without any doubt.
    public static let absenceMax: Int64 = 3_600_000
    /// An absence beyond a week is not believed before a day has passed.
    public static let absenceBelievedMax: Int64 = 7 * 86_400_000
    /// Of the doubt of before, no more than this is carried on.
    public static let doubtCarriedMax: Int64 = 14 * 86_400_000

    /// Told time less monotonic time.
    public private(set) var toldOffset: Int64
    /// Lasting time less monotonic time.
    public private(set) var lastingOffset: Int64
    /// So much of what seems to have passed may not have.
    public private(set) var doubt: Int64 = 0
    /// How far the wall clock was ahead of the mark at the start; below 0 = behind it.
    public let gapAtStart: Int64
    private var lastJump: Int64
    private var lastLook: Int64
    private var step: (offset: Int64, since: Int64)?

    /// - Parameter mark: of the server before, and the newest time that is stored; nil = a new world.
    public init(_ reading: Reading, mark: Mark?) {
        let gap = reading.wall - (mark?.lasting ?? reading.wall)
        gapAtStart = gap
        toldOffset = reading.wall - reading.monotonic
        lastingOffset = toldOffset
        lastJump = reading.monotonic
        lastLook = reading.monotonic
        guard let mark else { return }
        doubt = min(max(0, mark.doubt), Self.doubtCarriedMax)
        if gap < 0 || gap > Self.absenceBelievedMax {
            lastingOffset = mark.lasting - reading.monotonic
        } else if gap > Self.absenceMax {
            doubt += gap
        }
    }

    /// What to leave for the next server.
    public func mark(monotonic: Int64) -> Mark { Mark(lasting: monotonic + lastingOffset, doubt: doubt) }

    /// Looks at the clocks, about once a second.
    public mutating func look(_ reading: Reading) -> [Event] {
        var events: [Event] = []
        let slew = max(0, reading.monotonic - lastLook) / Self.slewShare
        lastLook = reading.monotonic
        if let difference = follow(reading, slew: slew) { events.append(.stepped(by: difference)) }

        let behind = toldOffset - lastingOffset
        if abs(behind) <= Self.slewMax {
            lastingOffset += min(max(behind, -slew), slew)
        }
        guard reading.monotonic - lastJump >= Self.jumpPatience else { return events }
        doubt = 0
        if behind > Self.slewMax {
            lastingOffset = toldOffset
            events.append(.caughtUp(by: behind))
        }
        return events
    }

    /// Gives the step, if the told time has just made one.
    private mutating func follow(_ reading: Reading, slew: Int64) -> Int64? {
        let offset = reading.wall - reading.monotonic
        let difference = offset - toldOffset
        guard abs(difference) > Self.slewMax else {
            toldOffset += min(max(difference, -slew), slew)
            step = nil
            return nil
        }
        guard let begun = step, abs(begun.offset - offset) <= Self.slewMax else {
            step = (offset, reading.monotonic)
            return nil
        }
        guard reading.monotonic - begun.since >= Self.stepPatience else { return nil }
        toldOffset = offset
        lastJump = reading.monotonic
        step = nil
        return difference
    }
}

/// What time it is, by a wall clock that may be wrong and may be put right (pitfalls B22). Pure: the clocks' readings
/// are given.
///
/// There are two times. The **told** time is shown to people and stored beside what they make. It follows the wall
/// clock: small differences are slewed, a larger one is followed in one step once the clock has kept it for ten
/// seconds. The **lasting** time is for ages, such as those of keys, tokens and quotas. It never runs backwards, not
/// even across restarts, and follows a step of the wall clock only after the server has run with it for a day.
///
/// At a start the clock may be wrong, so the length of the absence is not known. Until the server has run for a day,
/// everything that expires gets a grace of `doubt` milliseconds.
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

    /// A step that is reported to operators, in milliseconds.
    public enum Event: Sendable, Hashable {
        /// The told time has followed the wall clock by a step.
        case stepped(by: Int64)
        /// The lasting time has followed after a day.
        case caughtUp(by: Int64)
    }

    /// Differences up to this one are made up for little by little; larger ones are steps.
    public static let slewMax: Int64 = 1_000
    /// Slew rate: one part in a hundred of the elapsed time.
    private static let slewShare: Int64 = 100
    /// How long the wall clock must keep a step before it is followed.
    public static let stepPatience: Int64 = 10_000
    /// How long the server must run after a jump before anything expires because of it.
    public static let jumpPatience: Int64 = 86_400_000
    /// An absence up to this length is believed without doubt.
    public static let absenceMax: Int64 = 3_600_000
    /// An absence beyond a week is not believed before a day has passed.
    public static let absenceBelievedMax: Int64 = 7 * 86_400_000
    /// The most doubt that is carried over from the run before.
    public static let doubtCarriedMax: Int64 = 14 * 86_400_000

    /// Told time less monotonic time.
    public private(set) var toldOffset: Int64
    /// Lasting time less monotonic time.
    public private(set) var lastingOffset: Int64
    /// How much of the time that seems to have passed may not have.
    public private(set) var doubt: Int64 = 0
    /// The lasting time since which the server has run and the lasting time has not jumped. What seems to have passed
    /// before it need not have been anybody's silence: the server did not listen, or the time was none.
    public private(set) var steadySince: Int64
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
        steadySince = reading.wall
        guard let mark else { return }
        doubt = min(max(0, mark.doubt), Self.doubtCarriedMax)
        if gap < 0 || gap > Self.absenceBelievedMax {
            lastingOffset = mark.lasting - reading.monotonic
            steadySince = mark.lasting
        } else if gap > Self.absenceMax {
            doubt += gap
        }
    }

    /// What to leave for the next server.
    public func mark(monotonic: Int64) -> Mark { Mark(lasting: monotonic + lastingOffset, doubt: doubt) }

    /// How long there is doubt, in milliseconds, unless the clock jumps again.
    public func doubtLasts(monotonic: Int64) -> Int64 {
        doubt == 0 ? 0 : max(0, lastJump + Self.jumpPatience - monotonic)
    }

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
            steadySince = reading.monotonic + lastingOffset
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

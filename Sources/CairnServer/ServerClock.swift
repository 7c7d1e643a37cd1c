package import CairnCore
internal import Foundation
internal import Logging
internal import Synchronization

/// The server's two times, for every thread: an atomic read each. `FollowedTime` works them out.
package final class ServerClock: Sendable {
    private let time: Mutex<FollowedTime>
    private let toldOffset: Atomic<Int64>
    private let lastingOffset: Atomic<Int64>
    private let doubtMilliseconds: Atomic<Int64>
    private let steadyMilliseconds: Atomic<Int64>
    private let stepCount = Atomic<UInt64>(0)
    private let clocks: Clocks
    let gapAtStart: Int64

    /// The system's clocks, or a test's: milliseconds.
    struct Clocks: Sendable {
        var wall: @Sendable () -> Int64
        var monotonic: @Sendable () -> Int64

        var reading: FollowedTime.Reading { FollowedTime.Reading(wall: wall(), monotonic: monotonic()) }
    }

    /// - Parameter mark: what the server before has left, and the newest time that is stored; nil = a new world.
    init(_ clocks: Clocks = .system, mark: FollowedTime.Mark? = nil) {
        let followed = FollowedTime(clocks.reading, mark: mark)
        self.clocks = clocks
        gapAtStart = followed.gapAtStart
        time = Mutex(followed)
        toldOffset = Atomic(followed.toldOffset)
        lastingOffset = Atomic(followed.lastingOffset)
        doubtMilliseconds = Atomic(followed.doubt)
        steadyMilliseconds = Atomic(followed.steadySince)
    }

    package var now: WallTime {
        WallTime(milliseconds: clocks.monotonic() + toldOffset.load(ordering: .relaxed))
    }

    package var lasting: LastingTime {
        LastingTime(milliseconds: clocks.monotonic() + lastingOffset.load(ordering: .relaxed))
    }

    /// By how much ends are delayed, because the clock may be ahead (`FollowedTime`).
    package var doubt: Duration { .milliseconds(doubtMilliseconds.load(ordering: .relaxed)) }

    /// How long there is doubt, unless the clock jumps again.
    var doubtLasts: Duration {
        .milliseconds(time.withLock { $0.doubtLasts(monotonic: clocks.monotonic()) })
    }

    /// Since when the lasting time has passed without a gap, with a server that listened (`FollowedTime`).
    var steadySince: LastingTime {
        LastingTime(milliseconds: steadyMilliseconds.load(ordering: .relaxed))
    }

    /// Steps that the told time has made since the start.
    package var steps: UInt64 { stepCount.load(ordering: .relaxed) }

    /// The state to store for the next start.
    var mark: FollowedTime.Mark { time.withLock { $0.mark(monotonic: clocks.monotonic()) } }

    /// Looks at the wall clock and goes after it; about once a second.
    func follow(_ logger: Logger) {
        let reading = clocks.reading
        let events = time.withLock { time in
            let events = time.look(reading)
            toldOffset.store(time.toldOffset, ordering: .relaxed)
            lastingOffset.store(time.lastingOffset, ordering: .relaxed)
            doubtMilliseconds.store(time.doubt, ordering: .relaxed)
            steadyMilliseconds.store(time.steadySince, ordering: .relaxed)
            return events
        }
        for event in events {
            switch event {
            case .stepped(let milliseconds):
                stepCount.add(1, ordering: .relaxed)
                logger.warning(
                    "the wall clock was set; what clients are told follows, and nothing ends because of it for a day",
                    metadata: ["seconds": "\(milliseconds / 1_000)"])
            case .caughtUp(let milliseconds):
                logger.notice(
                    "keys, tokens and quotas go by the wall clock again",
                    metadata: ["seconds": "\(milliseconds / 1_000)"])
            }
        }
    }

    /// Says what a start has found out about the clock, where there is something to say.
    func reportStart(_ logger: Logger) {
        let seconds: Logger.Metadata = ["seconds": "\(gapAtStart / 1_000)"]
        if gapAtStart < -FollowedTime.slewMax {
            logger.warning(
                "the wall clock is behind what is stored: check it; ages are counted on from there", metadata: seconds)
        } else if gapAtStart > FollowedTime.absenceMax {
            logger.notice(
                "nothing was stored for long: keys and tokens that seem to have ended hold for another day",
                metadata: seconds)
        }
    }
}

extension ServerClock.Clocks {
    private static let start = ContinuousClock.now

    static var system: ServerClock.Clocks {
        let start = start
        return ServerClock.Clocks(
            wall: { Int64(Date().timeIntervalSince1970 * 1_000) },
            monotonic: {
                let elapsed = start.duration(to: .now).components
                return elapsed.seconds * 1_000 + elapsed.attoseconds / 1_000_000_000_000_000
            })
    }
}

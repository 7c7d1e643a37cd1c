import CairnCore
import CairnTesting
import CairnTime
import Logging
import Synchronization
import Testing

@testable import CairnServer

/// The server's time by clocks that move when the test says so.
@Suite("Server clock")
struct ServerClockTests {
    private final class Hands: Sendable {
        let time = Mutex(ManualTime())

        var clocks: ServerClock.Clocks {
            ServerClock.Clocks(
                wall: { [self] in time.withLock { $0.wall.milliseconds } },
                monotonic: { [self] in time.withLock { Int64($0.monotonic.microseconds / 1_000) } })
        }

        /// The wall clock is set, and the server looks at it every second.
        func set(by change: Duration, seconds: Int, _ clock: ServerClock) {
            time.withLock { $0.set($0.wall + change) }
            for _ in 0..<seconds {
                time.withLock { $0.advance(.seconds(1)) }
                clock.follow(Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            }
        }
    }

    @Test func clockThatIsPutRight_isFollowed_andCounted() {
        let hands = Hands()
        let clock = ServerClock(hands.clocks)
        hands.set(by: .seconds(172_800), seconds: 15, clock)
        #expect(clock.now.milliseconds == hands.clocks.wall() && clock.steps == 1)
    }

    @Test func agesAreCountedOn_whenTheClockIsSet() {
        let hands = Hands()
        let clock = ServerClock(hands.clocks)
        let before = clock.lasting
        hands.set(by: .seconds(172_800), seconds: 15, clock)
        #expect(clock.lasting == before + .seconds(15))
    }

    @Test func timeOfAWorld_isTakenUpWhereItWasLeft() {
        let hands = Hands()
        let newest = hands.clocks.wall() + 172_800_000
        let clock = ServerClock(hands.clocks, mark: FollowedTime.Mark(lasting: newest, doubt: 60_000))
        #expect(clock.lasting.milliseconds == newest && clock.doubt == .seconds(60))
        #expect(clock.now.milliseconds == hands.clocks.wall())
        #expect(clock.mark == FollowedTime.Mark(lasting: newest, doubt: 60_000))
    }
}

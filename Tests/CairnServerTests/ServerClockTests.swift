import CairnCore
import CairnTesting
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
                wall: { [self] in time.withLock { $0.milliseconds } },
                monotonic: { [self] in time.withLock { Int64($0.microseconds / 1_000) } })
        }

        /// The wall clock is set, and the server looks at it every second.
        func set(by milliseconds: Int64, seconds: Int, _ clock: ServerClock) {
            time.withLock { $0.setWall(milliseconds: $0.milliseconds + milliseconds) }
            for _ in 0..<seconds {
                time.withLock { $0.advance(.seconds(1)) }
                clock.follow(Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            }
        }
    }

    @Test func clockThatIsPutRight_isFollowed_andCounted() {
        let hands = Hands()
        let clock = ServerClock(hands.clocks)
        hands.set(by: 172_800_000, seconds: 15, clock)
        #expect(clock.now == hands.clocks.wall() && clock.steps == 1)
    }

    @Test func agesAreCountedOn_whenTheClockIsSet() {
        let hands = Hands()
        let clock = ServerClock(hands.clocks)
        let before = clock.lasting
        hands.set(by: 172_800_000, seconds: 15, clock)
        #expect(clock.lasting == before + 15_000)
    }

    @Test func timeOfAWorld_isTakenUpWhereItWasLeft() {
        let hands = Hands()
        let newest = hands.clocks.wall() + 172_800_000
        let clock = ServerClock(hands.clocks, mark: FollowedTime.Mark(lasting: newest, doubt: 60_000))
        #expect(clock.lasting == newest && clock.doubt == 60_000 && clock.now == hands.clocks.wall())
        #expect(clock.mark == FollowedTime.Mark(lasting: newest, doubt: 60_000))
    }
}

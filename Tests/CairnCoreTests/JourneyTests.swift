import CairnGeo
import CairnTesting
import CairnTime
import Testing

@testable import CairnCore

/// Distinguishes the movements of people from jumps.
@Suite("Journey")
struct JourneyTests {
    private static let second: Duration = .seconds(1)

    private static func place(_ metres: Double) -> Coordinate { Ground.here.at(east: 0, north: metres) }

    /// The jumps among these steps, one a second and all of one length.
    private static func jumps(ofSteps count: Int, metres: Double, metresPerSecond: Int = 100) -> [Int] {
        var journey = Journey()
        return (0..<count).filter { step in
            journey.isJump(
                to: place(metres * Double(step)), metresPerSecond: metresPerSecond, now: .epoch + second * step)
        }
    }

    @Test func firstPlace_isNoJump() {
        var journey = Journey()
        let isJump = journey.isJump(to: Self.place(0), metresPerSecond: 100, now: 0)
        #expect(!isJump)
    }

    @Test func travelBelowTheLimit_isNeverAJump() {
        #expect(Self.jumps(ofSteps: 200, metres: 98).isEmpty)
    }

    @Test func travelTwiceAsFast_isAJumpOnceTheSlackAndTheCorrectionAreUsedUp() {
        #expect(Self.jumps(ofSteps: 20, metres: 200).first == 7)
    }

    @Test func limitOfZero_knowsNoJump() {
        #expect(Self.jumps(ofSteps: 20, metres: 1_500, metresPerSecond: 0).isEmpty)
    }

    @Test func wayThatHadItsTime_isNoJumpHoweverLong() {
        var journey = Journey()
        _ = journey.isJump(to: Self.place(0), metresPerSecond: 100, now: 0)
        let isJump = journey.isJump(to: Self.place(5_000), metresPerSecond: 100, now: .epoch + Self.second * 60)
        #expect(!isJump)
    }

    @Test func longRest_givesNoMoreThanTheSlackForLater() {
        var journey = Journey()
        _ = journey.isJump(to: Self.place(0), metresPerSecond: 100, now: 0)
        _ = journey.isJump(to: Self.place(0), metresPerSecond: 100, now: .epoch + Self.second * 3_600)
        let isJump = journey.isJump(to: Self.place(600), metresPerSecond: 100, now: .epoch + Self.second * 3_600)
        #expect(isJump)
    }

    @Test func standingStillAfterAJump_isNoJump() {
        var journey = Journey()
        _ = journey.isJump(to: Self.place(0), metresPerSecond: 100, now: 0)
        let hasJumped = journey.isJump(to: Self.place(50_000), metresPerSecond: 100, now: .epoch + Self.second * 31)
        let jumpsAgain = journey.isJump(to: Self.place(50_000), metresPerSecond: 100, now: .epoch + Self.second * 32)
        #expect(hasJumped && !jumpsAgain)
    }

    /// A phone begins with the fix that it kept, or in the middle of a cell tower's; others begin at 0, 0.
    @Test func firstFixFarOff_isCorrectedOnce() {
        let islands = [Coordinate(latitude: 0, longitude: 0), Self.place(-800), Self.place(40_000)]
        for case let first? in islands {
            var journey = Journey()
            let begins = journey.isJump(to: first, metresPerSecond: 100, now: 0)
            let corrected = journey.isJump(to: Self.place(0), metresPerSecond: 100, now: .epoch + Self.second)
            let goesBack = journey.isJump(to: first, metresPerSecond: 100, now: .epoch + Self.second * 2)
            #expect(!begins && !corrected && goesBack)
        }
    }

    @Test func correction_isOverAfterHalfAMinute() {
        var journey = Journey()
        _ = journey.isJump(to: Self.place(0), metresPerSecond: 100, now: .epoch + Self.second * 500)
        let isJump = journey.isJump(to: Self.place(9_000), metresPerSecond: 100, now: .epoch + Self.second * 531)
        #expect(isJump)
    }
}

/// The bound of new cells for one account.
@Suite("Curiosity")
struct CuriosityTests {
    @Test func cells_areBoundedByBurstAndRate() {
        var curiosity = Curiosity(cellsPerSecond: 20, cellsBurst: 200, now: 0)
        let admitted = (0...1_000).map { curiosity.admit(50, now: .epoch + .milliseconds(10 * $0)) }
        #expect(admitted.first == 50)
        // The last token may be a rounding error short.
        #expect((399...400).contains(admitted.reduce(0, +)))
    }

    @Test func accountThatJumped_seesNothingNewForTenSeconds() {
        var curiosity = Curiosity(cellsPerSecond: 20, cellsBurst: 200, now: 0)
        curiosity.noteJump(now: 1_000_000)
        #expect(curiosity.admit(1, now: 10_999_999) == 0)
        #expect(curiosity.admit(1, now: 11_000_000) == 1)
    }

    @Test func whatTookNothingLately_isForgettable() {
        var curiosity = Curiosity(cellsPerSecond: 20, cellsBurst: 200, now: 0)
        _ = curiosity.admit(20, now: 0)
        #expect(!curiosity.isForgettable(now: 999_999))
        #expect(curiosity.isForgettable(now: 1_000_000))
        curiosity.noteJump(now: 1_000_000)
        #expect(!curiosity.isForgettable(now: 10_999_999))
    }
}

import Testing

@testable import CairnServer

/// The pace of all uploads together (OBJ-12).
@Suite struct UploadPaceTests {
    private static let rate = 1 << 20

    @Test func firstBytes_costNoTime_andFurtherOnesTakeTheirTurn() {
        let begun = ContinuousClock.now
        var pace = UploadPace()
        let dues = (1...8).map { _ in pace.pay(Self.rate / 8, bytesPerSecond: Self.rate, at: begun) - begun }
        #expect(dues.prefix(2).allSatisfy { $0 <= .zero })
        #expect(dues[7] == .milliseconds(750))
    }

    @Test func pause_savesUpNoMoreThanTheBurst() {
        let begun = ContinuousClock.now
        var pace = UploadPace()
        _ = pace.pay(Self.rate, bytesPerSecond: Self.rate, at: begun)
        let later = begun + .seconds(3_600)
        let due = pace.pay(Self.rate, bytesPerSecond: Self.rate, at: later)
        #expect(due - later == .seconds(1) - UploadPace.burst)
    }

    @Test func otherRate_holdsForWhatComesNext() {
        let begun = ContinuousClock.now
        var pace = UploadPace()
        let first = pace.pay(Self.rate, bytesPerSecond: Self.rate, at: begun)
        #expect(pace.pay(Self.rate, bytesPerSecond: 4 * Self.rate, at: begun) - first == .milliseconds(250))
    }
}

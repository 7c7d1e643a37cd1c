import CairnTime
import CairnWebSocket
import Testing

@testable import CairnOperators
@testable import CairnServer

@Suite("Stats: wrong credentials")
struct CredentialAttemptsTests {
    private var attempts = CredentialAttempts()

    private func address(_ number: UInt64) -> PeerAddress { PeerAddress(high: 0, low: 0xFFFF_0A00_0000 + number) }
    private func time(_ second: Int) -> MonotonicTime { .epoch + .seconds(second) }

    private mutating func guess(_ times: Int = 1, from number: UInt64 = 1, at second: Int) {
        for _ in 0..<times { attempts.add(from: address(number), now: time(second)) }
    }

    @Test mutating func attempts_areCountedByAddress_theMostFirst() {
        guess(3, at: 100)
        guess(from: 2, at: 101)
        #expect(attempts.words(max: 9, now: time(110)) == ["10.0.0.1 (3)", "10.0.0.2 (1)"])
        #expect(attempts.words(max: 1, now: time(110)).count == 1)
        #expect(attempts.lately(time(110)) == 4)
        #expect(attempts.lately(time(160)) == 1)
        #expect(attempts.lately(time(161)) == 0)
        #expect(attempts.total == 4)
    }

    @Test mutating func addressesOfOneNetwork_areOne() {
        attempts.add(from: PeerAddress(high: 0x2001_0DB8_0000_0001, low: 5), now: time(1))
        attempts.add(from: PeerAddress(high: 0x2001_0DB8_0000_0001, low: 6), now: time(2))
        #expect(attempts.sources.map { $0.count(time(2)) } == [2])
    }

    @Test mutating func addresses_areBounded_andWhoTriesMostIsKept() {
        guess(5, from: 0, at: 1)
        for number in 1..<200 { guess(from: UInt64(number), at: 2) }
        #expect(attempts.sources.count == CredentialAttempts.sourcesMax)
        #expect(attempts.words(max: 1, now: time(2)) == ["10.0.0.0 (5)"])
        guess(at: 90_000)
        #expect(attempts.sources.count == 1, "an address is kept for a day")
    }

    @Test mutating func addresses_areForgottenAfterADay_alsoIfNobodyTriesAnyMore() {
        guess(at: 1)
        #expect(attempts.words(max: 9, now: time(82_000)).count == 1)
        #expect(attempts.words(max: 9, now: time(86_401)).isEmpty)
        attempts.forget(time(86_401))
        #expect(attempts.sources.isEmpty)
    }

    @Test mutating func numbersOfAnAddress_areThoseOfTheLastDay_howeverLongItTries() {
        for day in 0..<9 { guess(2, at: day * 86_400) }
        #expect(attempts.words(max: 9, now: time(8 * 86_400)) == ["10.0.0.1 (2)"])
    }

    // MARK: Entries

    /// What the audit log gets, if the disk takes it.
    private mutating func entered(_ isRaised: Bool, at second: Int, isKept: Bool = true) -> String? {
        guard let entry = attempts.entry(isRaised: isRaised, now: time(second)) else { return nil }
        attempts.ended(entry, isKept: isKept, now: time(second))
        return entry.words
    }

    @Test mutating func entries_comeWithTheAlarm_andAtMostOnceAnHour() {
        guess(at: 10)
        #expect(entered(false, at: 10) == nil, "a slip of the hand")
        for second in 11..<21 { guess(at: second) }
        #expect(entered(true, at: 21) == "11 since the start, from 10.0.0.1 (11)")
        guess(from: 2, at: 22)
        for second in 22..<3_621 { #expect(entered(second < 80, at: second) == nil) }
        #expect(entered(false, at: 3_621) == "1 since the last entry, from 10.0.0.2 (1)")
        guess(from: 2, at: 3_622)
        #expect(entered(false, at: 90_000) == nil)
    }

    @Test mutating func anAlarmWithoutAnythingAfterIt_isOverWithItsHour() {
        guess(10, at: 10)
        #expect(entered(true, at: 10) != nil)
        for second in 11..<3_700 { #expect(entered(second < 70, at: second) == nil) }
        guess(at: 2_000_000)
        #expect(entered(false, at: 2_000_000) == nil, "a slip of the hand, weeks later")
    }

    @Test mutating func anEntryThatTheDiskDidNotTake_comesAgain_alsoWhenTheAlarmIsOver() {
        guess(10, at: 10)
        #expect(entered(true, at: 10, isKept: false) == "10 since the start, from 10.0.0.1 (10)")
        #expect(entered(true, at: 11) == nil, "not every second")
        guess(at: 12)
        #expect(entered(false, at: 70) == "11 since the start, from 10.0.0.1 (11)")
        #expect(entered(false, at: 9_999) == nil)
    }

    @Test mutating func whatComesWhileAnEntryIsWritten_isInTheNextOne() throws {
        guess(10, at: 10)
        let first = attempts.entry(isRaised: true, now: time(10))
        let entry = try #require(first)
        guess(2, at: 11)
        let second = attempts.entry(isRaised: true, now: time(11))
        #expect(second?.words == nil, "one at a time")
        attempts.ended(entry, isKept: true, now: time(11))
        #expect(entered(false, at: 3_611) == "2 since the last entry, from 10.0.0.1 (2)")
    }

    @Test mutating func numbersOfAnEntry_addUp() {
        for number in 1...12 { guess(Int(number), from: UInt64(number), at: 10) }
        let named = (3...12).reversed().map { "10.0.0.\($0) (\($0))" }.joined(separator: ", ")
        #expect(entered(true, at: 10) == "78 since the start, from \(named), other addresses (3)")
        // Forgotten before they were entered.
        guess(5, at: 11)
        guess(from: 2, at: 90_000)
        #expect(entered(true, at: 90_000) == "6 since the last entry, from 10.0.0.2 (1), other addresses (5)")
    }
}

@Suite("Stats: when the disk is full")
struct DiskForecastTests {
    private func time(_ second: Int) -> MonotonicTime { .epoch + .seconds(second) }

    @Test func forecast_isKnownAfterAnHour_andOnlyOfADiskThatFills() {
        var forecast = DiskForecast()
        #expect(forecast.seconds(free: 1_000_000, now: time(0)) == nil)
        #expect(forecast.seconds(free: 900_000, now: time(3_599)) == nil)
        #expect(forecast.seconds(free: 900_000, now: time(3_600)) == 32_400)
        #expect(forecast.seconds(free: 1_000_000, now: time(7_200)) == nil)
        #expect(forecast.seconds(free: 0, now: time(7_201)) == nil, "unknown")
    }

    @Test func forecast_looksBackADay() {
        var forecast = DiskForecast()
        for step in 0..<1_000 { _ = forecast.seconds(free: 10_000_000 - step, now: time(step * 600)) }
        // A byte in ten minutes.
        #expect(forecast.seconds(free: 9_999_000, now: time(600_000)) == 5_999_400_000)
    }
}

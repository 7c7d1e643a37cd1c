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

    @Test mutating func attempts_areCountedByAddress_theMostFirst() {
        for _ in 0..<3 { attempts.add(from: address(1), now: time(100)) }
        attempts.add(from: address(2), now: time(101))
        #expect(attempts.words(max: 9) == ["10.0.0.1 (3)", "10.0.0.2 (1)"])
        #expect(attempts.words(max: 1).count == 1)
        #expect(attempts.lately(time(110)) == 4)
        #expect(attempts.lately(time(160)) == 1)
        #expect(attempts.lately(time(161)) == 0)
        #expect(attempts.total == 4)
    }

    @Test mutating func addressesOfOneNetwork_areOne() {
        attempts.add(from: PeerAddress(high: 0x2001_0DB8_0000_0001, low: 5), now: time(1))
        attempts.add(from: PeerAddress(high: 0x2001_0DB8_0000_0001, low: 6), now: time(2))
        #expect(attempts.sources.map(\.count) == [2])
    }

    @Test mutating func addresses_areBounded_andWhoTriesMostIsKept() {
        for _ in 0..<5 { attempts.add(from: address(0), now: time(1)) }
        for number in 1..<1_000 { attempts.add(from: address(UInt64(number)), now: time(2)) }
        #expect(attempts.sources.count == CredentialAttempts.sourcesMax)
        #expect(attempts.words(max: 1) == ["10.0.0.0 (5)"])
        attempts.add(from: address(1), now: time(90_000))
        #expect(attempts.sources.count == 1, "an address is kept for a day")
    }

    @Test mutating func entries_comeWithTheAlarm_andAtMostOnceAnHour() throws {
        var notes = AttemptNotes()
        attempts.add(from: address(1), now: time(10))
        #expect(notes.entry(of: attempts, isRaised: false, now: time(10)) == nil, "a slip of the hand")
        for second in 11..<21 { attempts.add(from: address(1), now: time(second)) }
        let first = notes.entry(of: attempts, isRaised: true, now: time(21))
        #expect(first == "11 since the start, from 10.0.0.1 (11)")
        attempts.add(from: address(2), now: time(22))
        for second in 22..<3_621 {
            #expect(notes.entry(of: attempts, isRaised: second < 80, now: time(second)) == nil)
        }
        let second = notes.entry(of: attempts, isRaised: false, now: time(3_621))
        #expect(second == "1 since the last entry, from 10.0.0.1 (11), 10.0.0.2 (1)")
        attempts.add(from: address(2), now: time(3_622))
        #expect(notes.entry(of: attempts, isRaised: false, now: time(90_000)) == nil)
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

import CairnTime
import CairnWebSocket
import Testing

@testable import CairnServer

@Suite("Who guesses passwords")
struct PasswordGuessesTests {
    private var guesses = PasswordGuesses()

    private func address(_ number: UInt64) -> PeerAddress { PeerAddress(high: 0, low: 0xFFFF_0A00_0000 + number) }
    private func time(_ second: Int) -> MonotonicTime { .epoch + .seconds(second) }

    @Test mutating func whoMistypes_isShownToNobody() {
        for second in 1..<PasswordGuesses.hourMin { guesses.add(from: address(1), now: time(second)) }
        #expect(guesses.guessers(time(60)).isEmpty)
        guesses.add(from: address(1), now: time(60))
        #expect(guesses.guessers(time(60)).map(\.words) == ["10.0.0.1 (20)"])
    }

    @Test mutating func addressesOfOneNetwork_areOne() {
        for low in 0..<UInt64(PasswordGuesses.hourMin) {
            guesses.add(from: PeerAddress(high: 0x2001_0DB8_0000_0001, low: low), now: time(1))
        }
        #expect(guesses.guessers(time(1)).map(\.address) == [PeerAddress(high: 0x2001_0DB8_0000_0001, low: 0)])
    }

    @Test mutating func address_isForgottenADayAfterItsLastAttempt() {
        for _ in 0..<30 { guesses.add(from: address(1), now: time(10)) }
        #expect(guesses.guessers(time(3_599)).count == 1)
        #expect(guesses.guessers(time(3_600)).isEmpty)
        #expect(guesses.addressCount == 1)
        #expect(guesses.guessers(time(86_400)).isEmpty)
        #expect(guesses.addressCount == 0)
        guesses.add(from: address(1), now: time(86_412))
        #expect(guesses.guessers(time(86_412)).isEmpty, "it begins anew")
    }

    @Test mutating func whoGuessesSlowly_isShownWithinADay() {
        // Nineteen in an hour.
        for number in 1..<PasswordGuesses.dayMin { guesses.add(from: address(1), now: time(number * 190)) }
        let last = time(PasswordGuesses.dayMin * 190)
        #expect(guesses.guessers(last).isEmpty)
        guesses.add(from: address(1), now: last)
        #expect(guesses.guessers(last).map(\.words) == ["10.0.0.1 (100)"])
    }

    @Test mutating func attemptsOfManyHours_areNoGuesses() {
        for number in 0..<100 { guesses.add(from: address(1), now: time(number * 59 * 60)) }
        #expect(guesses.guessers(time(99 * 59 * 60)).isEmpty, "one slip each 59 minutes, behind one address")
        for _ in 0..<PasswordGuesses.hourMin { guesses.add(from: address(1), now: time(100 * 59 * 60)) }
        #expect(guesses.guessers(time(100 * 59 * 60)).map(\.words) == ["10.0.0.1 (43)"], "of the day")
    }

    @Test mutating func addresses_areBounded_andWhoTriesMostIsKept() {
        for _ in 0..<PasswordGuesses.hourMin { guesses.add(from: address(0), now: time(1)) }
        for number in 1..<1_000 { guesses.add(from: address(UInt64(number)), now: time(2)) }
        #expect(guesses.addressCount == PasswordGuesses.addressesMax)
        #expect(guesses.guessers(time(2)).map(\.address) == [address(0)])
    }
}

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
        for second in 1..<PasswordGuesses.attemptsMin { guesses.add(from: address(1), now: time(second)) }
        #expect(guesses.sources(time(60)).isEmpty)
        guesses.add(from: address(1), now: time(60))
        let found = guesses.sources(time(60))
        #expect(found.map(\.address.text) == ["10.0.0.1"] && found.map(\.count) == [PasswordGuesses.attemptsMin])
    }

    @Test mutating func addressesOfOneNetwork_areOne() {
        for low in 0..<UInt64(PasswordGuesses.attemptsMin) {
            guesses.add(from: PeerAddress(high: 0x2001_0DB8_0000_0001, low: low), now: time(1))
        }
        #expect(guesses.sources(time(1)).map(\.address) == [PeerAddress(high: 0x2001_0DB8_0000_0001, low: 0)])
    }

    @Test mutating func address_isForgottenAnHourAfterItsLastAttempt() {
        for _ in 0..<30 { guesses.add(from: address(1), now: time(10)) }
        #expect(guesses.sources(time(3_610)).count == 1)
        #expect(guesses.sources(time(3_611)).isEmpty)
        guesses.add(from: address(1), now: time(3_612))
        #expect(guesses.sources(time(3_612)).isEmpty, "it begins anew")
    }

    @Test func addresses_areBounded_andWhoTriesMostIsKept() {
        var attempts = AttemptsByAddress(sourcesMax: 64, kept: .seconds(3_600))
        for _ in 0..<5 { attempts.add(from: address(0), now: time(1)) }
        for number in 1..<1_000 { attempts.add(from: address(UInt64(number)), now: time(2)) }
        #expect(attempts.sources.count == 64)
        #expect(attempts.sources.contains { $0.address == address(0) && $0.count == 5 })
    }
}

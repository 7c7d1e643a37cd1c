import CairnTime
import Testing

@testable import CairnWebSocket

/// Who has the places of a lane, and who gives way.
@Suite("HTTP: places of the lane")
struct LanePlacesTests {
    private var places = LanePlaces(answersMax: 6, perClientMax: 4)
    private var now = MonotonicTime.epoch

    private enum Outcome: Equatable {
        case free
        /// In place of the answer with this number.
        case instead(UInt64)
        case refused
    }

    /// The next answer's; the first has the number 1, and each was ready for more a second after the one before.
    private mutating func admit(_ client: UInt64?, account: UInt64? = nil) -> Outcome {
        now += .seconds(1)
        let address = client.map { PeerAddress(high: $0, low: 1) }
        let answer = LanePlaces.Answer(client: address, account: account, wanted: now, giveWay: {})
        switch places.admit(answer) {
        case .place(_, instead: nil): return .free
        case .place(_, let instead?): return .instead((instead.wanted - .epoch).microseconds.magnitude / 1_000_000)
        case .refused: return .refused
        }
    }

    private mutating func fill(_ clients: [UInt64], account: UInt64? = nil) {
        for client in clients {
            let outcome = admit(client, account: account)
            #expect(outcome == .free)
        }
    }

    @Test mutating func client_hasItsShare() {
        fill([1, 1, 1, 1])
        let beyond = admit(1)
        #expect(beyond == .refused)
        fill([2])
    }

    @Test mutating func newcomer_getsThePlaceOfWhoHasTheMost() {
        fill([2, 1, 1, 1, 3, 2])
        let outcome = admit(4)
        #expect(outcome == .instead(2))
        #expect(places.count == 6)
    }

    @Test mutating func readerThatWasReadyLast_keepsItsPlace() {
        fill([1, 1, 1, 2, 3, 4])
        places.noteWanted(1, now: now)
        let outcome = admit(5)
        #expect(outcome == .instead(2))
    }

    @Test mutating func whoWouldHaveAsMany_isRefused() {
        fill([1, 1, 1, 2, 2, 3])
        let outcomes = [admit(4), admit(4), admit(3), admit(1)]
        #expect(outcomes == [.instead(1), .refused, .refused, .refused])
    }

    @Test mutating func account_isCountedOverItsAddresses() {
        fill([1, 2, 3, 4, 5, 6], account: 7)
        // Another account, more of the same one, and nobody's.
        let outcomes = [admit(8, account: 9), admit(9, account: 7), admit(10)]
        #expect(outcomes == [.instead(1), .refused, .instead(2)])
    }

    @Test mutating func whoseAccountHasTheMost_displacesNobody_fromWhateverAddress() {
        fill([1, 2, 3, 4], account: 7)
        fill([5, 5], account: 8)
        let outcome = admit(6, account: 7)
        #expect(outcome == .refused)
    }

    @Test mutating func unknownClientWithoutAccount_displacesNobody() {
        fill([1, 1, 1, 2, 2, 2], account: 7)
        let outcome = admit(nil)
        #expect(outcome == .refused)
    }

    @Test mutating func placeThatWasGivenUp_isGivenBackOnce() {
        fill([1, 1, 1, 2, 3, 4])
        let outcome = admit(5)
        #expect(outcome == .instead(1))
        places.leave(1)
        #expect(places.count == 6)
        places.leave(2)
        #expect(places.count == 5)
    }
}

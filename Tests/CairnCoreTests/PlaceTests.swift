import CairnTesting
import CairnWire
import Testing

@testable import CairnCore

/// A connection is named by node, loop and id.
@Suite("Place")
struct PlaceTests {
    private static func participant(node: UInt16, loop: Int, _ connection: UInt64) -> Participant {
        Participant(place: Place(node: NodeID(node), loop: loop), connection: connection, format: .proto)
    }

    @Test func connections_withTheSameNumberOnOtherLoopsOrNodes_areOthers() {
        let all = [0, 1, 1_023].flatMap { node in
            [0, 1, 65_535].flatMap { loop in
                [0, 1, UInt64.max].map { Self.participant(node: node, loop: loop, $0) }
            }
        }
        #expect(Set(all).count == 27)
        #expect(Set(all.map(\.hashValue)).count == 27)
    }

    @Test func participant_saysWhereItIs() {
        let participant = Self.participant(node: 3, loop: 9, 42)
        #expect(participant.place.node == NodeID(3))
        #expect(participant.loop == 9)
    }

    /// Cells and accounts hold one for each person.
    @Test func participant_takesTwoWords() {
        #expect(MemoryLayout<Participant>.stride == 16)
    }
}

import CairnCore
import CairnGeo
import CairnTesting
import CairnTime
import CairnWire
import Testing

@testable import CairnServer

/// SES-5: what devices say of where they are, as far as they know it.
@Suite("Server: positions")
struct PositionTests {
    private static func position(_ change: (inout WirePosition) -> Void) -> WirePosition {
        var position = WirePosition.make()
        change(&position)
        return position
    }

    private static func orientation(heading: Float) throws -> UInt32 {
        try position { $0.heading = heading }.sample(at: .epoch).orientation
    }

    /// As Core Location has it: speed and heading are negative where they are not known.
    @Test func positionOfAPhoneThatKnowsNothingElse_isTaken() throws {
        let sample = try Self.position { ($0.heading, $0.speed) = (-1, -1) }.sample(at: .epoch)
        #expect(sample.coordinate.distanceMetres(to: Ground.here.centre) < 0.01)
        #expect(sample.accuracyMetres == nil)
        #expect(sample.orientation == Quaternion.identity.packed)
    }

    /// As Core Location has it: a negative accuracy says that the coordinate is invalid.
    @Test(arguments: [-0.5, -1, -65.5] as [Float])
    func accuracyBelowZero_isTheWorst(accuracy: Float) throws {
        let sample = try Self.position { $0.accuracy = accuracy }.sample(at: .epoch)
        #expect(sample.accuracyMetres == Float.infinity)
        #expect(sample.coordinate.distanceMetres(to: Ground.here.centre) < 0.01)
    }

    @Test(arguments: [0, -0.0] as [Float])
    func accuracyOfZero_isTheBest(accuracy: Float) throws {
        #expect(try Self.position { $0.accuracy = accuracy }.sample(at: .epoch).accuracyMetres == 0)
    }

    @Test func headingOfMinusOne_isNoDirection() throws {
        #expect(try Self.orientation(heading: -1) == Quaternion.identity.packed)
        #expect(try Self.orientation(heading: -1) != Self.orientation(heading: 359))
        #expect(try Self.orientation(heading: -90) == Self.orientation(heading: 270))
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity])
    func whatIsNoNumber_isRefusedByItsField(value: Float) {
        let changes: [(String, (inout WirePosition) -> Void)] = [
            ("accuracy", { $0.accuracy = value }), ("heading", { $0.heading = value }), ("speed", { $0.speed = value }),
            ("h", { $0.h = Double(value) }), ("lat, lon", { $0.lat = Double(value) }),
        ]
        for (field, change) in changes {
            let refusal = #expect(throws: Refusal.self) { try Self.position(change).sample(at: .epoch) }
            #expect(refusal?.code == .badPosition && refusal?.details["field"] == field)
        }
    }

    /// Core Location's coordinate that is none.
    @Test func placeThatIsNone_isRefused() {
        let refusal = #expect(throws: Refusal.self) {
            try Self.position { ($0.lat, $0.lon) = (-180, -180) }.sample(at: .epoch)
        }
        #expect(refusal?.code == .badPosition)
    }
}

import CairnGeo
import Testing

/// What people draw is decided as S2 decides it, without S2 (TRM-3, NAV-4).
@Suite struct FlatAreaTests {
    /// A ring of random places, some of them crossing itself, and lines that begin near its middle.
    private static func places(
        _ count: Int, around plane: LocalPlane, metres: Double, _ random: inout SeededGenerator
    ) -> [Coordinate] {
        (0..<count).map { _ in plane.coordinate(east: random.unit() * metres, north: random.unit() * metres) }
    }

    @Test func answers_areThoseOfS2() throws {
        var random = SeededGenerator(31)
        var (areas, lines, differing) = (0, 0, 0)
        for _ in 0..<400 {
            let plane = LocalPlane(origin: .make(.random(in: -80...80, using: &random), 12))
            let ring = Self.places(.random(in: 3...6, using: &random), around: plane, metres: 5_000, &random)
            let (flat, sphere) = (try? FlatArea(ring), try? Polygon(ring))
            #expect((flat == nil) == (sphere == nil))
            guard let flat, let sphere else { continue }
            #expect(flat.corners == sphere.vertices)
            areas += 1
            for _ in 0..<10 {
                let path = Self.places(3, around: plane, metres: 3_000, &random)
                var tests = EdgeTests(most: 1_000_000)
                let outside = try flat.firstOutside(of: path, &tests)
                let touched = try FlatOutlines(of: [sphere], around: ring[0]).firstTouched(by: path, &tests)
                lines += 1
                // What is nearer to the outline than a millimetre may differ.
                if (outside == nil) != sphere.contains(path: path) { differing += 1 }
                if (touched != nil) != sphere.intersects(path: path) { differing += 1 }
            }
        }
        #expect(areas > 50 && differing * 500 <= lines, "\(differing) of \(lines) lines in \(areas) areas")
    }

    @Test func testsAreCounted_andUsedUp() throws {
        let square: [Coordinate] = [.make(0, 0), .make(0, 0.01), .make(0.01, 0.01), .make(0.01, 0)]
        let path = (0..<100).map { Coordinate.make(0.005, $0 % 2 == 0 ? 0.001 : 0.009) }
        var tests = EdgeTests(most: 1_000)
        #expect(try FlatArea(square).firstOutside(of: path, &tests) == nil && tests.count < 1_000)
        tests = EdgeTests(most: 50)
        #expect(throws: EdgeTests.UsedUp.self) { try FlatArea(square).firstOutside(of: path, &tests) }
    }

    @Test func cornersThatAreNoArea_areNamed() {
        let bow: [Coordinate] = [.make(0, 0), .make(0.01, 0.01), .make(0, 0.01), .make(0.01, 0)]
        #expect(throws: FlatArea.Fault(reason: .crossing, index: 2)) { try FlatArea(bow) }
        let twice: [Coordinate] = [.make(0, 0), .make(0, 0.01), .make(0.01, 0.01), .make(0, 0.01)]
        #expect(throws: FlatArea.Fault(reason: .repeated, index: 3)) { try FlatArea(twice) }
        #expect(throws: FlatArea.Fault(reason: .repeated, index: 4)) { try FlatArea([twice[0]] + twice) }
        #expect(throws: FlatArea.Fault(reason: .tooFew, index: 2)) { try FlatArea([bow[0], bow[0], bow[1]]) }
    }

    /// A double click, as programs for drawing write it.
    @Test func cornerThatStandsThereTwiceInARow_isOne() throws {
        let square: [Coordinate] = [.make(0, 0), .make(0, 0.01), .make(0.01, 0.01), .make(0.01, 0)]
        let area = try FlatArea(square.flatMap { [$0, $0] } + [square[0], square[0]])
        #expect(area.corners == (try FlatArea(square)).corners)
    }
}

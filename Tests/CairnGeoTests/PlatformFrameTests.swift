import CairnGeo
import Testing

@Suite struct PlatformFrameTests {
    /// The rows are the platform's axes in east, north, up (ecosystem.md 1.2).
    private func axes(_ frame: PlatformFrame) -> Matrix {
        switch frame {
        case .arkit, .arcore, .webXR: Matrix(rows: [[1, 0, 0], [0, 0, 1], [0, -1, 0]])
        case .unityEUN: Matrix(rows: [[1, 0, 0], [0, 0, 1], [0, 1, 0]])
        }
    }

    @Test(arguments: PlatformFrame.allCases)
    func maps_ofRandomPoses_areThoseOfTheMatrices(frame: PlatformFrame) {
        var random = SeededGenerator(18)
        let axes = axes(frame)
        for _ in 0..<10_000 {
            let enu = random.quaternion()
            let there = Matrix(frame.orientation(fromENU: enu))
            let expected = axes * Matrix(enu) * axes.transposed
            for row in 0..<3 { #expect(distance(there.rows[row], expected.rows[row]) < 1e-12) }
            let place = SIMD3(random.unit(), random.unit(), random.unit()) * 100
            #expect(frame.position(fromENU: place) == axes * place)
        }
    }

    @Test(arguments: PlatformFrame.allCases)
    func maps_thereAndBack_changeNothing(frame: PlatformFrame) {
        var random = SeededGenerator(19)
        for _ in 0..<1000 {
            let (q, place) = (random.quaternion(), SIMD3(random.unit(), random.unit(), random.unit()))
            #expect(frame.enu(fromOrientation: frame.orientation(fromENU: q)) == q)
            #expect(frame.orientation(fromENU: frame.enu(fromOrientation: q)) == q)
            #expect(frame.enu(fromPosition: frame.position(fromENU: place)) == place)
        }
    }

    @Test func examples_areFive_andHold() {
        #expect(PlatformFrame.examples.count == 5)
        for example in PlatformFrame.examples {
            for frame in PlatformFrame.allCases {
                let expected = frame == .unityEUN ? example.unity : example.rightHanded
                #expect(frame.position(fromENU: example.enuPosition) == expected.position, "\(example.name)")
                let orientation = frame.orientation(fromENU: example.enuOrientation)
                #expect(orientation.isSameRotation(as: expected.orientation), "\(example.name)")
                #expect(orientation.isUnit)
            }
        }
    }
}

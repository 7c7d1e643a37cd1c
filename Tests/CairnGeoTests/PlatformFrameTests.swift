import CairnGeo
import Foundation
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

    /// The vectors that docs/protocol.md shows to those who write clients.
    @Test func sharedVectors_holdBothWays() throws {
        struct Shared: Decodable {
            let vectors: [[String: Entry]]
        }
        enum Entry: Decodable {
            case name(String)
            case pose(position: SIMD3<Double>, quaternion: SIMD4<Double>)

            init(from decoder: any Decoder) throws {
                struct Pose: Decodable {
                    let position: SIMD3<Double>
                    let quaternion: SIMD4<Double>
                }
                if let name = try? decoder.singleValueContainer().decode(String.self) {
                    self = .name(name)
                } else {
                    let pose = try Pose(from: decoder)
                    self = .pose(position: pose.position, quaternion: pose.quaternion)
                }
            }
        }
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/frames.json")
        let shared = try JSONDecoder().decode(Shared.self, from: Data(contentsOf: file.standardizedFileURL))
        #expect(shared.vectors.count == 5)
        for vector in shared.vectors {
            guard case .pose(let enu, let turned)? = vector["enu"] else { throw CocoaError(.coderValueNotFound) }
            let orientation = Quaternion(x: turned.x, y: turned.y, z: turned.z, w: turned.w)
            for frame in PlatformFrame.allCases {
                guard case .pose(let place, let q)? = vector[frame.rawValue] else {
                    throw CocoaError(.coderValueNotFound)
                }
                let there = Quaternion(x: q.x, y: q.y, z: q.z, w: q.w)
                #expect(frame.position(fromENU: enu) == place, "\(vector)")
                #expect(frame.enu(fromPosition: place) == enu, "\(vector)")
                #expect(frame.orientation(fromENU: orientation).isSameRotation(as: there), "\(vector)")
                #expect(there.isUnit)
            }
        }
    }
}

import CairnGeo
import Testing

@Suite struct GeoPoseTests {
    private func make(height: Double = 11.5, orientation: Quaternion = .identity) -> GeoPose {
        GeoPose(coordinate: .westminster, heightMetres: height, orientation: orientation)
    }

    @Test func pose_withAnOrientationAlmostUnit_isMadeUnit() throws {
        let pose = try #require(make(orientation: Quaternion(x: 0, y: 0, z: 0, w: 1.0009)).validated())
        #expect(pose == make())
    }

    @Test(arguments: [
        Quaternion(x: 0, y: 0, z: 0, w: 0), Quaternion(x: 0, y: 0, z: 0, w: 1.0011),
        Quaternion(x: 0, y: 0, z: 0, w: 0.9989),
        Quaternion(x: .nan, y: 0, z: 0, w: 1), Quaternion(x: 0, y: .infinity, z: 0, w: 1),
    ])
    func pose_withoutARotation_isRefused(orientation: Quaternion) {
        #expect(make(orientation: orientation).validated() == nil)
    }

    @Test(arguments: [.nan, .infinity, -.infinity] as [Double])
    func pose_withoutAHeight_isRefused(height: Double) {
        #expect(make(height: height).validated() == nil)
    }
}

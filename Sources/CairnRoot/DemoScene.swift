internal import Foundation

/// Where a throw-away world is, for the page for players.
public struct DemoScene: Sendable {
    /// "LAT,LON": where something is going on.
    let place: String
    /// GeoJSON that the map is drawn on.
    let ground: [UInt8]
    /// The ground's file in the folder of the world.
    static let groundFile = "/town.geojson"

    /// A scene at a place, on a ground.
    public init(place: String, ground: [UInt8]) {
        self.place = place
        self.ground = ground
    }

    /// Makes the folder of the world, with the ground in it.
    func write(to folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Data(ground).write(to: URL(filePath: folder + Self.groundFile))
    }
}

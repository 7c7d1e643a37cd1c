internal import Foundation

/// Which worlds a key file has opened, in a file beside it. A database that is missing where one was before is a disk
/// that is not mounted; one that is missing anywhere else is a new world.
extension KeyFile {
    /// Paths that are remembered; the oldest goes first.
    private static let worldsMax = 1_000

    private var worldsPath: String { path + ".worlds" }

    private var worlds: [String] {
        guard let text = try? String(contentsOfFile: worldsPath, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").map(String.init)
    }

    private static func absolute(_ world: String) -> String { URL(fileURLWithPath: world).standardizedFileURL.path }

    /// Whether a world at this path was opened with the key.
    func hasOpened(world: String) -> Bool { exists && worlds.contains(Self.absolute(world)) }

    /// Remembers that the key opens the world at this path. Where the key's folder cannot be written, as where keys are
    /// mounted from elsewhere, nothing is remembered: a missing database is a new world there.
    func note(world: String) {
        let world = Self.absolute(world)
        guard !worlds.contains(world), !world.contains("\n") else { return }
        let lines = (worlds + [world]).suffix(Self.worldsMax)
        let draft = worldsPath + ".part"
        do {
            try DatabaseFile.create(draft: draft, holding: Array(lines.map { $0 + "\n" }.joined().utf8))
            try DatabaseFile.publish(draft, as: worldsPath)
        } catch {
            try? FileManager.default.removeItem(atPath: draft)
        }
    }
}

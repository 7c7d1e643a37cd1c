internal import CairnText
internal import Foundation

/// The worlds that a key file has opened, in a file beside it. If the database of a known world is missing, its disk is
/// probably not mounted. A missing database at any other path means a new world.
extension KeyFile {
    /// Most paths that are remembered; the oldest is dropped first.
    private static let worldsMax = 1_000

    private var worldsPath: String { path + ".worlds" }

    private var worlds: [String] {
        guard let text = try? String(contentsOfFile: worldsPath, encoding: .utf8) else { return [] }
        return text.pieces(at: "\n").map(String.init)
    }

    private static func absolute(_ world: String) -> String { URL(fileURLWithPath: world).standardizedFileURL.path }

    /// Whether a world at this path was opened with the key.
    func hasOpened(world: String) -> Bool { exists && worlds.contains(Self.absolute(world)) }

    /// Remembers that the key opens the world at this path. If the key's folder is read-only, for instance a mounted
    /// secret, nothing is remembered, and a missing database counts as a new world.
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

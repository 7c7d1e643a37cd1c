internal import CairnText
internal import Foundation

/// What is remembered of the worlds that a key file has opened, in a file beside it. If the database of a known world
/// is missing, its disk is probably not mounted. A missing database at any other path means a new world.
extension KeyFile {
    /// Most lines that are remembered, one or two for each world; the oldest is dropped first.
    private static let linesMax = 2_000

    private var worldsPath: String { path + ".worlds" }

    private var lines: [String] {
        guard let text = try? String(contentsOfFile: worldsPath, encoding: .utf8) else { return [] }
        return text.pieces(at: "\n").map(String.init)
    }

    private static func absolute(_ world: String) -> String { URL(fileURLWithPath: world).standardizedFileURL.path }

    /// Whether a world at this path was opened with the key.
    func hasOpened(world: String) -> Bool { exists && lines.contains(Self.absolute(world)) }

    /// Remembers that the key opens the world at this path. If the key's folder is read-only, for instance a mounted
    /// secret, nothing is remembered, and a missing database counts as a new world.
    func note(world: String) { note(line: Self.absolute(world)) }

    // MARK: The operators' credential

    /// Whether the operators' credential of the world in this folder is kept outside of it.
    public func hasCredential(ofWorldIn folder: String) -> Bool { lines.contains(Self.credentialLine(folder)) }

    /// Remembers that it is. From then on a file in the data folder is not accepted as the credential.
    public func noteCredential(ofWorldIn folder: String) { note(line: Self.credentialLine(folder)) }

    /// No path begins like it.
    private static func credentialLine(_ folder: String) -> String { "credential of " + absolute(folder) }

    private func note(line: String) {
        guard !lines.contains(line), !line.contains("\n") else { return }
        let lines = (lines + [line]).suffix(Self.linesMax)
        let draft = worldsPath + ".part"
        do {
            try DatabaseFile.create(draft: draft, holding: Array(lines.map { $0 + "\n" }.joined().utf8))
            try DatabaseFile.publish(draft, as: worldsPath)
        } catch {
            try? FileManager.default.removeItem(atPath: draft)
        }
    }
}

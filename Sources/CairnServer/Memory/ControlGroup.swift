internal import CairnText
internal import Foundation

/// The control groups that limit the process's memory, its own and those above it, as far as a container lets it see
/// them. Version 2, or version 1 where that has the memory controller.
package struct ControlGroup: Sendable {
    private let folders: [String]
    private let limits: [String]

    /// Version 1 says a number like this for none.
    private static let limitMax = 1 << 60

    /// - Parameters:
    ///   - membership: the text of `/proc/self/cgroup`.
    ///   - mount: where the groups are mounted.
    /// - Returns: nil when no group is to be seen that can have a limit.
    package init?(membership: String, mount: String = "/sys/fs/cgroup") {
        let paths = Self.paths(in: membership)
        let versions = [
            ("memory", mount + "/memory", ["memory.limit_in_bytes"]), ("", mount, ["memory.max", "memory.high"]),
        ]
        for (controller, root, limits) in versions {
            guard let path = paths[controller] else { continue }
            let folders = Self.folders(from: path, below: root).filter { folder in
                limits.contains { FileManager.default.fileExists(atPath: folder + "/" + $0) }
            }
            guard !folders.isEmpty else { continue }
            self.folders = folders
            self.limits = limits
            return
        }
        return nil
    }

    /// By controller; version 2 has none.
    private static func paths(in membership: String) -> [String: String] {
        var paths: [String: String] = [:]
        for line in membership.pieces(at: "\n") {
            // Number, controllers, path; a path may have colons in it.
            let parts = line.pieces(at: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            for controller in parts[1].pieces(at: ",", omittingEmptySubsequences: false) {
                paths[String(controller)] = String(parts[2])
            }
        }
        return paths
    }

    /// The group's folder and those above it. In a container its own is the root, whatever it is called outside.
    private static func folders(from path: String, below root: String) -> [String] {
        path.pieces(at: "/").reduce(into: [root]) { folders, part in
            if part != "..", let above = folders.last { folders.append(above + "/" + part) }
        }
    }

    /// The process's use of the lowest present limit; nil = there is none.
    ///
    /// What other processes of the group have is not this one's to give up, and files' pages are the kernel's to take
    /// back; what it keeps for sockets is counted where the kernel says it.
    /// - Parameter ownBytes: memory of the process itself.
    func use(ownBytes: Int) -> MemoryUse? {
        let limited = folders.compactMap { folder in
            limits.compactMap { Self.number(in: folder + "/" + $0) }.min().map { (folder, $0) }
        }
        guard let (folder, limit) = limited.min(by: { $0.1 < $1.1 }), limit < Self.limitMax else { return nil }
        let sockets = Self.count("sock", in: folder + "/memory.stat") ?? 0
        return MemoryUse(limit: .cgroup, usedBytes: ownBytes + sockets, limitBytes: limit)
    }

    /// nil also for `max`.
    private static func number(in path: String) -> Int? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private static func count(_ name: String, in path: String) -> Int? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let line = text.pieces(at: "\n").first { $0.hasPrefix(name + " ") }
        return line.flatMap { Int($0.dropFirst(name.count + 1)) }
    }
}

internal import CairnConfiguration
internal import Foundation
internal import Logging

/// Files with secrets that settings name, and whether other users can read them. The key of the world and the
/// operators' credential are checked where they are read.
enum SecretFiles {
    /// The problems, a line for each file: which setting names it, and what to do.
    static func complaints(about loaded: LoadedConfiguration) -> [String] {
        var complaints: [String] = []
        if let key = loaded.configuration.listen.tlsKey, isExposed(key) {
            complaints.append("listen.tlsKey: others than its owner can read \(key): set its mode to 0600")
        }
        // A settings file without a secret may be readable by all.
        for setting in loaded.settings where setting.key.isSecret {
            guard case .file(let path) = setting.origin, isExposed(path) else { continue }
            complaints.append(
                "\(setting.key.name): it is a secret, and others than its owner can read \(path): set its mode to 0600")
        }
        return complaints
    }

    /// Says so in the log.
    static func warn(about loaded: LoadedConfiguration, _ logger: Logger) {
        for complaint in complaints(about: loaded) { logger.warning("\(complaint)") }
    }

    /// Whether others than the owner, root's group and this process's own group can read or change it. Packages give
    /// keys to a group (root:ssl-cert, 0640), and a service that runs under it is meant by that.
    private static func isExposed(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        if status.st_mode & 0o007 != 0 { return true }
        return status.st_mode & 0o070 != 0 && status.st_gid != 0 && status.st_gid != getegid()
    }
}

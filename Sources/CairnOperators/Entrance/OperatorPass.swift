internal import CairnCrypto
internal import Foundation

/// A console's cookie, as the server keeps it.
struct OperatorCookie: Hashable, Sendable {
    let digest: SHA256.Digest
}

/// By what an operator came in: who they are, and the right that their connection ends with.
struct OperatorPass: Sendable {
    /// For the audit log and the log; no secret.
    let name: String
    /// Nil = the right lasts as long as the server.
    let cookie: OperatorCookie?

    init(name: String, cookie: OperatorCookie?) {
        self.name = name
        self.cookie = cookie
    }

    /// The user of this machine at the other end of the stats socket, and as whom they logged in before they became
    /// that user.
    init(socket descriptor: Int32) {
        // struct ucred: pid, uid, gid.
        var peer: (pid: Int32, user: UInt32, group: UInt32) = (0, .max, .max)
        var length = socklen_t(MemoryLayout.size(ofValue: peer))
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 else {
            self.init(name: "the stats socket", cookie: nil)
            return
        }
        let user = Self.name(of: peer.user)
        let text = (try? String(contentsOfFile: "/proc/\(peer.pid)/loginuid", encoding: .utf8)) ?? ""
        // The kernel's word for "nobody has logged in" is the largest number.
        let login = UInt32(text.trimmingCharacters(in: .whitespacesAndNewlines)).flatMap { $0 == .max ? nil : $0 }
        let before = login.flatMap { $0 == peer.user ? nil : ", logged in as \(Self.name(of: $0))" } ?? ""
        self.init(name: user + before, cookie: nil)
    }

    /// A user's name on this machine, or the number of one without.
    private static func name(of user: UInt32) -> String {
        // The entry points into the text.
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4_096) { text in
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            guard let start = text.baseAddress, getpwuid_r(user, &entry, start, text.count, &found) == 0,
                found != nil, let name = entry.pw_name
            else { return "user \(user)" }
            return String(cString: name)
        }
    }
}

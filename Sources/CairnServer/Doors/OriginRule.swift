internal import CairnConfiguration

/// Which pages may open a socket (pitfalls B17): the server's own and those that are allowed. Programs that are no
/// browsers send no origin and are let in.
package struct OriginRule: Sendable {
    private let allowed: Set<String>
    private let behindProxy: Bool

    /// - Parameter behindProxy: a proxy has taken TLS off, or has not: pages of either sort may be the server's own.
    package init(allowed: [String], behindProxy: Bool) {
        self.allowed = Set(allowed.map { $0.lowercased() })
        self.behindProxy = behindProxy
    }

    /// Of players' pages.
    init(_ listen: Configuration.Listen) {
        self.init(allowed: listen.originsAllowed, behindProxy: listen.behindProxy)
    }

    package func allows(_ origin: String, host: String, isTLS: Bool) -> Bool {
        guard !origin.isEmpty else { return true }
        let (origin, host) = (origin.lowercased(), host.lowercased())
        if allowed.contains(origin) || origin == (isTLS ? "https://" : "http://") + host { return true }
        return behindProxy && origin == "https://" + host
    }
}

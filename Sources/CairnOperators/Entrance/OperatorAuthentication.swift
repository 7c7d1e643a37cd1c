internal import CairnCrypto
internal import CairnServer
internal import CairnText
internal import CairnTime
internal import CairnWebSocket
internal import Foundation
internal import Synchronization

/// Authenticates operators by the credential, by a single-use link, or by the cookie that either is exchanged for.
/// Secrets are held as hashes and compared in constant time.
final class OperatorAuthentication: Sendable {
    /// The cookie's name. Browsers send a host's cookies to all of its ports, so each server has a name of its own.
    let cookieName: String
    private let credential: SHA256.Digest
    /// The credential for `/metrics` alone; nil = there is none.
    private let metricsCredential: SHA256.Digest?
    private let state = Mutex(State())

    private struct State {
        /// Hashes, and when they expire.
        var links: [SHA256.Digest: MonotonicTime] = [:]
        var cookies: [SHA256.Digest: MonotonicTime] = [:]
    }

    /// A link is good for 15 minutes and once.
    static let linkSeconds = 900.0
    /// A cookie is good for 12 hours.
    static let cookieSeconds = 43_200.0
    private static let linksMax = 16
    private static let cookiesMax = 64
    private static let secretBytesMax = 512

    init(credential: String, metricsCredential: String? = nil) {
        self.credential = Self.hash(credential)
        self.metricsCredential = metricsCredential.map(Self.hash)
        cookieName = "cairn_operator_" + self.credential.prefix(4).map { String($0, radix: 16) }.joined()
    }

    /// Whether an upgrade or page request is an operator's.
    func admits(authorization: String, cookie: String) -> Bool {
        if isCredential(authorization: authorization) { return true }
        guard let value = value(in: cookie) else { return false }
        return admits(OperatorCookie(digest: Self.hash(value)))
    }

    /// Whether the cookie is neither expired nor signed out.
    func admits(_ cookie: OperatorCookie) -> Bool {
        state.withLock { state in
            Self.forgetExpired(&state.cookies)
            return state.cookies[cookie.digest] != nil
        }
    }

    /// By what an upgrade that was let in came in.
    /// - Parameter client: the other end, beyond proxies of ours.
    func pass(authorization: String, cookie: String, from client: PeerAddress) -> OperatorPass {
        let address = client.text
        if isCredential(authorization: authorization) {
            return OperatorPass(name: "the credential, from \(address)", cookie: nil)
        }
        // Without a cookie nothing is admitted: the digest of nothing is none that was given.
        let digest = Self.hash(value(in: cookie) ?? "")
        let number = digest.prefix(3).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return OperatorPass(
            name: "the console, sign-in \(number), from \(address)", cookie: OperatorCookie(digest: digest))
    }

    /// Whether a request for the figures comes from an operator, or from a collector that was given their credential.
    func admitsToMetrics(authorization: String, cookie: String) -> Bool {
        if let metricsCredential, Self.bearer(authorization) == metricsCredential { return true }
        return admits(authorization: authorization, cookie: cookie)
    }

    /// Whether an `Authorization` header carries the credential.
    func isCredential(authorization: String) -> Bool { Self.bearer(authorization) == credential }

    /// What an `Authorization` header shows, hashed: digests compare in constant time.
    private static func bearer(_ authorization: String) -> SHA256.Digest? {
        let parts = authorization.pieces(at: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer", parts[1].utf8.count <= secretBytesMax else {
            return nil
        }
        return hash(String(parts[1]))
    }

    /// Makes the secret of a new link. At the bound the oldest link is dropped.
    func makeLink() -> String {
        let secret = Secret.make()
        state.withLock {
            Self.keep(Self.hash(secret), for: .seconds(Self.linkSeconds), in: &$0.links, most: Self.linksMax)
        }
        return secret
    }

    /// Exchanges a link's secret for a cookie; the link is then used up.
    /// - Returns: the cookie's value; nil when the link is unknown, used or expired.
    func enter(link secret: String) -> String? {
        guard secret.utf8.count <= Self.secretBytesMax else { return nil }
        let hash = Self.hash(secret)
        let isGood = state.withLock { state in
            Self.forgetExpired(&state.links)
            return state.links.removeValue(forKey: hash) != nil
        }
        return isGood ? makeCookie() : nil
    }

    /// Makes the value of a new cookie, for an operator who has shown the credential or a link.
    func makeCookie() -> String {
        let value = Secret.make()
        state.withLock {
            Self.keep(Self.hash(value), for: .seconds(Self.cookieSeconds), in: &$0.cookies, most: Self.cookiesMax)
        }
        return value
    }

    /// Signs the operator out: the cookie in the header is no longer valid.
    func forget(cookie: String) {
        guard let value = value(in: cookie) else { return }
        let hash = Self.hash(value)
        state.withLock { $0.cookies[hash] = nil }
    }

    /// The header that gives a browser its cookie.
    func setCookie(_ value: String, isSecure: Bool, seconds: Double = cookieSeconds) -> String {
        "Set-Cookie: \(cookieName)=\(value); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(Int(seconds))"
            + (isSecure ? "; Secure" : "")
    }

    // MARK: Inside

    private func value(in cookie: String) -> String? {
        guard cookie.utf8.count <= 8_192 else { return nil }
        for part in cookie.pieces(at: ";") {
            let pair = part.trimmingPrefix { $0 == " " }.pieces(at: "=", maxSplits: 1)
            guard pair.count == 2, pair[0] == cookieName else { continue }
            return pair[1].utf8.count <= Self.secretBytesMax ? String(pair[1]) : nil
        }
        return nil
    }

    private static func keep(
        _ hash: SHA256.Digest, for time: Duration, in kept: inout [SHA256.Digest: MonotonicTime], most: Int
    ) {
        forgetExpired(&kept)
        if kept.count >= most, let oldest = kept.min(by: { $0.value < $1.value })?.key { kept[oldest] = nil }
        kept[hash] = .now + time
    }

    private static func forgetExpired(_ kept: inout [SHA256.Digest: MonotonicTime]) {
        let time = MonotonicTime.now
        kept = kept.filter { $0.value > time }
    }

    private static func hash(_ secret: String) -> SHA256.Digest { SHA256.hash(data: secret.utf8) }
}

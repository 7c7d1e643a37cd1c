internal import CairnCrypto
internal import CairnText

/// The secret that a person's authenticator app shares with the server (ACC-8; RFC 6238 with SHA-1, 6 digits and steps
/// of 30 seconds, which all apps know).
///
/// The server needs the secret itself, so it is stored sealed and not as a hash.
public struct OneTimeSecret: Hashable, Sendable {
    /// Seconds of a step.
    public static let stepSeconds: Int64 = 30
    /// Digits of a code.
    public static let digits = 6
    /// Bytes of a new secret: those of the hash (RFC 4226, 4, R6).
    public static let byteCount = 20
    /// Bytes that a stored secret may have.
    public static let byteCounts = 16...64

    /// For the store, which seals them.
    public let bytes: [UInt8]

    /// A new secret of 20 random bytes.
    public init() { bytes = randomBytes(Self.byteCount) }

    /// A stored secret; nil = it does not have `byteCounts` bytes.
    public init?(bytes: [UInt8]) {
        guard Self.byteCounts.contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// The step that a second since 1970 lies in. Times before 1970 are in step 0.
    public static func step(at unixSeconds: Int64) -> Int64 { max(0, unixSeconds) / stepSeconds }

    /// The code that an app shows at a second since 1970: six digits.
    public func code(at unixSeconds: Int64) -> String { code(ofStep: Self.step(at: unixSeconds)) }

    /// Whether a person may go on with this code. An app's clock may be a step ahead or behind. Each step is accepted
    /// once: the caller stores the returned step with the account, in the same change that the code completes.
    ///
    /// - Parameters:
    ///   - entered: six ASCII digits; spaces between them, as apps show them, are left out.
    ///   - unixSeconds: the time now, in seconds since 1970.
    ///   - lastStep: the newest step accepted so far; -1 = none.
    /// - Returns: the step of the code; nil = it is wrong or was used.
    public func accepts(_ entered: String, at unixSeconds: Int64, after lastStep: Int64) -> Int64? {
        let digits = Array(entered.asCode(scalarsMax: 16).utf8)
        let present = Self.step(at: unixSeconds)
        var accepted: Int64?
        // All three are computed and compared, whichever is right. An earlier step is used up first.
        for step in [present + 1, present, present - 1] where step >= 0 {
            let isEqual = isEqualInConstantTime(code(ofStep: step).utf8, digits)
            if isEqual && step > lastStep { accepted = step }
        }
        return accepted
    }

    /// HOTP (RFC 4226, 5.3) with the step as its counter.
    private func code(ofStep step: Int64) -> String {
        let counter = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * $0)) }
        let mac = HMAC(.sha1, key: SymmetricKey(data: bytes)).code(for: counter)
        let offset = Int(mac[19] & 15)
        let value = mac[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let code = String(value % 1_000_000)
        return String(repeating: "0", count: Self.digits - code.utf8.count) + code
    }
}

extension OneTimeSecret {
    /// The secret in Base32 without padding (RFC 4648, 6), for people who type it.
    public var base32: String { Base32.encode(bytes) }

    /// The link that authenticator apps read, mostly from a picture: `otpauth://totp/ISSUER:NAME?secret=…&issuer=…`
    /// (Key URI Format of Google Authenticator). Colons of issuer and name are left out, because one parts the two.
    public func link(issuer: String, name: String) -> String {
        let issuer = Self.escaped(issuer)
        return "otpauth://totp/\(issuer):\(Self.escaped(name))?secret=\(base32)&issuer=\(issuer)"
    }

    /// Percent-encoded, but for the unreserved characters of RFC 3986, 2.3.
    private static func escaped(_ text: String) -> String {
        let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        return text.utf8.filter { $0 != UInt8(ascii: ":") }.map { byte in
            if unreserved.contains(byte) { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
        }
        .joined()
    }
}

extension OneTimeSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The same for all, so that no log has a secret (DAT-8).
    public var description: String { "(one-time secret)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

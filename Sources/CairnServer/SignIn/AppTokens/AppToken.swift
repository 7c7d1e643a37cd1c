internal import CairnText
internal import CairnWire
internal import Foundation

/// A token of an app's own backend (ACC-12): a JSON Web Token (RFC 7519) in the compact form of RFC 7515, taken apart
/// and not believed yet.
///
/// Stricter than the standard where leniency would let two texts be one token: base64url in its one canonical spelling,
/// no name twice in an object, no extension that must be understood (`crit`).
struct AppToken: Sendable {
    /// Longest token that is looked at, in bytes (B15). An 8 KB header is the most that web servers take.
    static let bytesMax = 8_192
    /// Objects and arrays within the header or the claims. What is not asked for is passed over: identity providers add
    /// the roles of a person at each of their clients, one object for each.
    private static let containersMax = 4_096
    private static let depthMax = 32

    /// Name of the signature's algorithm, as the token claims.
    let algorithm: String
    /// Name of the key, as the token claims.
    let keyID: String?
    /// The signed bytes: header and claims as they were sent.
    let signed: [UInt8]
    let signature: [UInt8]
    let claims: [String: AppClaim]

    /// Whether a text is of this sort: the server's own tokens have no dots.
    static func isShaped(_ text: String) -> Bool { text.utf8.contains(UInt8(ascii: ".")) }

    /// - Throws: `malformed`.
    init(_ text: String) throws(AppTokenFault) {
        guard text.utf8.count <= Self.bytesMax else { throw .malformed }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Self.decoded(parts[2]), !signature.isEmpty
        else { throw .malformed }
        guard case .text(let algorithm)? = header["alg"], header["crit"] == nil else { throw .malformed }
        switch header["kid"] {
        case .text(let name)?: keyID = name
        // A number names no key of ours: all are tried.
        default: keyID = nil
        }
        self.algorithm = algorithm
        self.claims = claims
        self.signature = signature
        signed = Array(parts[0]) + [UInt8(ascii: ".")] + Array(parts[1])
    }

    private static func object(_ encoded: some Collection<UInt8>) -> [String: AppClaim]? {
        guard let bytes = decoded(encoded), bytes.first == UInt8(ascii: "{"),
            JSONShape.fault(in: bytes, depthMax: depthMax, containersMax: containersMax) == nil,
            bytes.withUnsafeBytes({ StreamSafe.holds(json: $0) })
        else { return nil }
        return try? JSONDecoder().decode([String: AppClaim].self, from: Data(bytes))
    }

    /// Base64url without padding (RFC 7515 2); nil for every spelling but the canonical one, in which the bits that
    /// stand for nothing are zero.
    static func decoded(_ encoded: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(encoded.count * 3 / 4)
        var bits: UInt32 = 0, count = 0
        for letter in encoded {
            guard let value = value(of: letter) else { return nil }
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        guard count < 6, bits & ((1 << UInt32(count)) - 1) == 0 else { return nil }
        return bytes
    }

    static func decoded(_ encoded: String) -> [UInt8]? { decoded(encoded.utf8) }

    private static func value(of letter: UInt8) -> UInt32? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}

/// The value of a claim, as far as any rule looks at it.
enum AppClaim: Equatable, Sendable, Decodable {
    case text(String)
    case number(Double)
    case texts([String])
    case flag(Bool)
    /// Anything else, null included.
    case other

    init(from decoder: any Decoder) throws {
        guard let value = try? decoder.singleValueContainer() else {
            self = .other
            return
        }
        if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let texts = try? value.decode([String].self) {
            self = .texts(texts)
        } else {
            self = .other
        }
    }
}

/// Why a token of an app's backend is rejected. A caller without the key learns only that the signature is wrong.
enum AppTokenFault: String, Error, Sendable {
    /// The server takes no such tokens: `appTokens` is not set.
    case unconfigured
    /// It is no JSON Web Token, or longer than 8,192 bytes.
    case malformed
    /// No key of the server made this signature by the algorithm that the token names.
    case signature
    // The faults below are reported only for tokens with a valid signature.
    case issuer
    case audience
    case subject
    /// `exp` is missing, or no time.
    case expiry
    /// `exp` is over.
    case expired
    /// `nbf` or `iat` is still to come, or `iat` is missing.
    case time
    /// The claim with the name is missing, or no text.
    case name
    /// It was issued before the account was signed out everywhere, or was itself signed out.
    case revoked
    /// A `refresh` brought the token of another account.
    case account
}

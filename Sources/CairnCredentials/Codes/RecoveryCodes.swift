internal import CairnCrypto
internal import CairnText

/// Codes that stand in for a lost authenticator, each once (ACC-8). The person sees them when they are made; the server
/// stores their digests only (DAT-8).
///
/// A code has ten characters of 5 bits, in two groups: `7k2mq-x0v9b`. Fifty random bits are out of reach of guesses
/// that `SignInLimiter` counts. They are a second secret beside the password, and the store seals their digests.
public enum RecoveryCodes {
    /// Codes of an account, by default.
    public static let count = 10
    /// Characters of a code, without the dash.
    public static let characters = 10
    /// Characters of an entered text that are looked at.
    static let enteredBytesMax = 64
    /// Crockford's, small: without i, l, o and u.
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// New codes, all different, as people see them.
    /// - Parameter count: how many, at least 1.
    public static func make(count: Int = count) -> [String] {
        var codes: [String] = []
        while codes.count < count {
            let letters = randomBytes(characters).map { alphabet[Int($0 & 31)] }
            let groups = [letters[..<5], letters[5...]].map { String(decoding: $0, as: UTF8.self) }
            let code = groups.joined(separator: "-")
            if !codes.contains(code) { codes.append(code) }
        }
        return codes
    }

    /// What is stored of a code: 32 bytes, SHA-256 of the account's id, its length and the code. nil = not a code.
    /// - Parameter account: the account's id as bytes, which makes equal codes of two accounts differ. At most 255.
    public static func digest(of entered: String, account: [UInt8]) -> [UInt8]? {
        guard let code = normalized(entered) else { return nil }
        let parts = Array("cairn recovery code".utf8) + [UInt8(clamping: account.count)] + account + code
        return Array(SHA256.hash(data: parts))
    }

    /// Which stored digest an entered code belongs to. All are compared, in constant time.
    /// - Parameter digests: those of the account that were not used yet.
    /// - Returns: the place in `digests`; nil = none. The caller removes it in the change that the code completes.
    public static func place(of entered: String, in digests: [[UInt8]], account: [UInt8]) -> Int? {
        guard let digest = digest(of: entered, account: account) else { return nil }
        var found: Int?
        for (place, stored) in digests.enumerated() where isEqualInConstantTime(digest, stored) { found = place }
        return found
    }

    /// Small letters without dashes and spaces, and the look-alikes as what they look like: o as 0, i and l as 1.
    private static func normalized(_ entered: String) -> [UInt8]? {
        guard entered.utf8.count <= enteredBytesMax else { return nil }
        let code = entered.asCode(scalarsMax: enteredBytesMax).lowercased().utf8.map { byte in
            switch byte {
            case UInt8(ascii: "o"): UInt8(ascii: "0")
            case UInt8(ascii: "i"), UInt8(ascii: "l"): UInt8(ascii: "1")
            default: byte
            }
        }
        return code.count == characters && code.allSatisfy(alphabet.contains) ? code : nil
    }
}

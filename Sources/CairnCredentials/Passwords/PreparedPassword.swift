internal import CUnicode
internal import CairnCrypto

/// A password as it is hashed and compared: the profile OpaqueString of RFC 8265, 4.2. Spaces of every kind are U+0020,
/// the text is in normalization form C, and all its characters are of the FreeformClass (RFC 8264, 4.3). Letter case
/// counts.
///
/// The bytes are wiped when the last copy is gone, and no description shows them. The `String` that it is made from
/// belongs to the caller, and Swift cannot wipe it.
public struct PreparedPassword: Sendable {
    /// Why a text is no password. None of the cases holds a part of the text.
    public enum Fault: Error, Hashable, Sendable {
        /// No character at all.
        case empty
        /// More than `charactersMax` scalar values after the preparation, or more than `bytesMax` bytes before it.
        case tooLong
        /// The scalar value at this place (from 0, after the preparation) is not allowed there: a control, a joiner
        /// without the letters that it joins, an unassigned or private one, one that is never drawn.
        case notAllowed(place: Int)
        /// The tables of ICU did not answer.
        case unreadable
    }

    /// Scalar values after the preparation.
    public static let charactersMax = 128
    /// UTF-8 bytes of a text that is looked at. A longer one is refused before any work.
    public static let bytesMax = 1_024

    /// User-perceived characters; `PasswordRule` counts these.
    let characterCount: Int
    let kinds: PasswordRule.Kinds
    let secret: SecretBytes

    /// Prepares a text. Equal passwords give equal bytes, whichever keyboard wrote them.
    public init(_ text: String) throws(Fault) {
        guard !text.isEmpty else { throw .empty }
        let length = text.utf8.count
        guard length <= Self.bytesMax else { throw .tooLong }
        // NFC of 1,024 bytes has fewer scalar values than three times as many.
        let room = Self.bytesMax * 3
        let outcome: Result<(SecretBytes, PasswordRule.Kinds), Fault> =
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: room) { letters in
                // The scalar values are wiped whatever becomes of them: the buffer lives on the stack.
                defer { wipe(UnsafeMutableRawBufferPointer(letters)) }
                letters.initialize(repeating: 0)
                let count = text.withCString { text in
                    cunicode_opaque(text, Int32(length), letters.baseAddress, Int32(room))
                }
                guard count >= 0 else { return .failure(.unreadable) }
                return Self.check(letters[..<Int(count)])
            }
        (secret, kinds) = try outcome.get()
        // Canonical equivalents have the same user-perceived characters (UAX 29, 3).
        characterCount = text.count
    }

    /// Checks prepared scalar values, and makes their UTF-8.
    private static func check(
        _ letters: Slice<UnsafeMutableBufferPointer<UInt32>>
    ) -> Result<(SecretBytes, PasswordRule.Kinds), Fault> {
        guard !letters.isEmpty else { return .failure(.empty) }
        guard letters.count <= charactersMax else { return .failure(.tooLong) }
        // Lent to C for each call, which only reads it.
        let lent = UnsafeBufferPointer(rebasing: letters)
        var kinds: PasswordRule.Kinds = []
        for (place, value) in lent.enumerated() {
            guard cunicode_is_freeform(lent.baseAddress, Int32(lent.count), Int32(place)) == 1,
                let scalar = Unicode.Scalar(value)
            else { return .failure(.notAllowed(place: place)) }
            kinds.formUnion(PasswordRule.Kinds(of: scalar))
        }
        let secret = SecretBytes(capacity: lent.count * 4) { bytes in
            var count = 0
            for scalar in lent.lazy.compactMap(Unicode.Scalar.init) {
                for unit in UTF8.encode(scalar) ?? .init() {
                    bytes[count] = unit
                    count += 1
                }
            }
            return count
        }
        return .success((secret, kinds))
    }
}

extension PreparedPassword: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The same for all, so that no log has a password (DAT-8).
    public var description: String { "(password)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PreparedPassword: Equatable {
    /// Compares in constant time for passwords of one length.
    public static func == (left: Self, right: Self) -> Bool {
        left.secret.withBytes { left in right.secret.withBytes { isEqualInConstantTime(left, $0) } }
    }
}

internal import CArgon2
internal import CairnCrypto
internal import Foundation

/// A password as it is stored (DAT-8): argon2id (RFC 9106) with a salt of its own, as a PHC string
/// `$argon2id$v=19$m=19456,t=2,p=1$SALT$HASH`.
///
/// Making and comparing one takes as long as its cost says, tens of milliseconds: on `PasswordDesk` and never on a
/// loop.
public struct PasswordHash: Hashable, Sendable {
    /// What one hash costs.
    public struct Cost: Hashable, Sendable {
        /// Kibibytes of memory.
        public let memoryKiB: Int
        /// Times that the memory is gone over.
        public let passes: Int
        /// Parts of the memory that could be filled side by side.
        public let lanes: Int

        /// At most 128 MiB, so that a damaged row cannot ask for more.
        public static let memoryKiBRange = 8...131_072
        public static let passesRange = 1...10
        public static let lanesRange = 1...4

        /// 19 MiB, two passes, one lane: what OWASP's Password Storage Cheat Sheet asks for at least.
        public static let standard = Cost(19_456, 2, 1)

        /// nil = beyond a range, or less than 8 KiB of memory for each lane (RFC 9106, 3.1).
        public init?(memoryKiB: Int, passes: Int, lanes: Int) {
            guard Self.memoryKiBRange.contains(memoryKiB), Self.passesRange.contains(passes),
                Self.lanesRange.contains(lanes), memoryKiB >= 8 * lanes
            else { return nil }
            self.init(memoryKiB, passes, lanes)
        }

        private init(_ memoryKiB: Int, _ passes: Int, _ lanes: Int) {
            self.memoryKiB = memoryKiB
            self.passes = passes
            self.lanes = lanes
        }
    }

    /// Why a hash was not made or compared.
    public enum Failure: Error, Hashable, Sendable {
        /// There is no memory for it now.
        case memory
        /// Another fault of libargon2, by its number (`argon2.h`).
        case library(code: Int)
    }

    /// Bytes of the salt and of the hash that are made. Stored ones may have others (`PHCText`).
    static let saltBytes = 16
    static let hashBytes = 32

    /// The PHC string, which is stored. ASCII, at most `textBytesMax` bytes.
    public let text: String
    /// What making it has cost.
    public let cost: Cost

    /// A stored PHC string.
    /// - Returns: nil = the text is no PHC string of argon2id, version 19, or asks for more than `Cost` allows, as a
    ///   damaged row may.
    public init?(stored text: String) {
        guard let parts = PHCText(text) else { return nil }
        self.text = text
        cost = parts.cost
    }

    /// Makes a hash. Blocks the thread for as long as the cost says.
    /// - Parameter salt: 16 random bytes where none are given, which only tests do. At least 8 bytes.
    public init(of password: PreparedPassword, cost: Cost = .standard, salt: [UInt8]? = nil) throws(Failure) {
        let salt = salt ?? randomBytes(Self.saltBytes)
        var encoded = [CChar](repeating: 0, count: PHCText.bytesMax + 1)
        let code = password.secret.withBytes { bytes in
            argon2id_hash_encoded(
                UInt32(cost.passes), UInt32(cost.memoryKiB), UInt32(cost.lanes), bytes.baseAddress, bytes.count, salt,
                salt.count, Self.hashBytes, &encoded, encoded.count)
        }
        try Self.check(code)
        text = encoded.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        self.cost = cost
    }

    /// A hash of no password, with the same work to compare. Made in microseconds.
    init(decoyOf cost: Cost) {
        let salt = PHCText.base64(randomBytes(Self.saltBytes))
        let hash = PHCText.base64(randomBytes(Self.hashBytes))
        text = "$argon2id$v=19$m=\(cost.memoryKiB),t=\(cost.passes),p=\(cost.lanes)$\(salt)$\(hash)"
        self.cost = cost
    }

    /// Whether the password is the one that was hashed. Blocks the thread for as long as the cost says. libargon2
    /// compares the hashes in constant time (`argon2_compare`).
    public func matches(_ password: PreparedPassword) throws(Failure) -> Bool {
        let code = password.secret.withBytes { argon2id_verify(text, $0.baseAddress, $0.count) }
        if code == ARGON2_VERIFY_MISMATCH.rawValue { return false }
        try Self.check(code)
        return true
    }

    /// Whether the hash was made at another cost, so that the next successful sign-in makes a new one.
    public func needsRehash(for cost: Cost) -> Bool { self.cost != cost }

    private static func check(_ code: Int32) throws(Failure) {
        switch code {
        case ARGON2_OK.rawValue: return
        case ARGON2_MEMORY_ALLOCATION_ERROR.rawValue: throw .memory
        default: throw .library(code: Int(code))
        }
    }
}

extension PasswordHash: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The same for all, so that no log has a hash (DAT-8).
    public var description: String { "(password hash)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

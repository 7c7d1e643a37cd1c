/// A key that seals and opens, or that authenticates. Its bytes are wiped when the last copy is gone, and no
/// description shows them (DAT-8).
public struct SymmetricKey: Sendable {
    /// Bytes of a key for AES-256, and of a random one.
    public static let byteCount = 32

    private let secret: SecretBytes

    private init(_ secret: SecretBytes) { self.secret = secret }

    /// A key of known bytes. The caller's copy is not wiped.
    public init(data: some Sequence<UInt8>) {
        self = data.withBytes { data in
            SymmetricKey(
                SecretBytes(capacity: data.count) { room in
                    room.copyMemory(from: data)
                    return data.count
                })
        }
    }

    /// A new key of `byteCount` random bytes.
    public static func random() -> SymmetricKey {
        SymmetricKey(
            SecretBytes(capacity: byteCount) { room in
                fillWithRandomBytes(room, count: byteCount)
                return byteCount
            })
    }

    /// How many bytes the key has.
    public var count: Int { secret.count }

    /// Lends the bytes until `body` returns.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        secret.withBytes(body)
    }
}

extension SymmetricKey: Equatable {
    /// Compares in constant time for keys of one length.
    public static func == (left: Self, right: Self) -> Bool {
        left.withUnsafeBytes { left in right.withUnsafeBytes { isEqualInConstantTime(left, $0) } }
    }
}

extension SymmetricKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The same for all, so that no log has a key (DAT-8).
    public var description: String { "(key)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

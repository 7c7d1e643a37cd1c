internal import CairnCrypto

/// What attempts are counted by: an account's name, an address, a device. Sixteen bytes that say nothing to the
/// limiters.
///
/// The caller makes the key of an account from the name that was entered, in its compared form, so that an unknown name
/// is counted as a known one is.
public struct LimitKey: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// A key of two numbers, such as the halves of an IPv6 address.
    public init(_ high: UInt64, _ low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A key of one number, such as an id.
    public init(_ number: UInt64) { self.init(0, number) }

    /// A key of any bytes, such as a name: the first half of their SHA-256.
    public init(hashing bytes: some Sequence<UInt8>) {
        let digest = Array(SHA256.hash(data: bytes))
        let halves = [digest[..<8], digest[8..<16]].map { half in half.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        self.init(halves[0], halves[1])
    }
}

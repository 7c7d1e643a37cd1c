/// Stands for an idempotency key within this process: two SipHashes of the key, which clients cannot predict. Keys are
/// remembered for a day, and their texts would take most of an account's memory.
struct KeyName: Hashable, Sendable {
    let high: Int
    let low: Int

    /// The name for a request without a key.
    static let none = KeyName(high: 0, low: 0)

    init(_ key: String) {
        var hasher = Hasher()
        hasher.combine(key)
        // The key is hashed once; the hasher's state has more bits than both hashes.
        var other = hasher
        other.combine(UInt8(1))
        high = hasher.finalize()
        low = other.finalize()
    }

    private init(high: Int, low: Int) {
        self.high = high
        self.low = low
    }
}

internal import CWebSockets

/// A buffer with room for a frame header in front, in which a loop puts messages together.
struct Scratch: ~Copyable {
    /// Owned: `CWS_HEADROOM + capacity` bytes, replaced by `grow` alone and freed in `deinit`.
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        // Freed in deinit; never leaves this file but for the length of one send.
        base = .allocate(capacity: Int(CWS_HEADROOM) + capacity)
    }

    deinit {
        base.deallocate()
    }

    mutating func clear() {
        count = 0
    }

    mutating func append(_ bytes: [UInt8]) {
        if count + bytes.count > capacity { grow(to: count + bytes.count) }
        bytes.withUnsafeBufferPointer { source in
            guard let address = source.baseAddress else { return }
            // Both ends are within bounds: `source` is the array's own, the target was grown above.
            (base + Int(CWS_HEADROOM) + count).update(from: address, count: source.count)
        }
        count += bytes.count
    }

    /// Lends the message; CWS_HEADROOM bytes in front of the pointer are the borrower's.
    func withMessage<Result>(_ body: (UnsafeMutablePointer<UInt8>, Int) -> Result) -> Result {
        body(base + Int(CWS_HEADROOM), count)
    }

    private mutating func grow(to needed: Int) {
        let larger = max(needed, capacity * 2)
        // As large as `init` would have made it. No code has borrowed the old one: a borrowed message excludes changes.
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: Int(CWS_HEADROOM) + larger)
        moved.update(from: base, count: Int(CWS_HEADROOM) + count)
        base.deallocate()
        base = moved
        capacity = larger
    }
}

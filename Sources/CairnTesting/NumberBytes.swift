/// Numbers as bytes, for messages of test features.
extension [UInt8] {
    /// Eight bytes for each number, little-endian.
    public init(numbers: [UInt64]) {
        self = numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) } }
    }

    /// The numbers of `init(numbers:)`.
    public var numbers: [UInt64] {
        stride(from: 0, to: count - count % 8, by: 8).map { start in
            (0..<8).reduce(0) { $0 | UInt64(self[start + $1]) << (8 * UInt64($1)) }
        }
    }
}

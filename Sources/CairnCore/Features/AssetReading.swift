public import CairnWire

/// What a request makes of an asset of its sender (`Effect.read`).
public struct AssetReading: Sendable {
    /// The most bytes that are read; a larger asset is refused with `too_large`.
    public let bytesMax: Int
    /// Examines all bytes, off the loops, where it may take long: the home gets what it has made of them.
    public let examine: @Sendable ([UInt8]) throws(Refusal) -> SQLValue

    public init(bytesMax: Int, examine: @escaping @Sendable ([UInt8]) throws(Refusal) -> SQLValue) {
        (self.bytesMax, self.examine) = (bytesMax, examine)
    }
}

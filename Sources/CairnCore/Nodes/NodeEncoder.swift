public import CairnTime
public import CairnWire

/// Writes values for another node: numbers little-endian and as wide as their type, counts in four bytes, texts in
/// UTF-8.
public struct NodeEncoder: Sendable {
    /// Changes with the form of any value.
    public static let version: UInt8 = 1

    /// What has been written.
    public private(set) var bytes: [UInt8] = []
    private let now: MonotonicTime

    /// - Parameter now: of this node.
    init(now: MonotonicTime) { self.now = now }

    /// Writes values one after the other.
    public mutating func put<each Value: NodeCodable>(_ values: repeat each Value) {
        repeat (each values).encode(to: &self)
    }

    /// Writes a number.
    public mutating func put(number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Writes the number of elements that follow.
    public mutating func put(count: Int) { put(number: UInt32(count)) }

    /// Writes bytes, their count first.
    public mutating func put(bytes added: [UInt8]) {
        put(count: added.count)
        bytes.append(contentsOf: added)
    }

    /// Writes a message as protobuf.
    public mutating func put(message: some WireMessage) { put(bytes: WireBody.encode(message)) }

    /// Writes a moment of this node's monotonic clock as its age: every node counts from a start of its own.
    public mutating func put(moment: MonotonicTime) { put(number: (now - moment).microseconds) }
}

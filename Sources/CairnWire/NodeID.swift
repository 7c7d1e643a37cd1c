/// Names one server process of a world. A world is made for several processes; today there is one, `only`.
public struct NodeID: Hashable, Sendable, CustomStringConvertible {
    /// Bits of a node's number, which is a part of every identifier.
    public static let bits = 10
    /// The one process that serves a world today.
    public static let only = NodeID(0)

    /// From 0 to 1,023.
    public let number: UInt16

    /// Traps for a number of more than ten bits.
    public init(_ number: UInt16) {
        precondition(number < 1 << Self.bits, "a node's number has \(Self.bits) bits; \(number) has more")
        self.number = number
    }

    public var description: String { "\(number)" }
}

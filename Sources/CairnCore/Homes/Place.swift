public import CairnWire

/// Where homes and connections live: a loop of a node.
public struct Place: Hashable, Sendable {
    public let node: NodeID
    private let loopIndex: UInt16

    /// - Parameter loop: from 0; traps for more than 65,535.
    public init(node: NodeID, loop: Int) {
        self.node = node
        loopIndex = UInt16(loop)
    }

    /// Index of the loop in its process.
    public var loop: Int { Int(loopIndex) }
}

/// Names a connection wherever it lives: the place that serves it and its id there.
///
/// 16 bytes: cells and accounts keep one for everybody whom they know.
public struct Participant: Hashable, Sendable {
    /// The connection's id on its loop; never used again for another.
    public let connection: UInt64
    public let place: Place
    public let format: WireFormat

    public init(place: Place, connection: UInt64, format: WireFormat) {
        self.connection = connection
        self.place = place
        self.format = format
    }

    /// No connection: who asked in an earlier life of the server.
    public static let nobody = Participant(place: Place(node: .only, loop: 0), connection: .max, format: .proto)

    /// Index of the loop.
    public var loop: Int { place.loop }

    /// Two words, as with positions it is looked up all the time.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(connection)
        let place = UInt64(place.node.number) << 32 | UInt64(place.loop) << 8
        hasher.combine(place | UInt64(format.rawValue))
    }
}

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

/// Names a connection on any node: the place that serves it and its id there.
///
/// It takes 16 bytes, because cells and accounts keep one for each person.
public struct Participant: Hashable, Sendable {
    /// The connection's id on its loop. Ids are never reused.
    public let connection: UInt64
    public let place: Place
    public let format: WireFormat

    public init(place: Place, connection: UInt64, format: WireFormat) {
        self.connection = connection
        self.place = place
        self.format = format
    }

    /// No connection: stands for the sender of a request that arrived in an earlier life of the server.
    public static let nobody = Participant(place: Place(node: .only, loop: 0), connection: .max, format: .proto)

    /// Index of the loop.
    public var loop: Int { place.loop }

    /// Hashes two words only, because each position looks its sender up.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(connection)
        let place = UInt64(place.node.number) << 32 | UInt64(place.loop) << 8
        hasher.combine(place | UInt64(format.rawValue))
    }
}

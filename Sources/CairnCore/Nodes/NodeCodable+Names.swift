public import CairnGeo
public import CairnWire

// What things, homes, connections and topics are called, and where they are.

extension Identifier: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) { encoder.put(rawValue) }
    public init(from decoder: inout NodeDecoder) throws(NodeFault) { self.init(rawValue: try decoder.get()) }
}

extension CellID: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) { encoder.put(rawValue) }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        guard let cell = CellID(rawValue: try decoder.get()) else { throw .outOfRange }
        self = cell
    }
}

extension Coordinate: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) { encoder.put(latitude, longitude) }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        let (latitude, longitude) = (try decoder.get(Double.self), try decoder.get(Double.self))
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else { throw .outOfRange }
        self = coordinate
    }
}

extension GeoPoint: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) { encoder.put(coordinate, altitudeMetres) }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        self.init(coordinate: try decoder.get(), altitudeMetres: try decoder.get())
    }
}

extension HomeAddress: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) { encoder.put(kind.rawValue, number) }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        guard let kind = HomeKind(rawValue: try decoder.get()),
            let home = HomeAddress(kind, number: try decoder.get())
        else { throw .outOfRange }
        self = home
    }
}

extension Scope: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) { encoder.put(kind.letter, id) }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        guard let scope = Scope(letter: try decoder.get(), id: try decoder.get()) else { throw .outOfRange }
        self = scope
    }
}

extension Topic: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) { encoder.put(home, scope) }
    public init(from decoder: inout NodeDecoder) throws(NodeFault) { self.init(try decoder.get(), try decoder.get()) }
}

extension Cursor: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) { encoder.put(epoch, sequence) }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        self.init(epoch: try decoder.get(), sequence: try decoder.get())
    }
}

extension Place: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) { encoder.put(node.number, UInt16(loop)) }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        let number = try decoder.get(UInt16.self)
        guard number < 1 << NodeID.bits else { throw .outOfRange }
        self.init(node: NodeID(number), loop: Int(try decoder.get(UInt16.self)))
    }
}

extension Participant: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) { encoder.put(place, connection, format.rawValue) }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        let (place, connection) = (try decoder.get(Place.self), try decoder.get(UInt64.self))
        guard let format = WireFormat(rawValue: try decoder.get()) else { throw .outOfRange }
        self.init(place: place, connection: connection, format: format)
    }
}

public import CairnCore
public import CairnGeo
public import CairnTime
public import CairnWire

extension Participant {
    /// The connection with this number, on a loop of the only node.
    public static func make(_ connection: UInt64 = 1, loop: Int = 0, format: WireFormat = .proto) -> Participant {
        Participant(place: Place(node: .only, loop: loop), connection: connection, format: format)
    }
}

extension AccountID {
    /// The account with this number.
    public static func make(_ number: UInt64 = 1) -> AccountID { AccountID(rawValue: number) }
}

extension Sender {
    /// A sender in the middle of `Ground.here` with one connection, whose view holds the cells around it. People differ
    /// in `number`.
    public static func make(
        _ number: UInt64 = 1, device: UInt64? = nil, name: String? = nil, at place: Coordinate? = Ground.here.centre,
        altitudeMetres: Double? = 0, gridMetres: Double = 10, scopes: Set<Scope> = [],
        language: String = ""
    ) -> Sender {
        Sender(
            participant: .make(device ?? number), account: .make(number), name: name ?? "person-\(number)",
            position: place.map { GeoPoint(coordinate: $0, altitudeMetres: altitudeMetres) },
            view: CellSet([Ground.here.cell] + Ground.here.cell.neighbours), scopes: scopes,
            shownPlace: place.map { gridMetres > 0 ? snapped($0, toGridMetres: gridMetres) : $0 }, language: language)
    }
}

extension Sender {
    /// A guest who looks at `Ground.here` and the cells around it.
    public static func guest(_ number: UInt64 = 90, at place: Coordinate? = Ground.here.centre) -> Sender {
        Sender(
            participant: .make(number), account: .guest(number), name: "",
            position: place.map { GeoPoint(coordinate: $0, altitudeMetres: nil) },
            view: CellSet([Ground.here.cell] + Ground.here.cell.neighbours))
    }
}

extension PoseSample {
    /// A live position in the middle of `Ground.here`.
    public static func make(
        at place: Coordinate = Ground.here.centre, heightMetres: Double = 10, accuracyMetres: Float? = nil,
        when: MonotonicTime = 0
    ) -> PoseSample {
        PoseSample(
            coordinate: place, heightMetres: heightMetres, orientation: Quaternion.identity.packed,
            accuracyMetres: accuracyMetres, at: when)
    }
}

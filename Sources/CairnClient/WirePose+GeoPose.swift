public import CairnGeo
public import CairnWire

extension WirePose {
    /// A pose as it goes over the wire: every number is said, zeros too, as the server wants it (PLC-4).
    public init(_ pose: GeoPose, scale: Double? = nil, accuracyMetres: Double? = nil, anchor: WireAnchor? = nil) {
        self.init()
        geopose.position.lat = pose.coordinate.latitude
        geopose.position.lon = pose.coordinate.longitude
        geopose.position.h = pose.heightMetres
        geopose.quaternion.x = pose.orientation.x
        geopose.quaternion.y = pose.orientation.y
        geopose.quaternion.z = pose.orientation.z
        geopose.quaternion.w = pose.orientation.w
        if let scale { self.scale = scale }
        if let accuracyMetres { accuracy = accuracyMetres }
        if let anchor { self.anchor = anchor }
    }

    /// The pose's OGC GeoPose; nil for coordinates that are none.
    public var geoPose: GeoPose? {
        let (position, turn) = (geopose.position, geopose.quaternion)
        guard let coordinate = Coordinate(latitude: position.lat, longitude: position.lon) else { return nil }
        return GeoPose(
            coordinate: coordinate, heightMetres: position.h,
            orientation: Quaternion(x: turn.x, y: turn.y, z: turn.z, w: turn.w))
    }
}

extension WirePosition {
    /// A position as most apps have it.
    public init(_ coordinate: Coordinate, heightMetres: Double) {
        self.init()
        lat = coordinate.latitude
        lon = coordinate.longitude
        h = heightMetres
    }
}

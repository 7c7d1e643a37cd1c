import CS2

/// The two models of the Earth: S2's sphere for cells and distances, the WGS 84 ellipsoid for local planes.
enum Earth {
    static let radiusMetres = CS2_EARTH_RADIUS_METRES
    /// Of one degree of latitude, on the sphere.
    static let metresPerDegree = radiusMetres * .pi / 180

    /// WGS 84 semi-major axis.
    static let equatorialRadiusMetres = 6_378_137.0
    /// WGS 84 first eccentricity squared, from the defining flattening 1 / 298.257223563.
    static let eccentricitySquared: Double = {
        let flattening = 1 / 298.257_223_563
        return flattening * (2 - flattening)
    }()
}

extension Double {
    var radians: Double { self * .pi / 180 }
    var degrees: Double { self * 180 / .pi }
}

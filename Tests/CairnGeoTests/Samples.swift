import CairnGeo
import Foundation

/// SplitMix64: the same sequence on every run and platform.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Anywhere on the sphere, evenly.
    mutating func coordinate() -> Coordinate {
        let z = Double.random(in: -1...1, using: &self)
        return .make(asin(z) * 180 / .pi, .random(in: -180...180, using: &self))
    }

    /// Even over all rotations.
    mutating func quaternion() -> Quaternion {
        while true {
            let q = Quaternion(x: unit(), y: unit(), z: unit(), w: unit())
            if q.norm <= 1, let unit = q.normalised() { return unit }
        }
    }

    /// -1 to 1.
    mutating func unit() -> Double { .random(in: -1...1, using: &self) }

    mutating func coordinate(near centre: Coordinate, metres: Double) -> Coordinate {
        LocalPlane(origin: centre).coordinate(east: unit() * metres, north: unit() * metres)
    }
}

extension Coordinate {
    /// Traps out of range: for samples.
    static func make(_ latitude: Double, _ longitude: Double) -> Coordinate {
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
            preconditionFailure("\(latitude), \(longitude) is nowhere")
        }
        return coordinate
    }

    static let westminster = make(51.5007, -0.1246)

    /// Where things go wrong: poles, antimeridian, the equator's edges and a corner of S2's cube, and places beside
    /// them.
    static let awkward: [Coordinate] = [
        make(90, 0), make(-90, 0), make(89.9999, 120), make(-89.9995, -60),
        make(0, 180), make(0, -180), make(51, 179.9999), make(-17, -179.9995),
        make(0, 0), make(0, 45), make(0.0002, 134.9998),
        make(35.264389682754654, 45), make(-35.2644, -135.0001),
    ]
}

extension CellID {
    /// All cells within `rings` steps over edges and corners.
    func neighbourhood(rings: Int) -> Set<CellID> {
        var found: Set<CellID> = [self]
        var rim = [self]
        for _ in 0..<rings {
            rim = rim.flatMap(\.neighbours).filter { found.insert($0).inserted }
        }
        return found
    }

    /// A grid of `side` x `side` places over the cell, edges included.
    func samples(side: Int) -> [Coordinate] {
        let plane = LocalPlane(origin: centre)
        let corners = vertices.map { plane.metres(of: $0) }
        return (0..<side * side).map { index in
            let (u, v) = (Double(index % side) / Double(side - 1), Double(index / side) / Double(side - 1))
            let weights = [(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v]
            return plane.coordinate(
                east: zip(weights, corners).reduce(0) { $0 + $1.0 * $1.1.east },
                north: zip(weights, corners).reduce(0) { $0 + $1.0 * $1.1.north })
        }
    }
}

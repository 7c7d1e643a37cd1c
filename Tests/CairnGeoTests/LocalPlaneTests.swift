import CairnGeo
import Foundation
import Testing

@Suite struct LocalPlaneTests {
    /// Lengths of a thousandth of a degree on WGS 84, from the tables of degrees of latitude and longitude.
    @Test(arguments: [
        (0.0, 110.574, 111.320), (15, 110.649, 107.550), (30, 110.852, 96.486), (45, 111.132, 78.847),
        (60, 111.412, 55.800),
        (75, 111.618, 28.902),
    ])
    func metres_ofAThousandthDegree_areThoseOfTheEllipsoid(latitude: Double, north: Double, east: Double) {
        let plane = LocalPlane(origin: .make(latitude, 20))
        #expect(abs(plane.metres(of: .make(latitude + 0.0005, 20)).north * 2 - north) < 0.01)
        #expect(abs(plane.metres(of: .make(latitude, 20.001)).east - east) < 0.01)
    }

    @Test func metres_areThoseOfTheTextbookRotation_inAnyCell() {
        var random = SeededGenerator(20)
        for place in Coordinate.awkward + (0..<2000).map({ _ in random.coordinate() }) {
            let cell = CellID(place, level: 16)
            let plane = LocalPlane(origin: cell.centre)
            for point in cell.vertices + [place, cell.centre] {
                let (east, north) = plane.metres(of: point)
                let expected = textbook(from: cell.centre, to: point)
                #expect(abs(east - expected.east) < 1e-6 && abs(north - expected.north) < 1e-6)
                let back = plane.coordinate(east: east, north: north)
                #expect(back.distanceMetres(to: point) < 1e-6)
            }
        }
    }

    /// Earth-centred coordinates, then the rotation to east and north.
    private func textbook(from origin: Coordinate, to place: Coordinate) -> (east: Double, north: Double) {
        func centred(_ c: Coordinate) -> SIMD3<Double> {
            let (lat, lon) = (c.latitude * .pi / 180, c.longitude * .pi / 180)
            let e2 = 0.00669437999014
            let n = 6_378_137 / (1 - e2 * sin(lat) * sin(lat)).squareRoot()
            return [n * cos(lat) * cos(lon), n * cos(lat) * sin(lon), n * (1 - e2) * sin(lat)]
        }
        let (lat, lon) = (origin.latitude * .pi / 180, origin.longitude * .pi / 180)
        let delta = centred(place) - centred(origin)
        return (
            (SIMD3(-sin(lon), cos(lon), 0) * delta).sum(),
            (SIMD3(-sin(lat) * cos(lon), -sin(lat) * sin(lon), cos(lat)) * delta).sum()
        )
    }

    @Test func metres_thereAndBack_areWithinAMicrometreUpToAThousandKilometres() {
        var random = SeededGenerator(21)
        for origin in Coordinate.awkward + (0..<2000).map({ _ in random.coordinate() }) {
            let plane = LocalPlane(origin: origin)
            let (east, north) = (random.unit() * 700_000, random.unit() * 700_000)
            let back = plane.metres(of: plane.coordinate(east: east, north: north))
            #expect(abs(back.east - east) < 1e-6 && abs(back.north - north) < 1e-6)
        }
    }

    @Test func coordinate_acrossTheAntimeridian_isInRange() {
        let plane = LocalPlane(origin: .make(-17, 179.9999))
        let across = plane.coordinate(east: 100, north: 0)
        #expect(across.longitude < -179.9)
        #expect(abs(plane.metres(of: across).east - 100) < 1e-6)
    }

    @Test(arguments: [(.nan, 5), (.infinity, 5), (1e300, 1e300), (7e6, 0), (0, -7e6)] as [(Double, Double)])
    func coordinate_ofMetresThatLieOffTheEarth_isStillAPlace(east: Double, north: Double) {
        let place = LocalPlane(origin: .westminster).coordinate(east: east, north: north)
        #expect(Coordinate(latitude: place.latitude, longitude: place.longitude) != nil)
    }
}

import CairnGeo
import CairnTesting
import CairnWire
import Foundation
import Testing

@testable import CairnCore

/// Attacks on the places of people who share a square of 100 m (PRF-8, CMP-5, issue 12). Each is made on the bare grid
/// too, where it succeeds: it is an attack. Errors are shares of a square's side.
///
/// `CAIRN_LOCATION_LOOKS=10000` has every standing person looked at so many times in their day.
@Suite("Attacks on places")
struct LocationAttackTests {
    private static let looks = ProcessInfo.processInfo.environment["CAIRN_LOCATION_LOOKS"].flatMap(Int.init) ?? 200
    private static let people = 1_000
    private static let vantagePoints = 20

    /// The distance of two places, as a share of the side of the squares there.
    private static func error(_ guess: Coordinate, _ place: Coordinate) -> Double {
        let grid = WatchedPerson.grid
        return hypot(
            (guess.latitude - place.latitude) / grid.bandDegrees,
            (guess.longitude - place.longitude) / grid.columnDegrees(inBand: grid.band(of: place)))
    }

    /// A place within so many metres.
    private static func place(near place: Coordinate, metres: Double, _ random: inout SeededRandom) -> Coordinate {
        LocalPlane(origin: place).coordinate(
            east: .random(in: -metres...metres, using: &random), north: .random(in: -metres...metres, using: &random))
    }

    // MARK: Standing

    private struct Standing {
        var errors: [Double] = []
        /// People of whom more than one square was told.
        var jumping = 0
    }

    /// A day: one fix for each look, from a receiver with a deviation of 3 to 10 m.
    private static func stand(_ rule: SquareRule) -> Standing {
        var random = SeededRandom(12)
        var result = Standing()
        for town in 0..<20 {
            let middle = place(near: Ground.here.centre, metres: 20_000, &random)
            let views = (0..<vantagePoints).map { _ in
                Set(cells(touching: place(near: middle, metres: 200, &random), radiusMetres: 100, level: 16))
            }
            for number in 0..<people / 20 {
                let stands = place(near: middle, metres: 150, &random)
                let deviation = Double.random(in: 3...10, using: &random)
                var noise = Noise(deviationMetres: deviation, random: SeededRandom(random.next()))
                var person = WatchedPerson(UInt64(town * 1_000 + number + 1), rule)
                var told: [Coordinate] = []
                for look in 0..<looks {
                    person.stand(at: noise.fix(stands))
                    if let seen = person.told(in: views[look % vantagePoints]) { told.append(seen) }
                }
                guard let guess = LocationAttack.guess(told, rule: rule) else { continue }
                result.errors.append(error(guess, stands))
                if Set(told).count > 1 { result.jumping += 1 }
            }
        }
        return result
    }

    /// The errors of somebody who knows the square and nothing else.
    private static let errorsInASquare: [Double] = {
        var random = SeededRandom(40)
        return (0..<people).map { _ in
            hypot(.random(in: -0.5...0.5, using: &random), .random(in: -0.5...0.5, using: &random))
        }
    }()

    @Test func standingPeople_areKnownByTheirSquareAndNoFiner() {
        let (found, known) = (Self.stand(.held), Self.errorsInASquare)
        let test = KolmogorovSmirnov(found.errors, known)
        print("standing, held: median \(found.errors.median), p \(test.pValue), jumping \(found.jumping)")
        #expect(found.errors.count == Self.people)
        #expect(abs(found.errors.median - 0.40) < 0.02 && abs(known.median - 0.40) < 0.02)
        #expect(test.pValue > 0.01)
    }

    @Test func standingPeople_areFoundOnABareGrid() {
        let found = Self.stand(.bare)
        let test = KolmogorovSmirnov(found.errors, Self.errorsInASquare)
        print("standing, bare: median \(found.errors.median), p \(test.pValue), jumping \(found.jumping)")
        #expect(found.errors.median < 0.3 && test.pValue < 0.001)
    }

    /// Whatever else is told of two people in one square, it is the same.
    @Test func whereInTheSquareAPersonStands_changesNoByte() {
        let middle = snapped(Ground.here.centre, toGridMetres: WatchedPerson.gridMetres)
        let view = Set(cells(touching: middle, radiusMetres: 100, level: 16))
        var (one, other) = (WatchedPerson(1, .held), WatchedPerson(1, .held))
        one.stand(at: LocalPlane(origin: middle).coordinate(east: -40, north: 45))
        other.stand(at: LocalPlane(origin: middle).coordinate(east: 30, north: -20))
        for step in 0..<50 {
            let isOther = one.stand(
                at: LocalPlane(origin: middle).coordinate(east: -40 - Double(step) / 3, north: 45))
            other.stand(at: middle)
            let (first, second) = (one.batches(in: view), other.batches(in: view))
            #expect(!isOther && !first.isEmpty && first == second)
        }
    }

    // MARK: Walking

    private struct Walks {
        /// At every moment at which another square is told.
        var errors: [Double] = []
        /// The same, by somebody who takes the walk to be straight and even.
        var fitted: [Double] = []
    }

    /// Walks of two kilometres straight ahead, a fix every 2.8 m.
    /// - Parameter bearing: radians from north; nil = any.
    private static func walk(_ rule: SquareRule, bearing: Double? = nil, people: UInt64 = 200) -> Walks {
        var random = SeededRandom(13)
        var result = Walks()
        for number in 1...people {
            let plane = LocalPlane(origin: place(near: Ground.here.centre, metres: 20_000, &random))
            let direction = bearing ?? .random(in: 0..<2 * .pi, using: &random)
            let deviation = Double.random(in: 3...10, using: &random)
            var noise = Noise(deviationMetres: deviation, random: SeededRandom(random.next()))
            var person = WatchedPerson(number, rule)
            var alone = LocationAttack.Follower(rule, fitsAWalk: false)
            var fitting = LocationAttack.Follower(rule, fitsAWalk: true)
            for step in stride(from: 0, to: 2_000, by: 2.8) {
                let stands = plane.coordinate(east: step * sin(direction), north: step * cos(direction))
                guard person.stand(at: noise.fix(stands)), let shown = person.shown else { continue }
                if let guess = alone.told(shown, at: step) { result.errors.append(error(guess, stands)) }
                if let guess = fitting.told(shown, at: step) { result.fitted.append(error(guess, stands)) }
            }
        }
        return result
    }

    @Test func momentOfAJump_leavesAThirdOfASquare() {
        for bearing in [nil, 0, 0.5 * Double.pi] {
            let found = Self.walk(.held, bearing: bearing)
            print("walking, held, \(bearing ?? -1): median \(found.errors.median), fitted \(found.fitted.median)")
            #expect(found.errors.count > 1_000)
            #expect(found.errors.median >= 0.33)
            #expect(found.fitted.median >= 0.29)
        }
    }

    @Test func momentOfAJump_tellsTheEdgeOnABareGrid() {
        let found = Self.walk(.bare)
        print("walking, bare: median \(found.errors.median), fitted \(found.fitted.median)")
        #expect(found.errors.median < 0.28)
        #expect(found.fitted.median < 0.15)
    }

    /// The same walk eastwards over one edge, a hundred times.
    /// - Returns: for each person how far the edge is from where the mean of their jumps puts it.
    private static func walkAgain(_ rule: SquareRule) -> [Double] {
        let ahead = rule == .bare ? 0 : (EdgeMargins.range.lowerBound + EdgeMargins.range.upperBound) / 2
        let begin = snapped(Ground.here.centre, toGridMetres: WatchedPerson.gridMetres)
        let width = WatchedPerson.grid.columnDegrees(inBand: WatchedPerson.grid.square(of: begin).band)
        return (1...200).map { number in
            var noise = Noise(deviationMetres: 5, random: SeededRandom(UInt64(number)))
            var person = WatchedPerson(UInt64(number), rule)
            var places: [Double] = []
            for _ in 0..<100 {
                person.stand(at: Ground.here.at(north: 5_000))
                person.stand(at: begin)
                for step in stride(from: 0.0, through: 1.8, by: 0.05) {
                    let stands = Coordinate.make(latitude: begin.latitude, longitude: begin.longitude + step * width)
                    guard person.stand(at: noise.fix(stands)) else { continue }
                    places.append(step)
                    break
                }
            }
            return abs(places.reduce(0, +) / Double(places.count) - ahead - 0.5)
        }
    }

    @Test func sameWalkAHundredTimes_tellsNoMoreThanOnce() {
        let (held, bare) = (Self.walkAgain(.held), Self.walkAgain(.bare))
        print("repeated, held: median \(held.median), bare \(bare.median)")
        #expect(bare.median < 0.1)
        #expect(held.median > 0.13)
    }
}

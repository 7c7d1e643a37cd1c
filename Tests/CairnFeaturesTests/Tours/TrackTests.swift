import CairnCore
import CairnFeatures
import CairnGeo
import CairnTesting
import Foundation
import Testing

/// TRT-9: arrival under the noise of a city (decision 0041), and jumps. Distances are in ``DistanceTests``.
@Suite("Tours: the track of a walker")
struct TrackTests {
    private static let rules = Track.Rules(jumpMetresPerSecond: 15, settle: .seconds(10))
    private static let origin = Ground.here.centre
    private static let plane = LocalPlane(origin: origin)

    private static func at(_ east: Double, _ north: Double = 0) -> Coordinate {
        plane.coordinate(east: east, north: north)
    }

    private static func time(_ seconds: Double) -> LastingTime {
        LastingTime(milliseconds: 1_700_000_000_000 + Int64(seconds * 1_000))
    }

    // MARK: Jumps

    @Test func jump_doesNotCount_beforeTheWalkerHasBeenThereForTheSettlingTime() {
        var track = Track(at: Self.origin, Self.time(0))
        let taken = (1...12).map { second in track.take(Self.at(500), at: Self.time(Double(second)), Self.rules) }
        #expect(taken == [Bool](repeating: false, count: 10) + [true, true])
        #expect(track.metres == 0)
    }

    @Test func fixThatIsFarOff_changesNothing() {
        var track = Track(at: Self.origin, Self.time(0))
        let first = track.take(Self.at(1), at: Self.time(1), Self.rules)
        #expect(first)
        let far = track.take(Self.at(61), at: Self.time(2), Self.rules)
        #expect(!far)
        let next = track.take(Self.at(2), at: Self.time(3), Self.rules)
        #expect(next)
        #expect(track.metres == 0)
    }

    /// Two devices, one of which stays at home: the walker is not at both.
    @Test func placesInTurn_neverSettle() {
        var track = Track(at: Self.origin, Self.time(0))
        for second in 1...60 {
            let isHome = second % 2 == 0
            let isThere = track.take(Self.at(isHome ? 0 : 500), at: Self.time(Double(second)), Self.rules)
            #expect(isThere == isHome)
        }
    }

    @Test func walkWithoutFixes_countsAsTheCrowFlies() {
        var track = Track(at: Self.origin, Self.time(0))
        let isThere = track.take(Self.at(400), at: Self.time(300), Self.rules)
        #expect(isThere)
        #expect(abs(track.metres - 400) < 20)
    }

    /// A link that stalls delivers at once what took ten seconds.
    @Test func fixesThatCatchUp_areNoJump() {
        var track = Track(at: Self.origin, Self.time(0))
        let isThere = track.take(Self.at(14), at: Self.time(0.1), Self.rules)
        #expect(isThere)
    }

    @Test func fiftyTimesAsFast_isTheSame() {
        let fast = Track.Rules(jumpMetresPerSecond: 750, settle: .milliseconds(200))
        var track = Track(at: Self.origin, Self.time(0))
        for step in 1...600 { _ = track.take(Self.at(Double(step) * 1.4), at: Self.time(Double(step) * 0.02), fast) }
        #expect(abs(track.metres - 840) < 40)
    }

    // MARK: Noise

    /// What became of one walk.
    private struct Outcome {
        var stops = 0
        var late = 0
        var early = 0
        var ratio = 0.0
    }

    @Test func urbanNoise_isToldFromWalking() {
        let walks = ProcessInfo.processInfo.environment["CAIRN_WALKS"].flatMap(Int.init) ?? 75
        let outcomes = (0..<walks).map { Self.walk(seed: UInt64($0)) }
        let stops = outcomes.reduce(0) { $0 + $1.stops }
        let (late, early) = (outcomes.reduce(0) { $0 + $1.late }, outcomes.reduce(0) { $0 + $1.early })
        let ratios = outcomes.map(\.ratio).sorted()
        let (least, middle, most) = (ratios[0], ratios[walks / 2], ratios[walks - 1])
        print("\(walks) walks, \(stops) stops, \(late) late, \(early) early, ratio \(middle), \(least) to \(most)")
        #expect(Double(late) <= 0.01 * Double(stops), "recognised within 20 s")
        #expect(Double(early) <= 0.001 * Double(stops), "none before the walker was within 40 m")
        let good = ratios.count { abs($0 - 1) <= 0.1 }
        #expect(Double(good) >= 0.97 * Double(walks), "distance within 10 %: \(ratios)")
    }

    /// Walks between 5 to 11 stops, 60 to 300 m apart, round corners, and stands for a while at each.
    private static func walk(seed: UInt64) -> Outcome {
        var random = Chance(seed: seed)
        var receiver = Receiver(Noise(metres: 5.7, seconds: 20, farOffOneIn: 100), seconds: 1, &random)
        var outcome = Outcome()
        var (east, north, heading, second) = (0.0, 0.0, random.below(2 * Double.pi), 0.0)
        var walked = 0.0
        var track: Track?
        var targetIsNear = false
        let count = 5 + Int(random.below(7))
        for number in 0..<count {
            heading += random.normal() * 0.8
            let steps = Int((60 + random.below(240)) / 1.4)
            var path: [(Double, Double)] = []
            for _ in 0..<steps {
                if random.below(1) < 0.01 { heading += random.below(Double.pi) - Double.pi / 2 }
                let last = path.last ?? (east, north)
                path.append((last.0 + 1.4 * cos(heading), last.1 + 1.4 * sin(heading)))
            }
            let stop = path.last ?? (east, north)
            let standing = 30 + Int(random.below(30))
            var arrived: Int?
            targetIsNear = false
            for step in 0..<(steps + standing) {
                let place = step < steps ? path[step] : stop
                if step < steps { walked += 1.4 }
                (east, north) = place
                second += 1
                let away = hypot(east - stop.0, north - stop.1)
                if away <= 40 { targetIsNear = true }
                let fix = receiver.fix(Way.Place(east: east, north: north), &random)
                let coordinate = at(fix.east, fix.north)
                guard var known = track else {
                    track = Track(at: coordinate, time(second))
                    continue
                }
                let isThere = known.take(coordinate, at: time(second), rules)
                track = known
                guard isThere, arrived == nil else { continue }
                let target = at(stop.0, stop.1)
                let near = min(target.distanceMetres(to: coordinate), target.distanceMetres(to: known.place))
                guard near <= 15 else { continue }
                arrived = step
                if !targetIsNear { outcome.early += 1 }
            }
            outcome.stops += 1
            if arrived.map({ $0 > steps + 20 }) ?? true { outcome.late += 1 }
            if number == count - 1 { track?.end() }
        }
        outcome.ratio = (track?.metres ?? 0) / walked
        return outcome
    }
}

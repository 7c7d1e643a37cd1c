import CairnCore
import CairnFeatures
import CairnGeo
import CairnTesting
import Foundation
import Testing

/// TRT-10: the distance of a walk against what was walked, at 1 to 10 fixes a second (decision 0074), for some walks of
/// each kind. The long form, `CAIRN_DISTANCES=1000`, prints the table of the decision.
@Suite("Tours: the distance of a walk")
struct DistanceTests {
    private static let rules = Track.Rules(jumpMetresPerSecond: 15, settle: .seconds(10))
    private static let plane = LocalPlane(origin: Ground.here.centre)
    private static let long = ProcessInfo.processInfo.environment["CAIRN_DISTANCES"].flatMap(Int.init)

    private static func time(_ seconds: Double) -> LastingTime {
        LastingTime(milliseconds: 1_700_000_000_000 + Int64((seconds * 1_000).rounded()))
    }

    /// What a track makes of a walk.
    private static func metres(_ way: Way, _ noise: Noise, hertz: Int, seed: UInt64) -> Double {
        var random = Chance(seed: seed &* 31 &+ UInt64(hertz))
        var receiver = Receiver(noise, seconds: 1 / Double(hertz), &random)
        var track: Track?
        for step in 0...Int(way.seconds * Double(hertz)) {
            let seconds = Double(step) / Double(hertz)
            let place = receiver.fix(way.place(after: seconds), &random)
            let fix = plane.coordinate(east: place.east, north: place.north)
            if track == nil { track = Track(at: fix, time(seconds)) }
            _ = track?.take(fix, at: time(seconds), rules)
        }
        track?.end()
        return track?.metres ?? 0
    }

    /// Counted to walked, for some walks of a kind, in order of size.
    private static func ratios(
        _ name: String, _ noise: Noise, count: Int, hertz: ClosedRange<Int> = 1...10, of make: (inout Chance) -> Way
    ) -> [Double] {
        let ratios = (0..<(long ?? count)).map { number in
            var random = Chance(seed: UInt64(number))
            let rate = hertz.lowerBound + number * 7 % hertz.count
            let way = make(&random)
            return metres(way, noise, hertz: rate, seed: UInt64(number)) / max(way.metres, 1)
        }.sorted()
        if long != nil {
            let good = ratios.count { abs($0 - 1) <= 0.05 }
            let parts = [0.05, 0.5, 0.95].map { ratios[Int(Double(ratios.count) * $0)] }
            print("\(name) | \(ratios.count) walks | 5 %, 50 %, 95 %: \(parts) | within 5 %: \(good)")
        }
        return ratios
    }

    private static func mean(_ ratios: [Double]) -> Double { ratios.reduce(0, +) / Double(ratios.count) }

    // MARK: Exact fixes

    @Test(arguments: [20.0, 24, 60])
    func exactFixes_ofSmallRounds_areWithinFivePercent(lap: Double) {
        for sides in [2, 4, 40] {
            for hertz in [1, 3, 10] {
                let way = Way(lap: lap, sides: sides, laps: 2)
                let ratio = Self.metres(way, .none, hertz: hertz, seed: 1) / way.metres
                #expect(abs(ratio - 1) <= 0.05, "\(sides) sides, \(hertz) a second: \(ratio)")
            }
        }
    }

    @Test func exactFixes_ofALongWalk_areWithinFivePercent() {
        let metres = Self.long == nil ? 3_000.0 : 20_000
        let ratios = Self.ratios("exact, \(metres) m", .none, count: 1, hertz: 1...1) { Way(town: metres, &$0) }
        #expect(ratios.allSatisfy { abs($0 - 1) <= 0.05 }, "\(ratios)")
    }

    // MARK: Noise

    @Test func openSky_isWithinFivePercent_from100Metres() {
        let straight = Self.ratios("open sky, 100 m straight", .openSky, count: 8) { Way(straight: 100, &$0) }
        #expect(abs(Self.mean(straight) - 1) <= 0.05, "\(straight)")
        let town = Self.ratios("open sky, 300 m", .openSky, count: 4) { Way(town: 300, &$0) }
        #expect(abs(Self.mean(town) - 1) <= 0.05, "\(town)")
        let fresh = Self.ratios("open sky, new each fix, 300 m", .fresh, count: 4) { Way(town: 300, &$0) }
        #expect(abs(Self.mean(fresh) - 1) <= 0.05, "\(fresh)")
        guard Self.long != nil else { return }
        let share = Double((town + fresh).count { abs($0 - 1) <= 0.05 }) / Double(town.count + fresh.count)
        #expect(share >= 0.9, "within 5 %")
    }

    @Test func urbanNoise_isWithinFivePercent_from1000Metres() {
        let hertz = Self.long == nil ? 1...3 : 1...10
        let ratios = Self.ratios("urban, 1,000 m", .urban, count: 8, hertz: hertz) { Way(town: 1_000, &$0) }
        #expect(abs(Self.mean(ratios) - 1) <= 0.05, "\(ratios)")
        #expect(ratios.allSatisfy { abs($0 - 1) <= 0.2 }, "\(ratios)")
        guard Self.long != nil else { return }
        let far = Self.ratios("urban, 4,000 m", .urban, count: 1, hertz: 1...3) { Way(town: 4_000, &$0) }
        #expect(Double(far.count { abs($0 - 1) <= 0.05 }) >= 0.95 * Double(far.count), "within 5 %")
    }

    @Test func phoneThatStandsForAnHour_hasWalkedUnderTenMetres() {
        for (name, noise) in [("open sky", Noise.openSky), ("new each fix", .fresh), ("urban", .urban)] {
            let metres = Self.ratios("an hour, \(name), in metres", noise, count: 1, hertz: 1...1) { _ in
                Way(standing: 3_600)
            }
            let most = Double(metres.count { $0 >= 10 }) / Double(metres.count)
            #expect(most <= 0.01, "\(name): \(metres.suffix(10))")
        }
    }

    // MARK: Speed

    /// The highest speed is that of the window: not more than a second's way is given beside it.
    @Test(arguments: [(100.0, 8), (29, 1), (20, 2)])
    func fasterThanTheHighestSpeed_countsNothing(speed: Double, hertz: Int) {
        var track = Track(at: Self.plane.coordinate(east: 0, north: 0), Self.time(0))
        var taken = 0
        for step in 1...(60 * hertz) {
            let seconds = Double(step) / Double(hertz)
            let fix = Self.plane.coordinate(east: speed * seconds, north: 0)
            if track.take(fix, at: Self.time(seconds), Self.rules) { taken += 1 }
        }
        track.end()
        #expect(track.metres <= 80, "of \(speed * 60) m")
        #expect(taken <= 4 * hertz)
    }

    @Test func almostTheHighestSpeed_countsInFull() {
        let way = Way(lap: 2_000, sides: 2, laps: 1, metresPerSecond: 14.5)
        let ratio = Self.metres(way, .none, hertz: 1, seed: 1) / way.metres
        #expect(abs(ratio - 1) <= 0.05)
    }

    /// Runs under way keep what they have counted, by whatever rule.
    @Test func whatWasCountedBefore_isKept() {
        var track = Track(at: Self.plane.coordinate(east: 0, north: 0), Self.time(0), metres: 1_234)
        for second in 1...100 {
            let fix = Self.plane.coordinate(east: Double(second) * 1.4, north: 0)
            _ = track.take(fix, at: Self.time(Double(second)), Self.rules)
            #expect(track.metres >= 1_234)
        }
        track.end()
        #expect(abs(track.metres - 1_234 - 140) <= 7)
    }
}

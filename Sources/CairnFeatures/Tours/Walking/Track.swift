public import CairnCore
public import CairnGeo
internal import Foundation

/// Where a walker is and how far they have come, by fixes that are 5 to 10 m off, wander, and are sometimes far off
/// (TRT-9, TRT-10). A value without clock and chance.
///
/// A Kalman filter for each axis estimates place, speed and the error of the receiver, which wanders slowly
/// (first-order Gauss-Markov). An odometer adds the distance: summing up fixes or estimates would add the wandering
/// (decision 0074). A fix that would need more than the highest speed, from any place of the last minute, is no part of
/// the track. Where such fixes agree with one another for the settling time, the walker has been there for as long, and
/// the track goes on from there; the jump is no distance.
public struct Track: Sendable {
    /// The operators' settings that it goes by.
    public struct Rules: Sendable {
        /// Faster is a jump.
        public var jumpMetresPerSecond: Double
        /// How long fixes behind a jump have to agree.
        public var settle: Duration

        public init(jumpMetresPerSecond: Double, settle: Duration) {
            self.jumpMetresPerSecond = jumpMetresPerSecond
            self.settle = settle
        }

        /// Seconds of the filter for a second of the clock: it is made for walkers who settle in 10 s.
        var pace: Double { 10 / max(0.001, settle.inSeconds) }

        /// Whether a walker may have come so far in this time. A fix may have been under way for a second, so that the
        /// next one seems to follow at once. That second is given once in any stretch of time, not for each fix.
        func admits(_ metres: Double, in time: Duration) -> Bool {
            metres <= jumpMetresPerSecond * (time.inSeconds + settle.inSeconds / 10)
        }
    }

    /// A fix that counts.
    private struct Fix {
        var place: Coordinate
        /// Metres from where the track began.
        var east: Double
        var north: Double
        var at: LastingTime
    }

    /// The newest fix, and some of the last minute: 30, each a fifth of the settling time after the one before.
    private struct Trail {
        private static let countMax = 30
        private var kept: [Fix]
        private(set) var last: Fix

        init(_ fix: Fix) { (kept, last) = ([fix], fix) }

        /// Whether a walker may have come to a fix from each of them.
        func admits(_ fix: Fix, _ rules: Rules) -> Bool {
            rules.admits(last.place.distanceMetres(to: fix.place), in: fix.at - last.at)
                && kept.allSatisfy {
                    rules.admits(hypot(fix.east - $0.east, fix.north - $0.north), in: fix.at - $0.at)
                }
        }

        mutating func take(_ fix: Fix, _ rules: Rules) {
            last = fix
            guard let newest = kept.last, fix.at - newest.at >= rules.settle / 5 else { return }
            if kept.count == Self.countMax { kept.removeFirst() }
            kept.append(fix)
        }
    }

    /// Fixes that agree with one another, and not with the track.
    private struct Rival {
        var trail: Trail
        let since: LastingTime
    }

    private let plane: LocalPlane
    private var filter: PlaceFilter
    private var trail: Trail
    private var rival: Rival?
    /// Seconds of the filter since the track began.
    private var seconds = 0.0
    private var odometer: Odometer
    /// Metres that were travelled before.
    private let metresBefore: Double

    /// - Parameter metres: what was travelled before.
    public init(at place: Coordinate, _ time: LastingTime, metres: Double = 0) {
        plane = LocalPlane(origin: place)
        filter = PlaceFilter()
        trail = Trail(Fix(place: place, east: 0, north: 0, at: time))
        odometer = Odometer(at: WalkPoint(seconds: 0, east: 0, north: 0))
        metresBefore = metres
    }

    /// Metres that were travelled. The last minute of the way counts as the crow flies until it is known better: this
    /// may fall by what noise adds to that.
    public var metres: Double { metresBefore + odometer.metres + odometer.metresAhead }

    /// The estimate of the place.
    public var place: Coordinate { plane.coordinate(east: filter.east.place, north: filter.north.place) }
    /// When the last fix of the track came.
    public var at: LastingTime { trail.last.at }

    /// Takes a fix.
    /// - Returns: whether the walker is there, as far as one can know; false for a jump.
    public mutating func take(_ place: Coordinate, at time: LastingTime, _ rules: Rules) -> Bool {
        let (east, north) = plane.metres(of: place)
        let fix = Fix(place: place, east: east, north: north, at: max(time, at))
        if var rival {
            let away = trail.last.place.distanceMetres(to: place)
            // The nearer of the two is the one that goes on.
            if rival.trail.last.place.distanceMetres(to: place) < away, rival.trail.admits(fix, rules) {
                rival.trail.take(fix, rules)
                self.rival = rival
                guard fix.at - rival.since >= rules.settle else { return false }
                settle(at: fix, rules)
                return true
            }
        }
        guard trail.admits(fix, rules) else {
            rival = Rival(trail: Trail(fix), since: fix.at)
            return false
        }
        rival = nil
        let passed = (fix.at - at).inSeconds * rules.pace
        filter.take(east, north, after: passed)
        seconds += passed
        trail.take(fix, rules)
        odometer.take(WalkPoint(seconds: seconds, east: east, north: north))
        return true
    }

    /// Adds what is left: the walker has arrived for good, or pauses.
    public mutating func end() { odometer.finish() }

    /// The track goes on behind a jump.
    private mutating func settle(at fix: Fix, _ rules: Rules) {
        rival = nil
        seconds += (fix.at - at).inSeconds * rules.pace
        trail = Trail(fix)
        filter = PlaceFilter()
        filter.begin(fix.east, fix.north)
        odometer.restart(at: WalkPoint(seconds: seconds, east: fix.east, north: fix.north))
    }
}

/// Place, speed and the receiver's error on both axes. Their uncertainty is the same, so it is computed once.
private struct PlaceFilter {
    /// Metres and metres per second on one axis.
    struct Axis {
        var place = 0.0
        var speed = 0.0
        var error = 0.0
    }

    /// Standard deviation of the receiver's error in metres, and how long it takes to wander, in seconds.
    private static let (errorMetres, errorSeconds) = (5.7, 20.0)
    /// How fast walkers change their speed, in metres per second and square root of a second.
    private static let agility = 0.3
    /// The error of a single fix, in metres.
    private static let fixMetres = 1.0
    /// A longer pause counts as this long: the last position says nothing about the next one by then.
    private static let pauseSecondsMax = 600.0

    var east = Axis()
    var north = Axis()
    /// Variances of place, speed and error, and their covariances.
    private var placePlace = Self.errorMetres * Self.errorMetres
    private var placeSpeed = 0.0
    private var placeError = -0.98 * Self.errorMetres * Self.errorMetres
    private var speedSpeed = 1.0
    private var speedError = 0.0
    private var errorError = Self.errorMetres * Self.errorMetres

    mutating func begin(_ east: Double, _ north: Double) {
        (self.east.place, self.north.place) = (east, north)
    }

    mutating func take(_ east: Double, _ north: Double, after seconds: Double) {
        let time = min(max(seconds, 0), Self.pauseSecondsMax)
        predict(time)
        let innovation = placePlace + 2 * placeError + errorError + Self.fixMetres * Self.fixMetres
        let place = (placePlace + placeError) / innovation
        let speed = (placeSpeed + speedError) / innovation
        let error = (placeError + errorError) / innovation
        Self.correct(&self.east, by: east, place, speed, error)
        Self.correct(&self.north, by: north, place, speed, error)
        let (rowPlace, rowSpeed, rowError) = (
            placePlace + placeError, placeSpeed + speedError, placeError + errorError
        )
        placePlace -= place * rowPlace
        placeSpeed -= place * rowSpeed
        placeError -= place * rowError
        speedSpeed -= speed * rowSpeed
        speedError -= speed * rowError
        errorError -= error * rowError
    }

    private static func correct(
        _ axis: inout Axis, by fix: Double, _ place: Double, _ speed: Double, _ error: Double
    ) {
        let surprise = fix - axis.place - axis.error
        axis.place += place * surprise
        axis.speed += speed * surprise
        axis.error += error * surprise
    }

    private static func predict(_ axis: inout Axis, _ time: Double, _ keeps: Double) {
        axis.place += axis.speed * time
        axis.error *= keeps
    }

    private mutating func predict(_ time: Double) {
        let keeps = exp(-time / Self.errorSeconds)
        Self.predict(&east, time, keeps)
        Self.predict(&north, time, keeps)
        let agility = Self.agility * Self.agility
        placePlace += 2 * time * placeSpeed + time * time * speedSpeed + agility * time * time * time / 3
        placeSpeed += time * speedSpeed + agility * time * time / 2
        speedSpeed += agility * time
        placeError = keeps * (placeError + time * speedError)
        speedError *= keeps
        errorError =
            keeps * keeps * errorError + Self.errorMetres * Self.errorMetres * (1 - keeps * keeps)
    }
}

extension Duration {
    var inSeconds: Double { Double(milliseconds) / 1_000 }
}

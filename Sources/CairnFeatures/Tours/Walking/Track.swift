public import CairnCore
public import CairnGeo
internal import Foundation

/// Where a walker is and how far they have come, by fixes that are 5 to 10 m off, wander, and are sometimes far off
/// (TRT-9, TRT-10). A value without clock and chance.
///
/// A Kalman filter for each axis estimates place, speed and the error of the receiver, which wanders slowly
/// (first-order Gauss-Markov). Distance is added in chords of 25 m between estimates: summing up fixes or estimates
/// would add the wandering (decision 0041). A fix that would need more than the highest speed is no part of the track.
/// Where such fixes agree with one another for the settling time, the walker has been there for as long, and the track
/// goes on from there; the jump is no distance.
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
        /// next one seems to follow at once.
        func admits(_ metres: Double, in time: Duration) -> Bool {
            metres <= jumpMetresPerSecond * (time.inSeconds + settle.inSeconds / 10)
        }
    }

    /// A fix that counts.
    private struct Fix {
        var place: Coordinate
        var at: LastingTime
    }

    /// Fixes that agree with one another, and not with the track.
    private struct Rival {
        var last: Fix
        let since: LastingTime
    }

    /// Metres between the places from which distance is added.
    static let chordMetres = 25.0

    private let plane: LocalPlane
    private var filter: PlaceFilter
    private var last: Fix
    private var rival: Rival?
    /// From where distance is added next.
    private var anchor: (east: Double, north: Double)
    /// Metres that were travelled, in whole chords.
    public private(set) var metres: Double

    /// - Parameter metres: what was travelled before.
    public init(at place: Coordinate, _ time: LastingTime, metres: Double = 0) {
        plane = LocalPlane(origin: place)
        filter = PlaceFilter()
        last = Fix(place: place, at: time)
        anchor = (0, 0)
        self.metres = metres
    }

    /// The estimate of the place.
    public var place: Coordinate { plane.coordinate(east: filter.east.place, north: filter.north.place) }
    /// When the last fix of the track came.
    public var at: LastingTime { last.at }

    /// Takes a fix.
    /// - Returns: whether the walker is there, as far as one can know; false for a jump.
    public mutating func take(_ place: Coordinate, at time: LastingTime, _ rules: Rules) -> Bool {
        let fix = Fix(place: place, at: max(time, last.at))
        let away = last.place.distanceMetres(to: place)
        if let rival {
            let fromRival = rival.last.place.distanceMetres(to: place)
            // The nearer of the two is the one that goes on.
            if fromRival < away, rules.admits(fromRival, in: fix.at - rival.last.at) {
                self.rival?.last = fix
                guard fix.at - rival.since >= rules.settle else { return false }
                settle(at: fix)
                return true
            }
        }
        guard rules.admits(away, in: fix.at - last.at) else {
            rival = Rival(last: fix, since: fix.at)
            return false
        }
        rival = nil
        let (east, north) = plane.metres(of: place)
        filter.take(east, north, after: (fix.at - last.at).inSeconds * rules.pace)
        last = fix
        addChord(Self.chordMetres)
        return true
    }

    /// Adds what is left since the last chord: the walker has arrived for good.
    public mutating func end() { addChord(0) }

    private mutating func addChord(_ shortest: Double) {
        let (east, north) = (filter.east.place, filter.north.place)
        let (x, y) = (east - anchor.east, north - anchor.north)
        let chord = (x * x + y * y).squareRoot()
        guard chord >= shortest else { return }
        metres += chord
        anchor = (east, north)
    }

    /// The track goes on behind a jump.
    private mutating func settle(at fix: Fix) {
        rival = nil
        last = fix
        filter = PlaceFilter()
        let (east, north) = plane.metres(of: fix.place)
        filter.begin(east, north)
        anchor = (east, north)
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

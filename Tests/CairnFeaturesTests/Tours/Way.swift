import Foundation

/// Where somebody walks, in metres on a plane, and when.
struct Way {
    struct Place {
        var east: Double
        var north: Double
    }

    private struct Leg {
        var from: Place
        var to: Place
        var begins: Double
        var seconds: Double
    }

    private var legs: [Leg] = []
    private let speed: Double
    private(set) var metres = 0.0
    private(set) var seconds = 0.0

    private init(speed: Double) { self.speed = speed }

    /// Rounds of so many sides; two are there and back.
    init(lap: Double, sides: Int, laps: Int, metresPerSecond: Double = 1.4) {
        self.init(speed: metresPerSecond)
        for side in 0..<(sides * laps) { walk(lap / Double(sides), heading: Double(side) * 2 * .pi / Double(sides)) }
    }

    init(straight metres: Double, _ random: inout Chance) {
        self.init(speed: 1.4)
        walk(metres, heading: random.below(2 * .pi))
    }

    /// From stop to stop, 60 to 300 m apart, round corners, with 30 to 60 s at each.
    init(town length: Double, _ random: inout Chance) {
        self.init(speed: 1.4)
        var heading = random.below(2 * .pi)
        while metres < length {
            var toStop = 60 + random.below(240)
            heading += random.normal() * 0.8
            while toStop > 0, metres < length {
                let straight = min(toStop, length - metres, -log(1 - random.below(1)) * 140)
                walk(straight, heading: heading)
                toStop -= straight
                heading += random.below(.pi) - .pi / 2
            }
            stand(30 + random.below(30))
        }
    }

    init(standing seconds: Double) {
        self.init(speed: 0)
        stand(seconds)
    }

    private mutating func walk(_ length: Double, heading: Double) {
        let from = legs.last?.to ?? Place(east: 0, north: 0)
        let to = Place(east: from.east + length * cos(heading), north: from.north + length * sin(heading))
        legs.append(Leg(from: from, to: to, begins: seconds, seconds: length / speed))
        metres += length
        seconds += length / speed
    }

    private mutating func stand(_ time: Double) {
        let place = legs.last?.to ?? Place(east: 0, north: 0)
        legs.append(Leg(from: place, to: place, begins: seconds, seconds: time))
        seconds += time
    }

    /// Where the walker is so many seconds after the beginning.
    func place(after seconds: Double) -> Place {
        var (low, high) = (0, legs.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if legs[middle].begins <= seconds { low = middle } else { high = middle - 1 }
        }
        let leg = legs[low]
        let share = leg.seconds > 0 ? min(1, (seconds - leg.begins) / leg.seconds) : 0
        return Place(
            east: leg.from.east + share * (leg.to.east - leg.from.east),
            north: leg.from.north + share * (leg.to.north - leg.from.north))
    }
}

/// How far off the fixes of a receiver are.
struct Noise {
    /// Standard deviation on an axis: the whole one is 1.41 times as large.
    var metres: Double
    /// How long it takes to wander; 0 = it is new in each fix.
    var seconds: Double
    /// One fix in so many is 60 m off; 0 = none.
    var farOffOneIn = 0.0

    static let none = Noise(metres: 0, seconds: 0)
    /// 3 m, wandering.
    static let openSky = Noise(metres: 2.12, seconds: 20)
    /// 3 m on each axis, new in each fix.
    static let fresh = Noise(metres: 3, seconds: 0)
    /// 10 m, correlated over 20 s.
    static let urban = Noise(metres: 7.07, seconds: 20)
}

/// First-order Gauss-Markov noise.
struct Receiver {
    private let noise: Noise
    private let keeps: Double
    private let fresh: Double
    private var east: Double
    private var north: Double

    /// - Parameter seconds: between two fixes.
    init(_ noise: Noise, seconds: Double, _ random: inout Chance) {
        self.noise = noise
        keeps = noise.seconds > 0 ? exp(-seconds / noise.seconds) : 0
        fresh = noise.metres * (1 - keeps * keeps).squareRoot()
        (east, north) = (noise.metres * random.normal(), noise.metres * random.normal())
    }

    mutating func fix(_ place: Way.Place, _ random: inout Chance) -> Way.Place {
        east = keeps * east + fresh * random.normal()
        north = keeps * north + fresh * random.normal()
        var fix = Way.Place(east: place.east + east, north: place.north + north)
        if noise.farOffOneIn > 0, random.below(noise.farOffOneIn) < 1 {
            let angle = random.below(2 * .pi)
            fix.east += 60 * cos(angle)
            fix.north += 60 * sin(angle)
        }
        return fix
    }
}

/// SplitMix64, and what is made of it.
struct Chance {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Uniform in 0 ..< bound.
    mutating func below(_ bound: Double) -> Double { Double(next() >> 11) / Double(1 << 53) * bound }

    /// Standard normal, by Box and Muller.
    mutating func normal() -> Double {
        let radius = (-2 * log(max(below(1), 1e-300))).squareRoot()
        return radius * cos(below(2 * Double.pi))
    }
}

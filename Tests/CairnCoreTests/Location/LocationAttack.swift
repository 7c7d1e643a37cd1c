import CairnGeo
import CairnTesting
import Foundation

@testable import CairnCore

/// What somebody who knows everything but the key makes of what they are told.
enum LocationAttack {
    private static let grid = WatchedPerson.grid

    // MARK: Standing people

    /// The best guess of where a person stands, from the squares that were told at each look.
    ///
    /// Where the bare grid tells two squares in turn, their shares tell how far the edge is, because the noise of a
    /// receiver is known. A held square changes at an unknown distance: the guess is the edge between the two.
    static func guess(_ told: [Coordinate], rule: SquareRule) -> Coordinate? {
        guard let first = told.first else { return nil }
        let band = grid.square(of: first).band
        return .make(
            latitude: centre(told.map(\.latitude), step: grid.bandDegrees, rule),
            longitude: centre(told.map(\.longitude), step: grid.columnDegrees(inBand: band), rule))
    }

    private static func centre(_ values: [Double], step: Double, _ rule: SquareRule) -> Double {
        guard let low = values.min(), let high = values.max() else { return 0 }
        guard high - low > step / 10 else { return low }
        guard high - low < step * 1.5 else { return values.reduce(0, +) / Double(values.count) }
        let edge = (low + high) / 2
        guard rule == .bare else { return edge }
        let share = Double(values.count { $0 > edge }) / Double(values.count)
        return edge + step * usualNoise / WatchedPerson.gridMetres * quantile(share)
    }

    /// The usual deviation of a receiver, in metres.
    private static let usualNoise = 6.5

    /// Of the standard normal distribution, by halving.
    private static func quantile(_ share: Double) -> Double {
        var (low, high) = (-4.0, 4.0)
        for _ in 0..<40 {
            let middle = (low + high) / 2
            if erfc(-middle / 2.0.squareRoot()) / 2 < share { low = middle } else { high = middle }
        }
        return low
    }

    // MARK: Walking people

    /// Follows a walk by the moments at which another square is told.
    struct Follower {
        let rule: SquareRule
        /// Takes people to walk straight ahead and at one pace.
        let fitsAWalk: Bool
        private var last: Coordinate?
        private var heading = (north: 0.0, east: 0.0)
        private var crossings: (north: [Crossing], east: [Crossing]) = ([], [])

        private struct Crossing {
            let time: Double
            let degrees: Double
        }

        init(_ rule: SquareRule, fitsAWalk: Bool) {
            self.rule = rule
            self.fitsAWalk = fitsAWalk
        }

        /// How far beyond an edge a person is on average when the next square is told, in grids.
        private var ahead: Double {
            rule == .bare ? 0 : (EdgeMargins.range.lowerBound + EdgeMargins.range.upperBound) / 2
        }

        /// Another square is told.
        /// - Returns: where the person is at that moment; nil at the first.
        mutating func told(_ middle: Coordinate, at time: Double) -> Coordinate? {
            defer { last = middle }
            guard let last else { return nil }
            let width = LocationAttack.grid.columnDegrees(inBand: LocationAttack.grid.square(of: middle).band)
            let north = Self.look(
                middle.latitude - last.latitude, to: middle.latitude, step: LocationAttack.grid.bandDegrees, ahead,
                time, &heading.north, &crossings.north)
            let east = Self.look(
                middle.longitude - last.longitude, to: middle.longitude, step: width, ahead, time, &heading.east,
                &crossings.east)
            return .make(
                latitude: fitsAWalk ? Self.fitted(crossings.north, time) ?? north : north,
                longitude: fitsAWalk ? Self.fitted(crossings.east, time) ?? east : east)
        }

        private static func look(
            _ change: Double, to middle: Double, step: Double, _ ahead: Double, _ time: Double, _ heading: inout Double,
            _ crossings: inout [Crossing]
        ) -> Double {
            // Across the axis of this change the person is somewhere in the square, and as far ahead of it as they
            // are on average.
            guard abs(change) > step / 2 else { return middle + heading * ahead * step }
            heading = change > 0 ? 1 : -1
            let place = middle + heading * (ahead - 0.5) * step
            crossings.append(Crossing(time: time, degrees: place))
            return place
        }

        /// Where a line through all crossings is now; nil = too few.
        private static func fitted(_ crossings: [Crossing], _ now: Double) -> Double? {
            guard crossings.count >= 3 else { return nil }
            let count = Double(crossings.count)
            let time = crossings.reduce(0) { $0 + $1.time } / count
            let degrees = crossings.reduce(0) { $0 + $1.degrees } / count
            let products = crossings.reduce(0) { $0 + ($1.time - time) * ($1.degrees - degrees) }
            let squares = crossings.reduce(0) { $0 + ($1.time - time) * ($1.time - time) }
            return degrees + products / squares * (now - time)
        }
    }
}

import CairnGeo
import CairnTesting
import CairnTime
import CairnWire
import Foundation

@testable import CairnCore

/// How a person's square follows them.
enum SquareRule: CaseIterable {
    /// The square that they are in: the rule before decision 0029.
    case bare
    case held
}

/// A person who shares their position on a grid of 100 m, and the boards that tell of them, as a shard works them.
struct WatchedPerson {
    static let gridMetres = 100.0
    static let grid = LocationGrid(metres: gridMetres)
    private static let level = 16

    let rule: SquareRule
    let account: AccountID
    private let participant: Participant
    private var coarse: CoarsePlace?
    private var cell: CellID?
    private var boards: [CellID: PresenceBoard] = [:]
    /// What is told when nothing more is: the middle of a square.
    private(set) var shown: Coordinate?

    init(_ number: UInt64, _ rule: SquareRule) {
        self.rule = rule
        account = .make(number)
        participant = .make(number)
    }

    /// Takes a fix.
    /// - Returns: whether another square is told.
    @discardableResult
    mutating func stand(at fix: Coordinate, errorMetres: Float? = nil) -> Bool {
        let (place, cell) = follow(fix, errorMetres)
        let sample = PoseSample.make(at: place)
        defer { (shown, self.cell) = (place, cell) }
        guard cell != self.cell else {
            boards[cell]?.move(participant, to: sample, standing: fix)
            return place != shown
        }
        if let old = self.cell { boards[old]?.leave(participant) }
        let person = PresenceBoard.Person(id: "\(account)", name: "person", gridMetres: Self.gridMetres)
        boards[cell, default: PresenceBoard(cell: cell, countHiddenBelow: 3)]
            .enter(participant, of: account, as: person, at: sample, standing: fix)
        return true
    }

    private mutating func follow(_ fix: Coordinate, _ errorMetres: Float?) -> (Coordinate, CellID) {
        let margins = CoarsePlaceTests.margins
        switch rule {
        case .bare:
            let place = snapped(fix, toGridMetres: Self.gridMetres)
            if let cell, place == shown { return (place, cell) }
            return (place, CellID(place, level: Self.level))
        case .held:
            var held =
                coarse
                ?? CoarsePlace(
                    of: account, at: fix, gridMetres: Self.gridMetres, level: Self.level, margins: margins)
            _ = held.follow(account, to: fix, errorMetres: errorMetres, margins: margins)
            coarse = held
            return (held.middle, held.cell)
        }
    }

    /// All that is told of the person to somebody whose view is these cells.
    mutating func batches(in view: Set<CellID>) -> [WirePresence] {
        var told: [WirePresence] = []
        for cell in boards.keys.sorted(by: { $0.rawValue < $1.rawValue }) where view.contains(cell) {
            if let batch = boards[cell]?.takeBatch(now: 0) { told.append(batch) }
            if let keyframe = boards[cell]?.keyframe(now: 0, people: 0) { told.append(keyframe) }
        }
        return told
    }

    /// What somebody reads whose view is these cells: where the person is, or nothing.
    mutating func told(in view: Set<CellID>) -> Coordinate? {
        for cell in boards.keys where view.contains(cell) {
            if boards[cell]?.isDue == true { _ = boards[cell]?.takeBatch(now: 0) }
            guard let keyframe = boards[cell]?.keyframe(now: 0, people: 0), !keyframe.joined.isEmpty,
                let pose = boards[cell]?.item(keyframe, for: .json).presence.livePoses.first
            else { continue }
            return .make(latitude: pose.lat, longitude: pose.lon)
        }
        return nil
    }
}

/// Errors of a fix, in metres.
struct Noise {
    let deviationMetres: Double
    var random: SeededRandom

    /// The place as a receiver has it.
    mutating func fix(_ place: Coordinate) -> Coordinate {
        // Box and Muller's pairs.
        let radius = (-2 * log(Double.random(in: .leastNonzeroMagnitude...1, using: &random))).squareRoot()
        let angle = Double.random(in: 0..<2 * .pi, using: &random)
        let metre = LocationGrid.degreesPerMetre * deviationMetres
        return .make(
            latitude: place.latitude + radius * cos(angle) * metre,
            longitude: place.longitude + radius * sin(angle) * metre / cos(place.latitude * .pi / 180))
    }
}

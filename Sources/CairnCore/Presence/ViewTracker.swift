public import CairnGeo

/// Which cell a user is in and which cells their view touches, with hysteresis at both edges (SES-6, VIS-1).
public struct ViewTracker: Sendable {
    /// Distances in metres.
    public struct Reach: Sendable {
        let level: Int
        let radius: Double
        let hysteresis: Double
        let border: Double

        /// - Parameters:
        ///   - radius: cells this near are followed.
        ///   - hysteresis: distance beyond the radius at which a followed cell is dropped, as a share of the radius.
        ///   - border: a user who leaves a cell stays in it until they are this far beyond its edge.
        public init(level: Int, radius: Double, hysteresis: Double, border: Double) {
            self.level = level
            self.radius = radius
            self.hysteresis = hysteresis
            self.border = border
        }
    }

    /// The changes of a move.
    public struct Change: Sendable {
        /// The user's new cell; nil = unchanged.
        public var entered: CellID?
        public var followed: [CellID] = []
        public var unfollowed: [CellID] = []
        /// Number of cells near by that were not admitted at this position, without those that were waiting already.
        public var heldBack = 0
    }

    public private(set) var cell: CellID?
    public private(set) var view: CellSet = []
    /// Cells near by that are not in view because they were not admitted.
    private var waiting: Set<CellID> = []
    /// Whether cells wait for admission.
    public var isWaiting: Bool { !waiting.isEmpty }
    private var centre: Coordinate?

    public init() {}

    /// Takes a new position.
    /// - Parameter admit: given the number of new cells, returns how many of them may come into view; called only when
    ///   there are any. If it returns fewer, the nearest cells come first, and every further position asks again.
    public mutating func move(
        to position: Coordinate, reach: Reach, admit: (Int) -> Int = { $0 }
    ) -> Change {
        var change = Change()
        if let cell, cell.contains(position) || cell.distanceMetres(to: position) <= reach.border {
            // The user stays in the present cell.
        } else {
            let entered = CellID(position, level: reach.level)
            cell = entered
            change.entered = entered
        }
        // The covering includes a margin, so it is valid until the user has moved by that distance.
        let margin = min(reach.radius * reach.hysteresis / 2, 5)
        if let centre, centre.distanceMetres(to: position) < margin, change.entered == nil { return change }
        centre = position
        (change.followed, change.heldBack) = look(
            at: cells(touching: position, radiusMetres: reach.radius + margin, level: reach.level), from: position,
            admit: admit)
        let far = reach.radius * (1 + reach.hysteresis)
        for followed in view where followed != cell && followed.distanceMetres(to: position) > far {
            change.unfollowed.append(followed)
        }
        view.subtract(change.unfollowed)
        return change
    }

    /// Adds the admitted cells to the view.
    private mutating func look(
        at near: [CellID], from position: Coordinate, admit: (Int) -> Int
    ) -> (followed: [CellID], heldBack: Int) {
        var wanted = near.filter { !view.contains($0) }
        if let cell, !view.contains(cell), !wanted.contains(cell) { wanted.append(cell) }
        let admitted = wanted.isEmpty ? 0 : admit(wanted.count)
        var heldBack = 0
        if admitted < wanted.count {
            centre = nil
            wanted.sort { $0.distanceMetres(to: position) < $1.distanceMetres(to: position) }
            let rest = wanted[admitted...]
            for cell in rest where !waiting.contains(cell) { heldBack += 1 }
            waiting = Set(rest)
            wanted.removeLast(rest.count)
        } else if !waiting.isEmpty {
            waiting = []
        }
        view.formUnion(wanted)
        return (wanted, heldBack)
    }

    /// Clears position and view; returns the cells that were followed.
    public mutating func leave() -> CellSet {
        defer { self = ViewTracker() }
        return view
    }
}

extension ViewTracker: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) { encoder.put(cell, view, waiting, centre) }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        (cell, view) = (try decoder.get(), try decoder.get())
        (waiting, centre) = (try decoder.get(), try decoder.get())
    }
}

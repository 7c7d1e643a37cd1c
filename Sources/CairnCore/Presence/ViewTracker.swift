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
        ///   - hysteresis: share of the radius beyond which a followed cell is let go.
        ///   - border: a user this near to the cell they were in is still in it.
        public init(level: Int, radius: Double, hysteresis: Double, border: Double) {
            self.level = level
            self.radius = radius
            self.hysteresis = hysteresis
            self.border = border
        }
    }

    /// What a move changed.
    public struct Change: Sendable {
        /// The cell that the user is in now, when it is another.
        public var entered: CellID?
        public var followed: [CellID] = []
        public var unfollowed: [CellID] = []
    }

    public private(set) var cell: CellID?
    public private(set) var view: Set<CellID> = []
    private var centre: Coordinate?

    public init() {}

    /// Takes a new position.
    public mutating func move(to position: Coordinate, reach: Reach) -> Change {
        var change = Change()
        if let cell, cell.contains(position) || cell.distanceMetres(to: position) <= reach.border {
            // Still there.
        } else {
            let entered = CellID(position, level: reach.level)
            cell = entered
            change.entered = entered
        }
        // The covering takes in a margin, so it holds until the user has moved by that much.
        let margin = min(reach.radius * reach.hysteresis / 2, 5)
        if let centre, centre.distanceMetres(to: position) < margin, change.entered == nil { return change }
        centre = position
        for near in cells(touching: position, radiusMetres: reach.radius + margin, level: reach.level)
        where view.insert(near).inserted {
            change.followed.append(near)
        }
        if let cell, view.insert(cell).inserted { change.followed.append(cell) }
        let far = reach.radius * (1 + reach.hysteresis)
        for followed in view where followed != cell && followed.distanceMetres(to: position) > far {
            change.unfollowed.append(followed)
        }
        view.subtract(change.unfollowed)
        return change
    }

    /// Forgets position and view; gives what was followed.
    public mutating func leave() -> Set<CellID> {
        defer { self = ViewTracker() }
        return view
    }
}

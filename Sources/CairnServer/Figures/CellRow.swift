package import CairnGeo

/// One cell's figures at one moment. No account, name, text or position is among them (STA-3).
package struct CellRow: Sendable, Equatable {
    package let cell: CellID
    /// Connections whose position is in the cell.
    package var people = 0
    package var instances = 0
    /// Connections whose view touches the cell.
    var subscribers = 0
    var eventsPerSecond = 0.0
    var turnsPerSecond = 0.0
    /// Put into followers' outboxes.
    package var bytesPerSecond = 0.0
    /// Turns whose changes are not on disk yet.
    var unsaved = 0
    /// Pieces of work that wait for the cell to wake.
    var waiting = 0
    /// Events that wait for slow followers.
    package var queuedBytes = 0
    var turnP99Microseconds: UInt64 = 0
    /// `FeatureRegister.cellCounts`, in its order. Empty = the cell sleeps, or no feature counts.
    var featureCounts: [Int] = []
}

extension CellRow {
    /// A cell to which nothing happens.
    package init(cell: CellID) {
        self.init(cell: cell, people: 0)
    }
}

/// The figures of one loop about a cell that may live on another one.
package struct CellShare: Sendable {
    package let cell: CellID
    package var people = 0
    package var bytesPerSecond = 0.0
    package var queuedBytes = 0
}

internal import CairnGeo

/// One cell's figures at one moment. No account, name, text or position is among them (STA-3).
struct CellRow: Sendable, Equatable {
    let cell: CellID
    /// Connections whose position is in the cell.
    var people = 0
    var instances = 0
    /// Connections whose view touches the cell.
    var subscribers = 0
    var eventsPerSecond = 0.0
    var turnsPerSecond = 0.0
    /// Put into followers' outboxes.
    var bytesPerSecond = 0.0
    /// Turns whose changes are not on disk yet.
    var unsaved = 0
    /// Pieces of work that wait for the cell to wake.
    var waiting = 0
    /// Events that wait for slow followers.
    var queuedBytes = 0
    var turnP99Microseconds: UInt64 = 0
    /// `FeatureRegister.cellCounts`, in its order. Empty = the cell sleeps, or no feature counts.
    var featureCounts: [Int] = []
}

/// What one loop knows about a cell that may live on another one.
struct CellShare: Sendable {
    let cell: CellID
    var people = 0
    var bytesPerSecond = 0.0
    var queuedBytes = 0
}

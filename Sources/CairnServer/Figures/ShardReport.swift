package import CairnTime
internal import CairnWebSocket

/// One shard's figures at one moment. The shard takes them on its own thread in one step, so that they agree with one
/// another: its users with a position equal the sum of its shares of the cells' occupancies (STA-3).
package struct ShardReport: Sendable {
    /// `.epoch` = the shard has not said anything yet.
    package var at: MonotonicTime = .epoch
    var loop = LoopCounters()
    var load = LoopLoad()
    package var shard = ShardFigures()
    var cells = 0
    var accounts = 0
    /// Sessions with a position, counted one by one, including sessions that were cut within the grace period.
    var people = 0
    /// The same number as the sum over cells, and of those in spaces.
    var occupancy = 0
    /// Those of them who are in a space (SES-13).
    var peopleInSpaces = 0
    /// Spaces in memory.
    var spaces = 0
    var users = 0
    var guests = 0
    /// Guests who look.
    var looking = 0
    /// Connections that have not said hello yet, or whose hello is being looked at.
    var arriving = 0
    /// Sessions that wait for their client to come back.
    var detached = 0
    /// Pieces of work for homes of which it is undecided where they live.
    var unplaced = 0
    var connectionsByFrontEnd: [String: Int] = [:]
    /// Connections whose socket takes no more at present, because the client reads too slowly.
    var behind = 0
    var held = CellHoldings()
    var done = CellSums()
    /// Cell by cell; nil when it was not asked for.
    package var rows: ShardRows?
}

/// A shard's part of all cells' rows.
package struct ShardRows: Sendable {
    /// Cells that live on the shard, without what only the connections' own loops know.
    package var cells: [CellRow] = []
    /// The figures of cells that come from this loop's connections, wherever the cells live.
    package var shares: [CellShare] = []

    package init(cells: [CellRow] = [], shares: [CellShare] = []) {
        self.cells = cells
        self.shares = shares
    }
}

/// How busy a loop is.
struct LoopLoad: Sendable {
    /// Time that its thread has had a processor.
    var busyMicroseconds: UInt64 = 0
    /// The same as a share of the last second.
    var busy = 0.0
    /// The longest that positions wait for their batch at present.
    var presenceWaitMicroseconds: UInt64 = 0
    /// How late the last tick of the second came: how long anything else waited for the loop.
    var delayMicroseconds: UInt64 = 0
    /// The latest that it ever came.
    var delayMaxMicroseconds: UInt64 = 0
    /// Work posted by other threads and not begun.
    var jobs = 0
    /// `OverloadGauge.Level`: 0 = keeps up, 1 to 3 = sheds presence, counts, detail of movement, 4 = refuses.
    var overload = 0
}

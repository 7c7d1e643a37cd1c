/// Decides which units are written next and in which order. It stands between submission and the writer.
///
/// One node writes in the order of submission. Nodes that share a log will write in the log's order: submitted units
/// are proposed to the log, and `next` returns the units that the log has decided, including those of other nodes. The
/// writer acknowledges a unit when it is on this node's disk, whichever node has decided the order.
protocol Order: Sendable {
    /// Removes and returns the next units to write; none while no order is decided. They have at most `changesMax`
    /// statements, or are one unit with more.
    func next(changesMax: Int) -> [Backlog.Entry]
}

/// The order of a single node: units in the order of submission.
struct SubmissionOrder: Order {
    let intake: Intake

    func next(changesMax: Int) -> [Backlog.Entry] { intake.takeBatch(changesMax: changesMax) }
}

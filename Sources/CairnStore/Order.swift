/// Says which units are written next and in which order. It stands between what is submitted and the writer.
///
/// One node writes in the order of submission. Nodes that share a log will write in the log's order: what is submitted
/// here is proposed to the log, and `next` gives what the log has decided, units of other nodes among it. The writer
/// acknowledges a unit when it is on this node's disk, whichever node has decided the order.
protocol Order: Sendable {
    /// The next units to write, taken once: none while no order is decided. As many statements as `changesMax` at most,
    /// or one unit that has more.
    func next(changesMax: Int) -> [Backlog.Entry]
}

/// The order of a node that writes alone: hands on what was submitted, as it was submitted.
struct SubmissionOrder: Order {
    let intake: Intake

    func next(changesMax: Int) -> [Backlog.Entry] { intake.takeBatch(changesMax: changesMax) }
}

internal import CairnCore
internal import CairnWire

/// The figures of a cell for operators.
extension Cell {
    /// What the cell itself knows of its row, and what it has counted since the last look; where its people and their
    /// outboxes are, their loops know.
    /// - Parameter seconds: since the last measurement; nil leaves the rates as they are.
    func look(seconds: Double?) -> CellLook {
        let counts = figures.look(seconds: seconds)
        let (instances, unsaved, featureCounts) = host.core.lend { ($0.instanceCount, $0.heldTurns, $0.featureCounts) }
        let row = CellRow(
            cell: id, instances: instances, subscribers: host.followers.count,
            eventsPerSecond: figures.eventsPerSecond, turnsPerSecond: figures.turnsPerSecond,
            unsaved: unsaved, waiting: host.queue.count,
            turnP99Microseconds: figures.turnTimes.p99Microseconds, featureCounts: featureCounts)
        return CellLook(row: row, counts: counts, staysTouched: figures.isMoving)
    }
}

internal import CairnCore
internal import CairnFeatures
internal import CairnWire

/// What operators ask of a cell: how it is, and to take something away.
extension Cell {
    /// Takes an instance away at an operator's word. `done` hears whether that is on disk; false = it is not here.
    func withdraw(_ id: InstanceID, done: @escaping @Sendable (Bool) -> Void) {
        whenAwake { cell in
            guard !cell.core.isLost else { return done(false) }
            let actions = cell.core.hear(InstanceWithdrawal(id: id), now: cell.world.clock.now)
            if case .commit(_, let turn)? = actions.first { cell.withdrawals[turn] = done } else { done(false) }
            cell.carryOut(actions)
        }
    }

    /// What the cell itself knows of its row, and what it has counted since the last look; where its people and their
    /// outboxes are, their loops know.
    /// - Parameter seconds: since the last measurement; nil leaves the rates as they are.
    func look(seconds: Double?) -> CellLook {
        let counts = figures.look(seconds: seconds)
        let row = CellRow(
            cell: id, instances: core.instanceCount, subscribers: followers.count,
            eventsPerSecond: figures.eventsPerSecond, turnsPerSecond: figures.turnsPerSecond, unsaved: core.heldTurns,
            waiting: waiting?.count ?? 0, turnP99Microseconds: figures.turnTimes.p99Microseconds)
        return CellLook(row: row, counts: counts, staysTouched: figures.isMoving)
    }
}

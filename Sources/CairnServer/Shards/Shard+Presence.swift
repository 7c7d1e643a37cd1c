internal import CairnConfiguration
internal import CairnCore
internal import CairnGeo
internal import CairnTime
internal import CairnWebSocket
internal import CairnWire

/// When cells tell their followers of people (SES-8, QOS-3).
extension Shard {
    /// A cell has something to tell; it is asked for its batch when its neighbourhood leaves.
    func presenceDue(_ cell: Cell, in neighbourhood: CellID) {
        departures.add(cell, in: neighbourhood)
    }

    /// A person has moved in a cell, or has come or left.
    /// - Parameters:
    ///   - arrival: of the pose, by its person's rhythm; nil = it was no pose.
    ///   - receivers: how many the cell tells.
    /// - Returns: by how much the person should shift their poses; nil = not at all.
    func presenceChanged(in neighbourhood: CellID, _ arrival: PoseArrival?, receivers: Int) -> Duration? {
        let time = now
        if arrival?.isOnTime == true { figures.posesOnTime += 1 }
        presence.offer(receivers: receivers, now: time)
        return departures.note(arrival, in: neighbourhood, wait: presence.longest, now: time)
    }

    /// Asks a client to send its positions later by a duration, if it can (SES-8); negative = sooner. Sent in whole
    /// milliseconds.
    func shiftPositions(of participant: Participant, by duration: Duration) {
        guard let session = session(of: participant), session.shiftsPositions else { return }
        figures.positionsShifted += 1
        var item = WireItem()
        item.shiftPositions.milliseconds = Int32(clamping: duration.microseconds / 1_000)
        send(item, to: session)
    }

    /// Sends the batches of all cells whose time has come, and has the loop come back for the next.
    func tellPresenceIfDue() {
        let time = now
        departures.plan(by: &presence, now: time)
        while let cells = departures.takeDue(now: time) { tell(cells, now: time) }
        // Cells to which not everything fitted are due again.
        departures.plan(by: &presence, now: time)
        if let next = departures.nextDeparture() { loop.requestTick(at: next) }
        measureLoad(now: time)
    }

    private func measureLoad(now time: MonotonicTime) {
        guard presence.needsMeasure(now: time) else { return }
        presence.measure(busyMicroseconds: ShardMeasurement.threadMicroseconds(), now: time)
        let gathering = Duration.milliseconds(context.configuration.listen.gatherMilliseconds)
        loop.gather(min(gathering, presence.longest / Self.wakeUpsOfAWait))
    }

    /// How often input is read in the longest wait of a pose: a pose that is noticed late is expected at a wrong time.
    private static let wakeUpsOfAWait = 8

    private func tell(_ cells: [Cell], now time: MonotonicTime) {
        let (withCounts, newcomersWait) = (presence.tellsCounts, presence.newcomersWait(now: time))
        for cell in cells {
            let isTold = cell.enter(with: (time, withCounts, newcomersWait)) { cell, pace in
                cell.tellPresence(now: pace.0, withCounts: pace.1, newcomersWait: pace.2)
            }
            if isTold { figures.presenceBatches += 1 }
        }
    }
}

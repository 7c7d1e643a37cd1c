internal import CairnWire

/// Timers (`HomeTimer`).
extension HomeCore {
    mutating func restoreTimers(_ rows: [Row]) {
        for row in TimerRow.read(rows, into: &turn.damage) {
            turn.timers[row.name] = TimerTable.Entry(due: row.due, payload: row.payload)
        }
    }

    /// Whether a timer is due.
    public func hasDueTimer(lasting: LastingTime) -> Bool { !isLost && turn.timers.earliest(through: lasting) != nil }

    /// Does the work of the timer with the earliest due time, in a turn of its own.
    /// - Parameter steadySince: since when the lasting time has passed without a gap (`Turn.steadySince`).
    /// - Returns: the actions of the turn; nil = no timer is due.
    public mutating func fireTimer(
        now: WallTime, lasting: LastingTime, steadySince: LastingTime = .epoch
    ) -> [Action]? {
        guard !isLost, let (name, entry) = turn.timers.earliest(through: lasting) else { return nil }
        // Even if the turn fails, the timer does not fire again before the home is loaded again.
        turn.timers[name] = nil
        begin(now: now, lasting: lasting)
        turn.steadySince = steadySince
        guard let type = turn.register.timer(name.kind) else {
            // The feature that set the timer is no longer registered.
            return finish([], of: .timer, also: [TimerRow.deletion(of: name, of: address)])
        }
        let timer: any HomeTimer
        do throws(ColumnFault) {
            timer = try type.init(subject: name.subject, payload: entry.payload)
        } catch {
            return [.report([TimerRow.damage(of: name, error)])]
        }
        var effects = timer.fire(due: entry.due, in: &turn)
        if type != OutgoingMessage.self {
            effects.append(.note(.timerFired(late: lasting - entry.due)))
        }
        guard !effects.contains(where: \.isKept) else {
            return finish(effects, of: .timer, also: ending(name, effects))
        }
        // Events that follow from stored state leave at once, without waiting for the deletion of the row.
        let told = finish(effects.filter { !$0.needsDisk || $0.isPublication }, of: .timer)
        begin(now: now, lasting: lasting)
        let timers = effects.filter { $0.needsDisk && !$0.isPublication }
        return told + finish(timers, of: .timer, also: ending(name, effects))
    }

    /// Deletes the row of a timer that has fired, unless the timer is set again.
    private func ending(_ name: TimerName, _ effects: [Effect]) -> [Statement] {
        let isSetAgain = effects.contains { effect in
            switch effect {
            case .wake(_, let timer), .delay(let timer, _): TimerName(timer) == name
            default: false
            }
        }
        return isSetAgain ? [] : [TimerRow.deletion(of: name, of: address)]
    }

    /// Restores the messages that the home had sent in an earlier life and whose outcome it does not know. They are
    /// delivered again at once.
    mutating func restoreMessages() {
        for name in turn.timers.names where name.kind == OutgoingMessage.kind.text {
            let id = MessageID(rawValue: name.subject)
            guard let entry = turn.timers[name] else { continue }
            do throws(ColumnFault) {
                guard !entry.payload.isEmpty else {
                    turn.messages.ending.insert(id)
                    continue
                }
                var envelope = try MessageEnvelope(bytes: entry.payload)
                envelope.isRepeat = true
                // The feature of this message is no longer registered: the message is not delivered again.
                guard turn.register.durableMessage(envelope.kind) != nil else { continue }
                let message = try turn.register.decoded(envelope, in: turn)
                turn.messages.sent[id] = SentMessage(envelope: envelope, message: message)
                message.recalled(in: &turn)
                turn.timers[name] = TimerTable.Entry(due: .epoch, payload: entry.payload)
            } catch {
                turn.timers[name] = nil
                turn.report(TimerRow.damage(of: name, error))
            }
        }
    }
}

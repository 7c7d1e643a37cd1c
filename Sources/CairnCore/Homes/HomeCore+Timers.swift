internal import CairnWire

/// Timers (`HomeTimer`).
extension HomeCore {
    mutating func restoreTimers(_ rows: [Row]) {
        for row in TimerRow.read(rows, into: &turn.damage) {
            turn.timers[row.name] = TimerTable.Entry(due: row.due, payload: row.payload)
        }
    }

    /// Whether `fireTimer` has something to do.
    public func hasDueTimer(lasting: LastingTime) -> Bool { !isLost && turn.timers.earliest(through: lasting) != nil }

    /// Does the work of the timer that is due for longest, in a turn of its own.
    /// - Returns: what there is to do; nil = no timer is due.
    public mutating func fireTimer(now: WallTime, lasting: LastingTime) -> [Action]? {
        guard !isLost, let (name, entry) = turn.timers.earliest(through: lasting) else { return nil }
        // Whatever comes of it, it is not done again in this life of the home.
        turn.timers[name] = nil
        begin(now: now, lasting: lasting)
        guard let type = turn.register.timer(name.kind) else {
            // A feature of before has set it.
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
        // Events that follow from stored state leave without waiting for a write of their own.
        let told = finish(effects.filter { !$0.needsDisk || $0.isPublication }, of: .timer)
        begin(now: now, lasting: lasting)
        let timers = effects.filter { $0.needsDisk && !$0.isPublication }
        return told + finish(timers, of: .timer, also: ending(name, effects))
    }

    /// The row of a timer that has fired goes, unless it is set again.
    private func ending(_ name: TimerName, _ effects: [Effect]) -> [Statement] {
        let isSetAgain = effects.contains { effect in
            switch effect {
            case .wake(_, let timer), .delay(let timer, _): TimerName(timer) == name
            default: false
            }
        }
        return isSetAgain ? [] : [TimerRow.deletion(of: name, of: address)]
    }

    /// What the home had sent before it died, and does not know the end of, is under way again, and delivered at once.
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
                // Of a feature of before nothing is left but its rows.
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

internal import CairnConfiguration
internal import CairnCore
internal import CairnTime
internal import CairnWebSocket
internal import CairnWire
internal import Logging

/// Overload: a shard that does not keep up sheds presence, live counts, then the detail of movement; then it refuses
/// new connections and changes (QOS-5).
extension Shard {
    /// Time between two looks of a loop that is late.
    private static let lookPause: Duration = .milliseconds(100)

    /// Looks at how late the timer was that has just fired.
    func lookAtDelay() {
        let limits = context.configuration.overload
        let isAnother = overload.fired(
            lateness: loop.timerLateness, now: now, shedAt: .milliseconds(limits.shedMilliseconds),
            refuseAt: .milliseconds(limits.refuseMilliseconds))
        // Presence sets few timers by now, and it is by timers that the delay is known.
        if overload.level > .none { loop.requestTick(at: now + Self.lookPause) }
        guard isAnother else { return }
        presence.shedding = overload.level
        context.logger.log(
            level: overload.level == .none ? .notice : .warning, "overload",
            metadata: [
                "loop": "\(index)", "state": "\(overload.level)", "delayMilliseconds": "\(overload.delay.milliseconds)",
            ])
    }

    /// Whether new connections and changes are refused, for load or for memory.
    var refusesWhatIsNew: Bool { overload.level == .refusing || context.memory.level >= .refusing }

    /// Refuses something new while there is too much to do.
    /// - Throws: `overloaded` with the time to wait, spread so that not all come back at once.
    func admitMore(component: String) throws(Refusal) {
        guard refusesWhatIsNew else { return }
        throw Refusal(.overloaded, component: component, retryAfter: overloadWait)
    }

    var overloadWait: Duration { .milliseconds(Int.random(in: 2_000...6_000)) }
}

/// Making room in memory (B30).
extension Shard {
    /// A client that keeps up has nothing waiting between two turns. A connection with less waiting is not closed: that
    /// would make little room.
    private static let waitingBytesLeast = 65_536

    /// Closes the connections for which most waits to be sent, until half of what waits on this loop is gone.
    package func closeFurthestBehind() {
        let count = loop.closeFurthestBehind(
            waitingAtLeast: Self.waitingBytesLeast, code: Closure.overloaded.code, reason: Closure.overloaded.name
        ) { session($0) != nil }
        guard count > 0 else { return }
        figures.closures[Closure.overloaded.name, default: 0] += UInt64(count)
        context.logger.warning(
            "closed connections to make room in memory",
            metadata: ["loop": "\(index)", "connections": "\(count)"])
    }

    /// Puts all resting homes to sleep at once, of the kinds whose number is bounded.
    package func putAllToSleep() {
        putToSleep(now: now, atMost: 0)
    }
}

extension Shard {
    /// Goes after the wall clock; one shard does it for all.
    func lookAtClock() {
        if index == 0 { context.clock.follow(context.logger) }
    }
}

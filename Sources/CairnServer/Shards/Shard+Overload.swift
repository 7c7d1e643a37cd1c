internal import CairnWebSocket
internal import CairnWire
internal import Logging

/// What a shard that does not keep up leaves out: presence first, then new connections and changes (QOS-5).
extension Shard {
    /// Looks at how late the timer was that has just fired.
    func lookAtDelay() {
        let limits = world.configuration.overload
        let isAnother = overload.fired(
            lateness: loop.timerLateness, now: now, shedAt: UInt64(limits.shedMilliseconds) * 1_000,
            refuseAt: UInt64(limits.refuseMilliseconds) * 1_000)
        guard isAnother else { return }
        presence.isShedding = overload.level >= .shedding
        world.logger.log(
            level: overload.level == .none ? .notice : .warning, "overload",
            metadata: [
                "loop": "\(index)", "state": "\(overload.level)", "delayMilliseconds": "\(overload.delay / 1_000)",
            ])
    }

    /// Refuses something new while there is too much to do.
    /// - Throws: `overloaded` with the time to wait, spread so that not all come back at once.
    func admitMore(component: String) throws(Refusal) {
        guard overload.level == .refusing else { return }
        throw Refusal(.overloaded, component: component, retryAfter: overloadWait)
    }

    var overloadWait: Duration { .milliseconds(Int.random(in: 2_000...6_000)) }
}

extension Shard {
    /// Goes after the wall clock; one shard does it for all.
    func lookAtClock() {
        if index == 0 { world.clock.follow(world.logger) }
    }
}

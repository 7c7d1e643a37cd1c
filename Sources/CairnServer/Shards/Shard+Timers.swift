internal import CairnCore
internal import CairnStore
internal import CairnTime
internal import CairnWebSocket
internal import DequeModule

/// Wakes homes at the times that they have set. The first shard does it for all: it holds the earliest timers of the
/// world, and no home costs anything while its own wait.
extension Shard {
    /// The index of the loop that wakes homes.
    private static let scheduler = 0
    /// Time to the next look when more timers are due than one look takes: the loop has other work as well.
    private static let pause: Duration = .milliseconds(50)

    /// A home of this shard has set a timer, which is on disk.
    func schedule(_ home: HomeAddress, at due: LastingTime) {
        dispatch(.timerSet(home, due: due), to: Place(node: place.node, loop: Self.scheduler))
    }

    func noteTimer(of home: HomeAddress, due: LastingTime) {
        timers.note(home, due: due)
        requestTimerTick()
    }

    /// Has homes do what is due, and reads which are next.
    func lookAtTimers() {
        guard index == Self.scheduler else { return }
        let time = context.clock.lasting
        for home in timers.takeDue(now: time) { give(.fire, to: home) }
        if let query = timers.takeQuery(now: time) {
            context.store.read([query]) { [self] result in
                let rows = try? result.get().first
                post { $0.loaded(rows) }
            }
        }
        requestTimerTick()
    }

    // MARK: Firing

    /// For how long homes do the work of timers in one turn of the loop: what clients ask waits for it.
    private static let firingTime: Duration = .milliseconds(2)

    /// A home of this shard has timers that are due: it does their work when it is its turn.
    func fire(_ home: any Home) {
        firing.append(home)
        loop.requestTick(at: now)
    }

    /// Has homes do what is due, one timer at a time, and goes on once the loop has served its sockets.
    func fireDueTimers() {
        let end = now + Self.firingTime
        while let home = firing.popFirst() {
            if home.fireNext() { firing.append(home) }
            guard now < end else { break }
        }
        if !firing.isEmpty { loop.requestTick(at: now) }
    }

    // MARK: Reading

    private func loaded(_ rows: [Row]?) {
        context.store.report(timers.loaded(rows))
        // A store that cannot be asked is asked again at the next sweep.
        if rows != nil { lookAtTimers() }
    }

    private func requestTimerTick() {
        guard let next = timers.next else { return }
        let wait = next - context.clock.lasting
        // Timers that are further ahead wait for the sweeps.
        guard wait < .seconds(1) else { return }
        loop.requestTick(at: now + (wait > .zero ? wait : Self.pause))
    }
}

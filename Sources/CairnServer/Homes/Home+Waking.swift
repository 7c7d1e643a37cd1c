internal import CairnCore
internal import CairnStore
internal import CairnTime
internal import CairnWire

/// Waking and sleeping (SES-10), the same for every kind of home.
extension Home {
    /// Accepts a task: runs it now if the home is awake, else in order once the stored state is loaded.
    func accept(_ task: HomeTask) {
        touched()
        if case .awake = host.stage { return perform(task) }
        // A home checks its timers when it wakes, so `fire` need not wait in the queue.
        if case .work(.fire) = task {} else { host.queue.append(task, now: shard.now) }
        wake()
    }

    /// Reads what is stored, unless that is under way or done.
    func wake() {
        guard case .asleep = host.stage else { return }
        host.stage = .waking
        let own = questions
        let groups = own + host.context.register.stored(in: address)
        shard.assumeIsolated { shard in
            shard.waking.append(self)
            shard.read(groups) { answers in self.assumeIsolated { $0.wake(answers, own: own.count) } }
        }
    }

    /// Restores the stored state and performs the work that came meanwhile, in order.
    private func wake(_ answers: [[[Row]]], own: Int) {
        restore(Array(answers.prefix(own)))
        host.context.store.report(host.core.value.restore(Array(answers.dropFirst(own))))
        host.stage = .awake
        let messages = host.core.value.messagesUnderWay
        shard.assumeIsolated { $0.figures.homes.messagesWaiting += messages }
        touched()
        awoke()
        for task in host.queue.takeAll() { perform(task) }
        fireTimers()
    }

    /// The stored state cannot be read: requests and messages that can be declined are refused after their patience.
    /// - Returns: whether it is still being read.
    private func refuseLateWork(now: MonotonicTime) -> Bool {
        for task in host.queue.takeLate(now: now) {
            switch task {
            case .work(.arrive(let request)):
                shard.assumeIsolated { $0.reply(to: request, .refusal(HomeQueue.unreadable)) }
            case .work(.decide(let request)), .resume(let request, _):
                shard.assumeIsolated { $0.answer(request, .refusal(HomeQueue.unreadable)) }
            case .work(.hear(let message)):
                carryOut(HomeCore.actions(ifNotHeard: message))
            case .learn, .order, .work(.fire), .work(.follow), .work(.unfollow), .work(.resynchronise), .work(.change),
                .work(.present):
                break
            }
        }
        if case .waking = host.stage { return true }
        return false
    }

    /// Whether the home may sleep: no users, no followers, nothing under way.
    /// - Parameter isCrowdedOut: too many homes rest for it to rest for as long as it might.
    private func rests(now: MonotonicTime, isCrowdedOut: Bool) -> Rest {
        guard isEmpty else {
            host.isResting = false
            return .isNeeded
        }
        let isReading = if case .waking = host.stage { true } else { false }
        guard !isReading, host.queue.isEmpty, host.isQuiet, !host.isFiring, !isBusy else {
            host.emptySince = now
            return .goesOn
        }
        // `now` is the beginning of the sweep; the last user may have left since.
        let time = max(.zero, now - host.emptySince)
        return time >= sleepDelay || isCrowdedOut ? .isOver : .goesOn
    }

    /// Registers the home as resting when its last user may have left; the shard then checks whether it may sleep.
    func restIfEmpty() {
        guard isEmpty else { return }
        host.emptySince = shard.now
        guard !host.isResting else { return }
        host.isResting = true
        shard.assumeIsolated { $0.resting.append(self) }
    }
}

/// Calls of the shard, for homes of every kind.
extension Home {
    nonisolated func receive(_ work: HomeWork) { receive(.work(work)) }

    nonisolated func receive(_ task: HomeTask) { enter(with: task) { $0.accept($1) } }

    nonisolated func receive(_ fate: HomeFate) { assumeIsolated { $0.commitDecided(fate) } }

    nonisolated func fireNext() -> Bool { assumeIsolated { $0.fireTimer() } }

    nonisolated func refuseLate(now: MonotonicTime) -> Bool { assumeIsolated { $0.refuseLateWork(now: now) } }

    nonisolated func rest(now: MonotonicTime, isCrowdedOut: Bool) -> Rest {
        assumeIsolated { $0.rests(now: now, isCrowdedOut: isCrowdedOut) }
    }

    nonisolated func apply(_ context: ServerContext) {
        assumeIsolated { home in
            home.host.context = context
            home.host.apply(context.settings)
            home.settingsApplied()
        }
    }

    nonisolated func end() { assumeIsolated { $0.ended() } }

    nonisolated var restingMax: Int { Self.restingMax }
}

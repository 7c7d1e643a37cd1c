internal import CairnTime
internal import DequeModule
internal import Logging
internal import Synchronization

/// The calls of one adaptor: those that wait and those under way. Every call ends exactly once, with an answer, a
/// failure or its time limit, whatever the process does.
actor Desk {
    nonisolated let name: AdaptorName
    private nonisolated let sharedFigures = Mutex(AdaptorFigures())
    private nonisolated let pace: SupervisionPace
    private var settings: AdaptorSettings
    private var source = AdaptorSettings.Source.off
    private var standIn: (any StandIn)?
    private var supervisor: Supervisor?
    private var logger: Logger
    /// By id.
    private var calls: [String: PendingCall] = [:]
    /// Calls that wait, in order. Those that have ended are passed over.
    private var queue = Deque<(id: String, number: UInt64)>()
    private var lastNumber: UInt64 = 0
    private var underWay = 0
    /// The process that has room for a line and waits for a call.
    private var writer: (life: UInt64, continuation: CheckedContinuation<[UInt8]?, Never>)?
    /// The process that runs now; nil = none.
    private var life: UInt64?
    /// When the process was started, and when it was last heard; the same until it has answered.
    private var begunAt = MonotonicTime.epoch
    private var heardAt = MonotonicTime.epoch
    /// Whether settings are in force: not before the start, and not after the end.
    private var isOpen = false
    private var isClosed = false

    /// A call that has not ended.
    private struct PendingCall {
        let number: UInt64
        let call: AdaptorCall
        let line: [UInt8]
        let continuation: CheckedContinuation<AdaptorLine.Outcome, Never>
        let timer: Task<Void, Never>
        var life: UInt64?
        var isUnderWay = false
    }

    init(_ name: AdaptorName, settings: AdaptorSettings, pace: SupervisionPace, logger: Logger) {
        self.name = name
        self.settings = settings
        self.pace = pace
        self.logger = logger
    }

    nonisolated var figures: AdaptorFigures { sharedFigures.withLock { $0 } }

    nonisolated func count(_ change: (inout AdaptorFigures) -> Void) { sharedFigures.withLock { change(&$0) } }

    // MARK: Settings

    /// Puts other settings in force. A new command starts beside the old one, which may still answer what it has.
    func apply(_ settings: AdaptorSettings, logger: Logger) {
        guard !isClosed else { return }
        isOpen = true
        self.settings = settings
        self.logger = logger
        let source = settings.sources[name] ?? .off
        standIn = source == .builtin ? StandIns.make(name, settings) : nil
        if source != self.source {
            self.source = source
            retireSupervisor()
            if case .command(let words) = source {
                let supervisor = Supervisor(words, desk: self, pace: pace, logger: logger)
                self.supervisor = supervisor
                Task { await supervisor.run() }
            }
            noteSource(source)
        }
        if source == .off { for id in calls.keys { settle(id, .failure(.off)) } }
        proceed()
    }

    /// Ends all calls and the process; returns when it is gone.
    func close() async {
        isClosed = true
        isOpen = false
        for id in calls.keys { settle(id, .failure(.stopped)) }
        let supervisor = supervisor
        retireSupervisor()
        await supervisor?.ended()
    }

    private func retireSupervisor() {
        let supervisor = supervisor
        self.supervisor = nil
        life = nil
        releaseWriter()
        Task { await supervisor?.end() }
    }

    /// Other settings have come into force.
    private func noteSource(_ source: AdaptorSettings.Source) {
        count { figures in
            figures.isUp = source == .builtin
            if case .command = source { figures.downSince = .now } else { figures.downSince = nil }
        }
    }

    // MARK: Calls

    /// Ends at the time limit at the latest.
    func call(_ call: AdaptorCall) async -> AdaptorLine.Outcome {
        guard isOpen else { return counted(.failure(.stopped)) }
        guard source != .off else { return counted(.failure(.off)) }
        guard let line = AdaptorLine.request(call) else { return counted(.failure(.unsendable)) }
        guard calls[call.id] == nil else { return counted(.failure(.repeated)) }
        guard calls.count - underWay < settings.waitingMax else { return counted(.failure(.queueFull)) }
        lastNumber += 1
        let number = lastNumber
        let limit = settings.timeLimit
        return await withCheckedContinuation { continuation in
            let timer = Task { [weak self] in
                do {
                    try await Task.sleep(for: limit)
                    await self?.expire(call.id, number)
                } catch {}
            }
            calls[call.id] = PendingCall(
                number: number, call: call, line: line, continuation: continuation, timer: timer)
            queue.append((call.id, number))
            proceed()
        }
    }

    private func counted(_ outcome: AdaptorLine.Outcome) -> AdaptorLine.Outcome {
        count { $0.count(outcome) }
        return outcome
    }

    /// Hands out waiting calls while there is room for them.
    private func proceed() {
        if let standIn {
            while let pending = takeNext(of: nil) {
                Task { settle(pending.call.id, number: pending.number, await standIn.answer(pending.call)) }
            }
        } else if let (life, continuation) = writer, let pending = takeNext(of: life) {
            writer = nil
            continuation.resume(returning: pending.line)
        }
        countWaiting()
    }

    private func takeNext(of life: UInt64?) -> PendingCall? {
        while underWay < settings.parallelMax, let (id, number) = queue.popFirst() {
            guard let pending = calls[id], pending.number == number else { continue }
            underWay += 1
            calls[id]?.isUnderWay = true
            calls[id]?.life = life
            return pending
        }
        return nil
    }

    private func countWaiting() {
        let (waiting, underWay) = (calls.count - underWay, underWay)
        count {
            $0.waiting = waiting
            $0.underWay = underWay
        }
    }

    private func settle(_ id: String, number: UInt64, _ outcome: AdaptorLine.Outcome) {
        guard calls[id]?.number == number else { return }
        settle(id, outcome)
        proceed()
    }

    private func settle(_ id: String, _ outcome: AdaptorLine.Outcome) {
        guard let pending = calls.removeValue(forKey: id) else { return }
        if pending.isUnderWay { underWay -= 1 }
        pending.timer.cancel()
        // A call that ended while it waited leaves its place in the queue; those are nearly always the first.
        while let first = queue.first, calls[first.id]?.number != first.number { queue.removeFirst() }
        pending.continuation.resume(returning: counted(outcome))
        countWaiting()
    }

    private func expire(_ id: String, _ number: UInt64) {
        guard let pending = calls[id], pending.number == number else { return }
        settle(id, number: number, .failure(.timeLimit))
        guard let life, pending.life == life, heardAt + settings.timeLimit * pace.silentLimits < .now else { return }
        logger.warning("adaptor \(name): no answer for long; its process is ended")
        let supervisor = supervisor
        Task { await supervisor?.endLife(life) }
    }

    // MARK: The process

    /// A process has started.
    func begin(_ life: UInt64, of supervisor: Supervisor) {
        guard supervisor === self.supervisor else { return }
        self.life = life
        begunAt = .now
        heardAt = begunAt
        count { $0.isUp = true }
    }

    /// A process gets no more calls; it may still answer those that it has.
    func retire(_ life: UInt64) {
        if writer?.life == life { releaseWriter() }
        if self.life == life { self.life = nil }
    }

    /// A process is gone: its calls fail, and nothing is sent twice.
    func end(_ life: UInt64, of supervisor: Supervisor) {
        retire(life)
        for (id, pending) in calls where pending.life == life { settle(id, .failure(.died)) }
        guard supervisor === self.supervisor, !isClosed else { return }
        // A process that dies at every start has been down since the first death.
        let wasSteady = heardAt > begunAt || begunAt + pace.steadyAfter < .now
        count { figures in
            figures.isUp = false
            if wasSteady || figures.downSince == nil { figures.downSince = .now }
        }
    }

    /// The line of the next call for a process, once there is one; nil = the process gets no more calls.
    func nextLine(for life: UInt64) async -> [UInt8]? {
        guard life == self.life else { return nil }
        if let pending = takeNext(of: life) {
            countWaiting()
            return pending.line
        }
        return await withCheckedContinuation { writer = (life, $0) }
    }

    private func releaseWriter() {
        writer?.continuation.resume(returning: nil)
        writer = nil
    }

    /// Takes what a process has said.
    /// - Returns: how many lines were answers to calls under way.
    func hear(_ heard: [AdaptorLine.Heard]) -> Int {
        var answers = 0
        for one in heard {
            guard let pending = calls[one.id], pending.life != nil else { continue }
            answers += 1
            settle(one.id, number: pending.number, one.outcome)
        }
        if answers > 0 { heardAt = .now }
        return answers
    }
}

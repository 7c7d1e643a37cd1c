import CairnTime

@testable import CairnCrowd

/// A crowd's connections to a server, which keep a log of all that passes. The clock stands still during a call of the
/// crowd, so that a replay has the same times.
final class RecordingLoop: ConnectionLoop, SocketHandler {
    weak var handler: (any SocketHandler)?
    private(set) var now: MonotonicTime
    private(set) var log: CrowdLog
    private let base: SocketLoop
    private var lag: Duration = .zero
    /// When the next tick is due; nil = none is.
    private var due: MonotonicTime?

    init(_ base: SocketLoop) {
        self.base = base
        now = base.now
        log = CrowdLog(began: now)
        base.handler = self
    }

    private func note(_ call: CrowdLog.Call, at time: MonotonicTime) {
        now = time
        lag = base.lag(at: time)
        log.entries.append(CrowdLog.Entry(call: call, at: time, lag: lag))
    }

    // MARK: What the crowd calls

    func run() { base.run() }

    func tick(by time: MonotonicTime) {
        due = min(due ?? time, time)
        base.tick(by: time)
    }

    func lag(at now: MonotonicTime) -> Duration { lag }
    func connect(_ bot: Int, bufferBytes: Int32?) { base.connect(bot, bufferBytes: bufferBytes) }
    func pause(_ bot: Int, _ isPaused: Bool) { base.pause(bot, isPaused) }
    func abort(_ bot: Int) { base.abort(bot) }

    func send(_ message: [UInt8], on bot: Int) {
        log.sent.append(CrowdLog.Message(bot: bot, bytes: message))
        base.send(message, on: bot)
    }

    // MARK: What the crowd is called for

    func opened(_ bot: Int) {
        note(.opened(bot), at: base.now)
        handler?.opened(bot)
    }

    func received(_ bytes: UnsafeRawBufferPointer, wireBytes: Int, on bot: Int) {
        note(.received(Array(bytes), wireBytes: wireBytes, on: bot), at: base.now)
        handler?.received(bytes, wireBytes: wireBytes, on: bot)
    }

    func closed(_ bot: Int, code: UInt16, reason: String) {
        note(.closed(bot, code: code, reason: reason), at: base.now)
        handler?.closed(bot, code: code, reason: reason)
    }

    func ticked(now: MonotonicTime) -> LoopTurn {
        note(.ticked, at: now)
        if let due { log.lateness = max(log.lateness, now - due) }
        let turn = handler?.ticked(now: now) ?? .end
        if case .next(let at) = turn { due = at }
        return turn
    }
}

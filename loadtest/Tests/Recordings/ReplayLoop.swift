import CairnTime

@testable import CairnCrowd

/// Plays a recorded run to a crowd, falsified on its way, at the recorded times. Nothing answers what the crowd sends
/// now: a request that it did not send in the recorded run has no answer.
final class ReplayLoop<Fault: Falsifier>: ConnectionLoop {
    weak var handler: (any SocketHandler)?
    private(set) var now: MonotonicTime
    private(set) var fault: Fault
    /// What the crowd sends, in order.
    private(set) var sent: [CrowdLog.Message] = []
    private let log: CrowdLog
    private var lag: Duration = .zero
    /// When the next tick is due.
    private var due: MonotonicTime
    private var open: Set<Int> = []
    private var isOver = false

    /// Most ticks after the recorded ones; a crowd that wants more ends without a verdict.
    private static var ticksMax: Int { 100_000 }

    init(_ log: CrowdLog, _ fault: Fault) {
        self.log = log
        self.fault = fault
        now = log.began
        due = log.began
    }

    func run() {
        for entry in log.entries {
            (now, lag) = (entry.at, entry.lag)
            play(entry.call)
            for stray in fault.takeStrays() { deliver(stray.bytes, wireBytes: stray.bytes.count, to: stray.link) }
            if isOver { return }
        }
        // A crowd that still waits for something hears nothing any more, and time goes from tick to tick.
        lag = .zero
        for _ in 0..<Self.ticksMax {
            now = max(now, due)
            tick()
            if isOver { return }
        }
    }

    private func play(_ call: CrowdLog.Call) {
        switch call {
        case .opened(let bot):
            open.insert(bot)
            handler?.opened(bot)
        case .received(let bytes, let wireBytes, let bot):
            deliver(fault.change(bytes, on: bot), wireBytes: wireBytes, to: bot)
        case .closed(let bot, let code, let reason):
            open.remove(bot)
            handler?.closed(bot, code: code, reason: reason)
        case .ticked: tick()
        }
    }

    private func deliver(_ message: [UInt8], wireBytes: Int, to bot: Int) {
        guard !message.isEmpty, open.contains(bot) else { return }
        // Lent for the call.
        message.withUnsafeBytes { handler?.received($0, wireBytes: wireBytes, on: bot) }
    }

    private func tick() {
        switch handler?.ticked(now: now) ?? .end {
        case .next(let at): due = at
        case .end: isOver = true
        }
    }

    // MARK: What the crowd calls

    func tick(by time: MonotonicTime) { due = min(due, time) }
    func lag(at now: MonotonicTime) -> Duration { lag }
    func connect(_ bot: Int, bufferBytes: Int32?) {}
    func pause(_ bot: Int, _ isPaused: Bool) {}
    func abort(_ bot: Int) { open.remove(bot) }

    func send(_ message: [UInt8], on bot: Int) {
        sent.append(CrowdLog.Message(bot: bot, bytes: message))
        if open.contains(bot) { fault.hear(message, from: bot) }
    }
}

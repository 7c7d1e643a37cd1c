internal import CairnThreads
internal import DequeModule
internal import Foundation
package import Logging
internal import Synchronization

/// The destination of log lines. A thread of its own writes them, so that a hanging reader blocks no caller.
package final class LogSink: Sendable {
    /// The sink of this process, on standard error.
    package static let standardError = LogSink { bytes in
        bytes.withUnsafeBytes { raw in
            var rest = raw[...]
            while !rest.isEmpty {
                let count = write(STDERR_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                // Standard error has no reader any more, so the failure cannot be reported anywhere.
                guard count > 0 || errno == EINTR else { return }
                rest = rest.dropFirst(max(0, count))
            }
        }
    }

    private let state = Mutex(State())
    private let news = DispatchSemaphore(value: 0)
    private let put: @Sendable ([UInt8]) -> Void

    /// Index in `Logger.Level.allCases`. It is read before every line, also before those that are not written.
    private let levelPlace = Atomic<Int>(place(of: .info))

    private struct State {
        var form = Form.json
        var gate = LogGate()
        var lines: Deque<[UInt8]> = []
        var lost = 0
        var isWriting = false
        var hasThread = false
    }

    /// The form of lines.
    enum Form: Sendable {
        case json
        case text(inColour: Bool)
    }

    /// Most lines that wait to be written: those of ten seconds.
    private static let linesMax = 1_000

    /// - Parameter put: writes bytes to the destination. It is called on the sink's thread only, and may block.
    init(put: @escaping @Sendable ([UInt8]) -> Void) {
        self.put = put
    }

    package var level: Logger.Level {
        get { Logger.Level.allCases[levelPlace.load(ordering: .relaxed)] }
        set { levelPlace.store(Self.place(of: newValue), ordering: .relaxed) }
    }

    private static func place(of level: Logger.Level) -> Int {
        Logger.Level.allCases.firstIndex(of: level) ?? 0
    }

    var form: Form {
        get { state.withLock { $0.form } }
        set { state.withLock { $0.form = newValue } }
    }

    /// Queues a line for the writing thread. Never blocks.
    func enqueue(_ line: LogLine, now: Double) {
        let (hasNews, needsThread) = state.withLock { state in
            let isAdmitted = state.gate.admits(line.level, now: now)
            Self.tellHeldBack(&state, time: line.time, now: now)
            if isAdmitted { Self.append(line, to: &state) }
            defer { state.hasThread = true }
            return (isAdmitted || state.gate.hasReport, !state.hasThread)
        }
        if needsThread { startThread() }
        if hasNews { news.signal() }
    }

    /// Waits until all lines are written, but at most a second, because the reader may have stopped reading.
    package func flush() {
        let deadline = Self.now + 1
        while state.withLock({ !$0.lines.isEmpty || $0.isWriting }), Self.now < deadline {
            usleep(1_000)
        }
    }

    // MARK: Inside

    private static func tellHeldBack(_ state: inout State, time: Double, now: Double) {
        guard let heldBack = state.gate.report(now: now) else { return }
        var metadata: Logger.Metadata = ["heldBack": "\(heldBack.values.reduce(0, +) + state.lost)"]
        for (level, count) in heldBack { metadata["heldBack.\(level.rawValue)"] = "\(count)" }
        state.lost = 0
        let message = "more lines than \(Int(LogGate.linesPerSecond)) a second were held back"
        append(LogLine(level: .warning, message: message, metadata: metadata, time: time), to: &state)
    }

    private static func append(_ line: LogLine, to state: inout State) {
        guard state.lines.count < linesMax else {
            state.lost += 1
            return
        }
        switch state.form {
        case .json: state.lines.append(line.json)
        case .text(let inColour): state.lines.append(line.text(inColour: inColour))
        }
    }

    private func startThread() {
        let thread = Thread { [self] in
            ThreadName.set("cairn-log")
            while true {
                // After a second without lines the thread wakes up, too, to report suppressed lines.
                let isLate = news.wait(timeout: .now() + 1) == .timedOut
                writeAll(tellsHeldBack: isLate)
            }
        }
        thread.stackSize = 256 << 10
        thread.start()
    }

    private func writeAll(tellsHeldBack: Bool) {
        while true {
            let next = state.withLock { state in
                if tellsHeldBack { Self.tellHeldBack(&state, time: Self.wallTime, now: Self.now) }
                let line = state.lines.popFirst()
                state.isWriting = line != nil
                return line
            }
            guard let next else { return }
            put(next)
        }
    }

    /// Monotonic seconds.
    static var now: Double { seconds(CLOCK_MONOTONIC) }
    /// Seconds since 1970-01-01 UTC by the system's clock, because the log is compared with other logs.
    static var wallTime: Double { seconds(CLOCK_REALTIME) }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

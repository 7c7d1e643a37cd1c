internal import CairnCore
internal import CairnTime
internal import Foundation
internal import Logging
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// One life of an adaptor's command.
///
/// The process has its own group, three pipes and no other descriptor of the server. Its output is read at a bounded
/// rate, so that a flood fills its own pipe and not the server's memory.
struct AdaptorProcess: Sendable {
    let life: UInt64
    let ending = Ending()
    private let words: [String]
    private let desk: Desk
    private let pace: SupervisionPace
    private let logger: Logger
    /// Given when the process has closed its stdout or is gone, and no more of it is read.
    private let silence = Ending()
    private let hasAnswered = SharedFlag()
    private let isFlooding = SharedFlag()

    /// Bytes a second that are read from a process, of its answers and of its stderr.
    private static let answerBytesPerSecond = 4.0 * 1_048_576
    private static let errorBytesPerSecond = 65_536.0
    /// Stray lines that a process may write at once and then each second, before it is ended.
    private static let strayBurst = 100.0
    private static let strayPerSecond = 10.0
    /// Lines of stderr that are logged, and reports about stray lines.
    private static let errorLinesPerMinute = 20.0
    private static let reportsPerMinute = 4.0
    private static let lives = Atomic<UInt64>(0)

    init(_ words: [String], life: UInt64, desk: Desk, pace: SupervisionPace, logger: Logger) {
        self.words = words
        self.life = life
        self.desk = desk
        self.pace = pace
        self.logger = logger
    }

    /// A number that no other life has.
    static func newLife() -> UInt64 { lives.add(1, ordering: .relaxed).newValue }

    /// Why a process has ended.
    struct End: Sendable {
        let cause: String
        let hasAnswered: Bool
    }

    /// Starts the process and returns when it is gone.
    func run(for supervisor: Supervisor) async -> End {
        guard let first = words.first else { return End(cause: "no command", hasAnswered: false) }
        // A process that has ended must cost an error, not the server.
        signal(SIGPIPE, SIG_IGN)
        var options = PlatformOptions()
        options.processGroupID = 0
        let configuration = Configuration(
            executable: first.contains("/") ? .path(FilePath(first)) : .name(first),
            arguments: Arguments(Array(words.dropFirst())),
            environment: .custom(Self.environment(from: ProcessInfo.processInfo.environment)),
            platformOptions: options)
        let cause: String
        do {
            let result = try await Subprocess.run(
                configuration, input: .inputWriter, output: .sequence, error: .sequence
            ) { execution in
                await desk.begin(life, of: supervisor)
                await serve(execution)
                await desk.end(life, of: supervisor)
            }
            cause =
                switch result.terminationStatus {
                case .exited(let code): "its process ended with exit code \(code)"
                case .signaled(let signal): "its process ended by signal \(signal)"
                }
        } catch {
            await desk.end(life, of: supervisor)
            cause = "its process cannot be started: \(LogMask.masked(Array("\(error)".utf8)))"
        }
        return End(cause: cause, hasAnswered: hasAnswered.isSet)
    }

    /// What the process sees of the server's environment: never its secrets (EXT-3).
    static func environment(from own: [String: String]) -> [Environment.Key: String] {
        var kept: [Environment.Key: String] = [:]
        for (name, value) in own where ["PATH", "HOME", "LANG", "TZ"].contains(name) || name.hasPrefix(prefix) {
            kept[.init(stringLiteral: name)] = value
        }
        return kept
    }

    private static let prefix = "CAIRN_ADAPTOR_"

    private typealias Running = Execution<CustomWriteInput, SequenceOutput, SequenceOutput>

    // MARK: While it runs

    /// Writes calls and reads answers until the process ends or is to end, then ends it.
    private func serve(_ execution: Running) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await write(to: execution.standardInputWriter)
                ending.give()
            }
            group.addTask {
                await readAnswers(execution.standardOutput)
                silence.give()
                ending.give()
            }
            group.addTask { await readErrors(execution.standardError) }
            await ending.wait()
            await desk.retire(life)
            // The writer has closed stdin, unless the process does not read.
            if !isFlooding.isSet { await waitForSilence(atMost: pace.closePause) }
            await execution.teardown(using: [
                .send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: pace.terminatePause)
            ])
            // What the process has started and left behind.
            try? execution.send(signal: .kill, toProcessGroup: true)
            group.cancelAll()
        }
    }

    private func waitForSilence(atMost limit: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await silence.wait() }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }

    /// A write waits while the pipe is full, without a thread.
    private func write(to writer: StandardInputWriter) async {
        while let line = await desk.nextLine(for: life) {
            guard let written = try? await writer.write(line), written == line.count else { break }
        }
        try? await writer.finish()
    }

    private func readAnswers(_ output: SubprocessOutputSequence) async {
        var splitter = LineSplitter(bytesMax: AdaptorLine.bytesMax)
        var bytes = TokenBucket(rate: Self.answerBytesPerSecond, burst: Self.answerBytesPerSecond, now: .now)
        var strays = TokenBucket(rate: Self.strayPerSecond, burst: Self.strayBurst, now: .now)
        var reports = TokenBucket(rate: Self.reportsPerMinute / 60, burst: Self.reportsPerMinute, now: .now)
        // An error means that the process is gone.
        var buffers = output.makeAsyncIterator()
        while let buffer = try? await buffers.next() {
            var lines = 0
            var heard: [AdaptorLine.Heard] = []
            splitter.take(buffer.withUnsafeBytes { Array($0) }) { piece in
                lines += 1
                if case .line(let line) = piece, let one = AdaptorLine.heard(in: line) { heard.append(one) }
                return Double(lines - heard.count) <= Self.strayBurst
            }
            let answers = await desk.hear(heard)
            if answers > 0 { hasAnswered.set() }
            let stray = lines - answers
            if stray > 0 {
                desk.count { $0.strayLines += UInt64(stray) }
                if reports.take(now: .now) == nil {
                    logger.warning(
                        "adaptor \(desk.name): lines that answer no call", metadata: ["lines": "\(stray)"])
                }
                guard strays.take(upTo: stray, now: .now) == stray else {
                    logger.warning("adaptor \(desk.name): too many such lines; its process is ended")
                    isFlooding.set()
                    return
                }
            }
            await Self.keepPace(&bytes, buffer.count)
        }
    }

    /// Its stderr goes to the log, masked and cut.
    private func readErrors(_ output: SubprocessOutputSequence) async {
        var splitter = LineSplitter(bytesMax: 4 * LogMask.charactersMax)
        var bytes = TokenBucket(rate: Self.errorBytesPerSecond, burst: Self.errorBytesPerSecond, now: .now)
        var lines = TokenBucket(rate: Self.errorLinesPerMinute / 60, burst: Self.errorLinesPerMinute, now: .now)
        var leftOut = 0
        var buffers = output.makeAsyncIterator()
        while let buffer = try? await buffers.next() {
            splitter.take(buffer.withUnsafeBytes { Array($0) }) { piece in
                guard lines.take(now: .now) == nil else {
                    leftOut += 1
                    return true
                }
                let text =
                    switch piece {
                    case .line(let line): LogMask.masked(line)
                    case .overlong: "[a long line]"
                    }
                logger.notice(
                    "adaptor \(desk.name) says: \(text)", metadata: leftOut > 0 ? ["leftOut": "\(leftOut)"] : [:])
                leftOut = 0
                return true
            }
            await Self.keepPace(&bytes, buffer.count)
        }
    }

    private static func keepPace(_ bucket: inout TokenBucket, _ count: Int) async {
        bucket.spend(Double(count))
        let pause = bucket.wait(for: 0, now: .now)
        if pause > .zero { try? await Task.sleep(for: pause) }
    }
}

/// Set once, read from any task.
private final class SharedFlag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() { value.store(true, ordering: .relaxed) }
}

internal import Logging

/// Keeps one command running: starts it, and starts it again after a growing pause whenever it ends.
actor Supervisor {
    private let words: [String]
    private let desk: Desk
    private let pace: SupervisionPace
    private let logger: Logger
    private var isEnding = false
    private var isOver = false
    private var process: (life: UInt64, ending: Ending)?
    private var pause: Task<Void, any Error>?
    private var waiters: [CheckedContinuation<Void, Never>] = []

    init(_ words: [String], desk: Desk, pace: SupervisionPace, logger: Logger) {
        self.words = words
        self.desk = desk
        self.pace = pace
        self.logger = logger
    }

    /// Runs until `end()`.
    func run() async {
        var restart = RestartPause(first: pace.firstPause, longest: pace.longestPause)
        while !isEnding {
            let process = AdaptorProcess(words, life: AdaptorProcess.newLife(), desk: desk, pace: pace, logger: logger)
            self.process = (process.life, process.ending)
            let began = ContinuousClock.now
            let end = await process.run(for: self)
            self.process = nil
            guard !isEnding else { break }
            if end.hasAnswered || began.duration(to: .now) >= pace.steadyAfter { restart.reset() }
            let length = restart.next()
            logger.warning(
                "adaptor \(desk.name): \(end.cause); it is started again",
                metadata: ["pauseSeconds": "\(length.components.seconds)"])
            // `end()` cuts the pause short.
            let pause = Task { try await Task.sleep(for: length) }
            self.pause = pause
            try? await pause.value
            self.pause = nil
            if !isEnding { desk.count { $0.restarts += 1 } }
        }
        isOver = true
        for waiter in waiters { waiter.resume() }
        waiters = []
    }

    /// Ends the process for good.
    func end() {
        isEnding = true
        pause?.cancel()
        process?.ending.give()
    }

    /// Ends the process; another one follows.
    func endLife(_ life: UInt64) {
        if process?.life == life { process?.ending.give() }
    }

    /// Returns when the process is gone for good.
    func ended() async {
        end()
        if isOver { return }
        await withCheckedContinuation { waiters.append($0) }
    }
}

/// The growing pauses between two starts of a process.
struct RestartPause: Hashable, Sendable {
    private let first: Duration
    private let longest: Duration
    private var last: Duration?

    init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    mutating func next() -> Duration {
        let pause = last.map { min($0 * 2, longest) } ?? first
        last = pause
        return pause
    }

    mutating func reset() { last = nil }
}

/// The order to end a process; further orders change nothing.
struct Ending: Sendable {
    private let stream: AsyncStream<Never>
    private let continuation: AsyncStream<Never>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func give() { continuation.finish() }

    /// Returns when it is given.
    func wait() async {
        for await _ in stream {}
    }
}

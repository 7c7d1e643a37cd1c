internal import CairnCore
internal import CairnStore
internal import CairnTime
internal import CairnWebSocket
internal import Logging

extension Shard {
    /// Reads grouped questions off this thread and comes back with the answers grouped alike. A database that does not
    /// answer is asked again, after pauses that grow to 30 s; nothing is made up. Requests do not wait for that
    /// (`refuseLate`).
    func read(_ groups: [[Query]], attempt: Int = 0, then: @escaping @Sendable ([[[Row]]]) -> Void) {
        context.store.read(groups.flatMap { $0 }) { [self] result in
            switch result {
            case .success(let answers):
                var rest = ArraySlice(answers)
                let grouped = groups.map { group in
                    defer { rest = rest.dropFirst(group.count) }
                    return Array(rest.prefix(group.count))
                }
                loop.post { then(grouped) }
            case .failure(let error):
                let pause = ReadFailures.pause(after: attempt)
                Task {
                    self.post { $0.note(error, pause: pause) }
                    try? await Task.sleep(for: pause)
                    self.post { $0.read(groups, attempt: attempt + 1, then: then) }
                }
            }
        }
    }

    private func note(_ error: StoreError, pause: Duration) {
        guard let count = readFailures.note(now: now) else { return }
        context.logger.error(
            "what is stored of a home cannot be read, and is asked for again",
            metadata: ["cause": "\(error)", "pause": "\(pause)", "failures": "\(count)"])
    }
}

/// How homes that cannot be read are asked for again, and how often that is in the log. Pure: time is handed in.
struct ReadFailures: Sendable {
    private var told: MonotonicTime?
    private var untold = 0

    /// Time between two lines of the log, however many homes cannot be read.
    private static let linePause: Duration = .seconds(10)

    /// The pause before a home is asked for again: 200 ms, twice as long after each further failure, 30 s at most.
    static func pause(after attempt: Int) -> Duration {
        min(.milliseconds(200 << min(max(attempt, 0), 8)), .seconds(30))
    }

    /// One more, at `now`.
    /// - Returns: how many there were since the last line, when it is time for one.
    mutating func note(now: MonotonicTime) -> Int? {
        untold += 1
        if let told, now - told < Self.linePause { return nil }
        defer { untold = 0 }
        told = now
        return untold
    }
}

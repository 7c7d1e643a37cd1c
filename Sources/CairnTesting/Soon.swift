/// Looks again and again until a condition holds, for what can only be asked for: figures, files, rows.
/// - Returns: false when it does not hold within two minutes: that is for hangs, and what comes ends the wait at once.
public func soon(_ condition: () async throws -> Bool) async rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(120)
    while true {
        // Where many tests run, a short sleep may be longer than all of the patience: the last look comes after it.
        let isLast = ContinuousClock.now >= deadline
        if try await condition() { return true }
        if isLast { return false }
        try? await Task.sleep(for: .milliseconds(5))
    }
}

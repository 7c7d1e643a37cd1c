/// Looks again and again until a condition holds, for what can only be asked for: figures, files, rows.
/// - Returns: false when it does not hold within ten seconds.
public func soon(_ condition: () async throws -> Bool) async rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < deadline {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return false
}

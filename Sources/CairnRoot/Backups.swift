internal import CairnConfiguration
internal import CairnCore
internal import CairnOperators
internal import CairnServer
internal import CairnStore
internal import Foundation
internal import Logging

/// When the next backup is due (DAT-5).
struct BackupSchedule: Hashable, Sendable {
    /// Time between two backups; nil = none by themselves.
    let interval: Duration?
    /// A backup that failed is tried again after this.
    static let retry = Duration.seconds(600)
    /// The first backup waits for this long, so that it does not slow down the start.
    static let firstDelay = Duration.seconds(60)

    init(hours: Int) {
        interval = hours > 0 ? .seconds(hours * 3_600) : nil
    }

    /// - Parameters:
    ///   - newest: when the newest backup was taken, this process or not; nil = there is none.
    ///   - failedAt: when the last attempt failed, if it did.
    /// - Returns: the time of the next one; nil = never.
    func next(newest: WallTime?, failedAt: WallTime?, startedAt: WallTime) -> WallTime? {
        guard let interval else { return nil }
        let due = max(newest.map { $0 + interval } ?? startedAt, startedAt + Self.firstDelay)
        return max(due, failedAt.map { $0 + Self.retry } ?? due)
    }
}

extension RunningServer {
    /// Backs up at the set pace until the task is cancelled. A failure is logged and counted, and the
    /// backup tried again.
    func backUpRegularly() async {
        guard let folder = store.backupFolder else { return }
        let schedule = BackupSchedule(hours: configuration.backup.hours)
        var startedAt = Self.now
        var failedAt: WallTime?
        while !Task.isCancelled {
            let now = Self.now
            // Times from before the clock was set back are not waited for.
            startedAt = min(startedAt, now)
            failedAt = failedAt.map { min($0, now) }
            // An unsound one counts: the next comes at its time, not at once.
            let newest = folder.lastTaken(now: now)
            guard let next = schedule.next(newest: newest, failedAt: failedAt, startedAt: startedAt) else { return }
            // Short sleeps, so that a change of the clock does not delay the backup.
            guard Self.now >= next else {
                try? await Task.sleep(for: min(next - Self.now, .seconds(60)))
                continue
            }
            do {
                _ = try await store.backUp()
                failedAt = nil
            } catch {
                failedAt = Self.now
            }
        }
    }

    /// Writes a verified backup now. Every change that was acknowledged before is in it.
    /// - Returns: a line that says where it is.
    public func backUp() async throws -> String { try await store.backUp().line }

    private static var now: WallTime { WallTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }
}

extension OperatorActions {
    /// With `backup`, where the store has a folder for it.
    func backingUp(_ store: Store) -> OperatorActions {
        guard backup == nil, store.backupFolder != nil else { return self }
        var actions = self
        actions.backup = { try await store.backUp().line }
        return actions
    }
}

extension BackupReport {
    /// The report as a line for operators.
    var line: String {
        let megabytes = String(format: "%.1f", Double(bytes) / 1_000_000)
        let state = isSound ? "verified" : "UNSOUND (\(faults))"
        let parts = files == 0 ? "\(rows) rows" : "\(rows) rows, \(files) files"
        return "\(path): \(megabytes) MB, \(parts), \(state), in \(took.milliseconds) ms"
    }
}

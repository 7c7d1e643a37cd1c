internal import CairnCore
internal import CairnFeatures
internal import CairnStore
internal import Foundation
internal import Logging

/// When the next backup is due (DAT-5).
struct BackupSchedule: Hashable, Sendable {
    /// Milliseconds between two backups; nil = none by themselves.
    let interval: Int64?
    /// A backup that failed is tried again after this.
    static let retry: Int64 = 600_000
    /// A server that has just started has better things to do.
    static let settling: Int64 = 60_000

    init(hours: Int) {
        interval = hours > 0 ? Int64(hours) * 3_600_000 : nil
    }

    /// - Parameters:
    ///   - newest: when the newest backup was taken, this process or not; nil = there is none.
    ///   - failedAt: when the last attempt failed, if it did.
    /// - Returns: the time of the next one, in milliseconds since 1970; nil = never.
    func next(newest: Int64?, failedAt: Int64?, startedAt: Int64) -> Int64? {
        guard let interval else { return nil }
        let due = max(newest.map { $0 + interval } ?? startedAt, startedAt + Self.settling)
        return max(due, failedAt.map { $0 + Self.retry } ?? due)
    }
}

extension RunningServer {
    /// Backs up at the set pace until the task is cancelled. What fails is logged, counted and tried again.
    func backUpRegularly() async {
        guard let folder = store.backupFolder else { return }
        let schedule = BackupSchedule(hours: configuration.backup.hours)
        var startedAt = Self.now
        var failedAt: Int64?
        while !Task.isCancelled {
            let now = Self.now
            // What a clock said that has been set back since is not waited for.
            startedAt = min(startedAt, now)
            failedAt = failedAt.map { min($0, now) }
            let newest = folder.newest(now: now)?.takenAt
            guard let next = schedule.next(newest: newest, failedAt: failedAt, startedAt: startedAt) else { return }
            // In short naps, so that a clock that was set does not make it late by as much.
            guard Self.now >= next else {
                try? await Task.sleep(for: .milliseconds(min(next - Self.now, 60_000)))
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

    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
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
    /// For whoever asked.
    var line: String {
        let megabytes = String(format: "%.1f", Double(bytes) / 1_000_000)
        return "\(path): \(megabytes) MB, \(rows) rows, verified, in \(took.milliseconds) ms"
    }
}

/// What can be done with a world's storage from outside a server.
public enum StorageTools {
    static var migrations: [Migration] {
        SignIn.migrations + KeptAnswer.migrations + Features.register.migrations + Engagement.migrations
            + WorldRecord.migrations
    }

    /// What is in the tables that they make.
    static func tables(_ configuration: Configuration) -> [StoredTable] {
        SignIn.tables + [KeptAnswer.table]
            + Features.register.tables(rules: Rules(configuration, register: Features.register)) + Engagement.tables
            + [WorldRecord.table]
    }

    /// Writes a verified backup, beside a running server too.
    /// - Parameter file: nil = the folder `backup.directory`.
    public static func backUp(_ configuration: Configuration, to file: String?) throws -> String {
        try Store.backUp(to: file, options: Store.Options(configuration)).line
    }

    /// Puts a backup in the place of the database. Refused under a running server.
    public static func restore(_ configuration: Configuration, from file: String) throws -> String {
        let report = try Store.restore(file, options: Store.Options(configuration), migrations: migrations)
        guard let kept = report.setAside else { return "\(file) is the world now" }
        return """
            \(file) is the world now; the database that was there is kept as \(kept)
            what changed from \(report.lostPeriod) is not in it
            """
    }

    /// Looks whether a database or a backup is sound and opens with the key.
    /// - Parameter file: nil = the database itself.
    public static func verify(_ configuration: Configuration, file: String?) throws -> String {
        let options = Store.Options(configuration)
        let report = try Store.verify(file ?? options.path, options: options, migrations: migrations)
        let tables = report.rowsPerTable.sorted { $0.key < $1.key }.map { "  \($0.key) \($0.value)" }
        return (["sound: \(report.path): \(report.pages) pages, \(report.rows) rows, opens with the key"] + tables)
            .joined(separator: "\n")
    }

    /// Adds a master key, which takes over at the next start. Older backups open with the older ones.
    public static func rotateKey(_ configuration: Configuration) throws -> String {
        guard let path = configuration.storage.keyFile else { return "this world has no key file" }
        try KeyFile(path: path).rotate()
        return """
            \(path) has a new key, which takes over at the next start of the server
            the older keys stay in it for older backups; copy the file again to where its copy is
            """
    }
}

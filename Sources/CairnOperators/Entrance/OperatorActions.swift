public import Logging

/// Actions that operators can start on a server; nil = not available (yet). Each returns a line for the operator.
public struct OperatorActions: Sendable {
    /// Stop as SIGTERM does.
    public var drain: (@Sendable () async throws -> String)?
    /// Read the settings again, as SIGHUP does.
    public var reload: (@Sendable () async throws -> String)?
    /// What that would change: a line for each setting with its old and its new value, without secrets.
    public var previewReload: (@Sendable () async throws -> SettingChanges)?
    /// Write a copy of the database while serving.
    public var backup: (@Sendable () async throws -> String)?
    /// Write log lines from this level on.
    public var setLogLevel: (@Sendable (Logger.Level) -> Void)?

    /// A server that only shows itself.
    public init() {}
}

/// What reading the settings again changes, a line for each: `listen.port: 8080 -> 8081`.
public struct SettingChanges: Sendable {
    /// At once.
    public let applied: [String]
    /// At the next restart.
    public let waiting: [String]

    public init(applied: [String], waiting: [String]) {
        (self.applied, self.waiting) = (applied, waiting)
    }
}

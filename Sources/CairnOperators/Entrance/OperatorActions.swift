public import Logging

/// Actions that operators can start on a server; nil = not available (yet). Each returns a line for the operator.
public struct OperatorActions: Sendable {
    /// Stop as SIGTERM does.
    public var drain: (@Sendable () async throws -> String)?
    /// Read the settings again, as SIGHUP does.
    public var reload: (@Sendable () async throws -> String)?
    /// Write a copy of the database while serving.
    public var backup: (@Sendable () async throws -> String)?
    /// Write log lines from this level on.
    public var setLogLevel: (@Sendable (Logger.Level) -> Void)?

    /// A server that only shows itself.
    public init() {}
}

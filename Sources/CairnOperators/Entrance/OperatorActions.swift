public import Logging

/// What operators may have a server do beyond looking at it; nil = it cannot (yet). Each gives a line for whoever
/// asked.
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

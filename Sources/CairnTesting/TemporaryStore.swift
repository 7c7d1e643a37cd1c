public import CairnCore
public import CairnFeatures
public import CairnStore
public import CairnWire
internal import Logging

/// A real store in a folder of its own.
public struct TemporaryStore: Sendable {
    public let store: Store
    public let folder: TemporaryFolder
    private let register: FeatureRegister

    /// Opens a database with the tables of a register's features, or with other tables. `folder` opens an earlier one
    /// again.
    public static func open(
        _ register: FeatureRegister = Features.register, in folder: TemporaryFolder? = nil,
        migrations: [Migration]? = nil
    ) async throws -> TemporaryStore {
        let folder = try folder ?? TemporaryFolder()
        let store = try await Store.open(
            Store.Options(path: folder.path + "/cairn.sqlite", keys: .file(folder.path + "/cairn.key")),
            migrations: migrations ?? StoredReply.migrations + register.migrations + Engagement.migrations
                + TimerRow.migrations + HeardMessage.migrations + StoredNotification.migrations,
            tables: register.tables(settings: Settings()) + [StoredReply.table] + Engagement.tables
                + [TimerRow.table, HeardMessage.table, StoredNotification.table],
            logger: .quiet)
        return TemporaryStore(store: store, folder: folder, register: register)
    }

    /// Commits the statements; returns when they are on disk.
    public func commit(_ statements: [Statement]) async throws {
        try await store.commit(statements)
    }

    /// Deletes all expired rows.
    public func expire(_ expiries: [Expiry]) async throws {
        try await store.commit(expiries.map { $0.deletion(rowsMax: .max) })
    }

    /// The answers to the queries, in their order.
    public func read(_ queries: Query...) async throws -> [[Row]] {
        try await store.read(queries)
    }

    /// The stored state that wakes a home: the answers to `register.stored(in:)`, feature by feature.
    public func stored(in home: HomeAddress) async throws -> [[[Row]]] {
        var answers: [[[Row]]] = []
        for queries in register.stored(in: home) { answers.append(try await store.read(queries)) }
        return answers
    }

    /// The stored state that wakes an account: the answers to `AccountCore.questions`.
    public func stored(for account: AccountID, now: LastingTime) async throws -> [[[Row]]] {
        var answers: [[[Row]]] = []
        for queries in AccountCore.questions(of: account, register, now: now) {
            answers.append(try await store.read(queries))
        }
        return answers
    }

    /// Closes the file; the folder stays while there is a reference to it.
    public func close() async {
        await store.close()
    }
}

extension Logger {
    /// A logger for critical lines only: what must never happen.
    static var quiet: Logger {
        var logger = Logger(label: "cairn-test")
        logger.logLevel = .critical
        return logger
    }
}

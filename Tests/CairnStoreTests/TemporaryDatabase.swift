import CairnCore
import CairnWire
import Foundation
import Logging
import Synchronization
import Testing

@testable import CairnStore

/// A temporary folder with a database in it; gone when nobody uses it or a store in it any more.
final class TemporaryDatabase: Sendable {
    static let marks = Migration(
        "marks-1", "CREATE TABLE marks (id INTEGER PRIMARY KEY, home INTEGER NOT NULL, turn INTEGER NOT NULL) STRICT")

    let log: LogBook
    let keys: MasterKeys
    var folder: String { log.folder.path }

    init(keys: MasterKeys = .throwAway()) throws {
        log = LogBook(in: try TemporaryFolder())
        self.keys = keys
    }

    var path: String { folder + "/data/cairn.sqlite" }

    var bytes: Data { FileManager.default.contents(atPath: path) ?? Data() }

    var logBytes: Data { FileManager.default.contents(atPath: path + "-wal") ?? Data() }

    /// Options whose pauses are too short to notice, and whose transactions end for no slow machine.
    var options: Store.Options {
        var options = Store.Options(path: path, keys: .memory(keys))
        options.retryFirst = .milliseconds(1)
        options.retryMax = .milliseconds(4)
        options.commitMilliseconds = 60_000
        return options
    }

    func open(
        _ migrations: [Migration] = [marks], tables: [StoredTable] = [],
        _ change: (inout Store.Options) -> Void = { _ in }
    ) async throws -> Store {
        var options = options
        change(&options)
        return try await Store.open(options, migrations: migrations, tables: tables, logger: log.logger)
    }

    /// What a crash at this moment would leave behind, as the folder of another place.
    func crashed() throws -> TemporaryDatabase {
        let image = try TemporaryDatabase(keys: keys)
        let folder = (image.path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for ending in ["", "-wal"] where FileManager.default.fileExists(atPath: path + ending) {
            try FileManager.default.copyItem(atPath: path + ending, toPath: image.path + ending)
        }
        return image
    }

    /// Changes bytes of a file where it lies.
    func damage(_ ending: String = "", at offset: Int, with bytes: [UInt8]) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: path + ending))
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }
}

/// The steps of the table that all tests share; what is in its rows is nobody's concern.
let marksFormat = StoreFormat(migrations: [TemporaryDatabase.marks])

/// One mark in the table that all tests share.
func mark(_ id: Int64, home: UInt64 = 1, turn: UInt64 = 0) -> Statement {
    Statement(
        "INSERT INTO marks (id, home, turn) VALUES (?, ?, ?)", .integer(id), .integer(Int64(home)),
        .integer(Int64(turn)))
}

/// A unit of one mark.
func unit(_ id: Int64, home: UInt64 = 1) -> CommitUnit {
    CommitUnit(statements: [mark(id, home: home, turn: UInt64(id))], ticket: ticket(id, home: home))
}

func ticket(_ turn: Int64, home: UInt64 = 1) -> CommitTicket {
    CommitTicket(loop: 0, home: .account(AccountID(rawValue: home)), turn: UInt64(turn))
}

let countMarks = Query("SELECT count(*) FROM marks")

extension Store {
    var markCount: Int64 {
        get async throws { try await read([countMarks])[0][0].integer(0) }
    }

    /// Submits everything before the writer can begin.
    func submitTogether(_ units: [CommitUnit]) async {
        withWriter { _ in for unit in units { self.submit(unit) } }
    }

    /// No transaction can grow the database from now on, as on a full disk; nil = there is room again.
    func limitPages(to limit: Int64?) async throws {
        try withWriter { writer in
            try writer.lend { connection in
                // The limit is never below the pages that are there.
                try connection.lend("test") { db in
                    _ = try db.answer(
                        Query(limit == nil ? "PRAGMA max_page_count = 1073741823" : "PRAGMA max_page_count = 1"),
                        keyring: nil)
                }
            }
        }
    }
}

/// Collects outcomes, to be awaited.
final class Outcomes: Sendable {
    private let stream: AsyncStream<CommitOutcome>
    private let continuation: AsyncStream<CommitOutcome>.Continuation
    let received = Mutex<[CommitOutcome]>([])

    /// - Parameter look: runs on the store's thread before the outcome is noted.
    init(of store: Store, look: @escaping @Sendable (CommitOutcome) -> Void = { _ in }) {
        (stream, continuation) = AsyncStream.makeStream()
        store.onCommit { [continuation, received = Received(self)] outcome in
            look(outcome)
            received.note(outcome)
            continuation.yield(outcome)
        }
    }

    private struct Received: Sendable {
        weak let outcomes: Outcomes?

        init(_ outcomes: Outcomes) { self.outcomes = outcomes }

        func note(_ outcome: CommitOutcome) { outcomes?.received.withLock { $0.append(outcome) } }
    }

    /// Waits until so many tickets are decided; gives all outcomes.
    func decided(_ count: Int) async -> [CommitOutcome] {
        let isEnough = {
            self.received.withLock { $0.reduce(0) { $0 + $1.committed.count + $1.failed.count + $1.voided.count } }
                >= count
        }
        var outcomes = stream.makeAsyncIterator()
        while !isEnough() { _ = await outcomes.next() }
        return received.withLock { $0 }
    }
}

/// A folder that goes with the last who knows it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "cairn-store-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// A log to read, and to wait for. Keeps the folder of the store that writes it.
final class LogBook: LogHandler, Sendable {
    let folder: TemporaryFolder
    private let lines = Mutex<[String]>([])
    private let waiters = Mutex<[(part: String, resume: CheckedContinuation<String, Never>)]>([])

    init(in folder: TemporaryFolder) { self.folder = folder }

    var logger: Logger { Logger(label: "test") { _ in self } }

    var all: [String] { lines.withLock { $0 } }

    func log(event: LogEvent) {
        let line = "\(event.level): \(event.message)"
        let found = waiters.withLock { waiters in
            lines.withLock { $0.append(line) }
            let found = waiters.filter { line.contains($0.part) }
            waiters.removeAll { line.contains($0.part) }
            return found
        }
        for waiter in found { waiter.resume.resume(returning: line) }
    }

    /// Waits for a line that contains this; one that was written before counts.
    func line(with part: String) async -> String {
        await withCheckedContinuation { continuation in
            let found: String? = waiters.withLock { waiters in
                if let line = lines.withLock({ $0.first { $0.contains(part) } }) { return line }
                waiters.append((part, continuation))
                return nil
            }
            if let found { continuation.resume(returning: found) }
        }
    }

    // MARK: LogHandler, of which nothing else is used

    var metadataProvider: Logger.MetadataProvider? {
        get { nil }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }
}

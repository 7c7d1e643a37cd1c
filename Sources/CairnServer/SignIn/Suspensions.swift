package import CairnCore
internal import CairnStore
package import CairnWire
internal import Foundation
internal import Synchronization

/// Accounts that operators have suspended (ROL-5), on disk and in memory, so that signing in needs no further read.
/// They are few: each is an operator's decision. Each is noted in the account's own row as well, in the same
/// transaction (`AccountRecord.suspended`).
package final class Suspensions: Sendable {
    /// Why, since when and how long.
    package struct Suspension: Sendable, Equatable {
        /// Operators' words; empty = none.
        package let reason: String
        package let at: WallTime
        /// Nil = until the account is reinstated.
        package let until: LastingTime?

        package init(reason: String, at: WallTime, until: LastingTime? = nil) {
            (self.reason, self.at, self.until) = (reason, at, until)
        }

        fileprivate func stands(at time: LastingTime) -> Bool { until.map { $0 > time } ?? true }
    }

    /// Includes those that are over until their rows are removed.
    private let known: Mutex<[AccountID: Suspension]>
    private let clock: ServerClock

    private static let seal = Seal("suspensions")

    static let migrations = [
        Migration(
            "suspensions-1",
            "CREATE TABLE suspensions (account INTEGER PRIMARY KEY, sealed BLOB NOT NULL) STRICT")
    ]

    static let table = StoredTable(
        "suspensions", of: .account, columns: ["account", "sealed"], key: [0], opening: [Opening(1, seal, row: 0)],
        references: [StoredTable.Reference(0, to: "accounts", "id")],
        erasure: [.rows(0)],
        export: .nothing(because: "who is suspended does not sign in"), isTalliedByKey: true
    ) { row throws(ColumnFault) in
        _ = try suspension(in: row)
        return []
    }

    private static let everything = table.query("ORDER BY account")

    private static func suspension(in row: Row) throws(ColumnFault) -> Suspension {
        try row.within(1) { sealed throws(ColumnFault) in
            Suspension(
                reason: try sealed.text(0), at: WallTime(milliseconds: try sealed.integer(1)),
                // Rows of before suspensions had an end close with the time.
                until: sealed.values.count > 2 ? try sealed.lastingTime(2) : nil)
        }
    }

    /// Reads them. One whose row is damaged stands as well, without its reason and its end.
    init(store: Store, clock: ServerClock = ServerClock()) async throws {
        self.clock = clock
        var known: [AccountID: Suspension] = [:]
        for row in try await store.read([Self.everything.about()]).first ?? [] {
            guard let account = try? row.integer(0) else { continue }
            var suspension = Suspension(reason: "", at: .epoch)
            do throws(DamagedRow) {
                suspension = try Self.table.read(row) { row throws(ColumnFault) in try Self.suspension(in: row) }
            } catch {
                store.report([error])
            }
            known[AccountID(rawValue: UInt64(bitPattern: account))] = suspension
        }
        // A row that somebody deleted behind the server's back comes back, without its reason.
        for row in store.missingRows(of: Self.table) {
            let account = AccountID(rawValue: UInt64(bitPattern: row))
            let suspension = Suspension(reason: "", at: .epoch)
            known[account] = suspension
            store.leave([Self.insertion(suspension, of: account)])
        }
        self.known = Mutex(known)
    }

    /// Compares an account's own row with the suspensions, when the server starts. A suspension whose row is gone
    /// stands by the note alone, without its reason; one from before the notes is noted.
    /// - Returns: false when its row was gone.
    func reconcile(_ account: AccountRecord, in store: Store) -> Bool {
        guard !account.isClosed else { return true }
        switch (known.withLock { $0[account.id] }, account.suspended) {
        case (nil, let at?):
            let suspension = Suspension(reason: "", at: at)
            note(suspension, of: account.id)
            store.leave([Self.insertion(suspension, of: account.id)])
            return false
        case (let suspension?, nil):
            var noted = account
            noted.suspended = suspension.at
            store.leave([noted.update])
            return true
        case (nil, nil), (_?, _?): return true
        }
    }

    /// The suspension of an account; nil = there is none, or it is over.
    package subscript(account: AccountID) -> Suspension? {
        let time = certainTime
        return known.withLock { $0[account] }.flatMap { $0.stands(at: time) ? $0 : nil }
    }

    /// All that stand.
    package var all: [AccountID: Suspension] {
        let time = certainTime
        return known.withLock { $0.filter { $1.stands(at: time) } }
    }

    /// Those that are over, and whose rows are there still.
    var over: [AccountID] {
        let time = certainTime
        return known.withLock { $0.compactMap { $1.stands(at: time) ? nil : $0 } }
    }

    /// A clock that is ahead ends none too early: ends are delayed by the doubt about it, like those of all else.
    private var certainTime: LastingTime { clock.lasting - clock.doubt }

    /// The message for a suspended account; nil = it is not suspended.
    func refusal(of account: AccountID) -> Refusal? {
        guard let suspension = self[account] else { return nil }
        let reason = suspension.reason
        let until = suspension.until.map { ["until": "\(wallTime(of: $0).milliseconds)"] } ?? [:]
        return Refusal(
            .accountSuspended, reason.isEmpty ? nil : "This account is suspended: \(reason)", component: "sign-in",
            details: until)
    }

    /// When a suspension ends by today's clock, at the latest: doubt about the clock delays it while there is some.
    package func wallTime(of end: LastingTime) -> WallTime {
        let lasting = clock.lasting
        return clock.now + (min(end + clock.doubt, max(end, lasting + clock.doubtLasts)) - lasting)
    }

    /// Suspends an account, or replaces the reason.
    static func insertion(_ suspension: Suspension, of account: AccountID) -> Statement {
        let row = Int64(bitPattern: account.rawValue)
        return Statement(
            "INSERT OR REPLACE INTO suspensions (account, sealed) VALUES (?, ?)", .integer(row),
            .sealed(
                [.text(suspension.reason), .time(suspension.at)] + (suspension.until.map { [.time($0)] } ?? []),
                seal, row: row))
    }

    /// Lets an account in again; fails when it is not suspended.
    static func removal(of account: AccountID) -> Statement {
        Statement(
            "DELETE FROM suspensions WHERE account = ?", .integer(Int64(bitPattern: account.rawValue)), changing: 1)
    }

    /// Notes what is on disk. From then on nobody comes in with a suspended account.
    func note(_ suspension: Suspension?, of account: AccountID) {
        known.withLock { $0[account] = suspension }
    }
}

extension WallTime {
    /// For people, to the second: 2026-12-04 23:59:00 UTC.
    var words: String {
        let style = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day().dateTimeSeparator(.space)
            .time(includingFractionalSeconds: false)
        return Date(timeIntervalSince1970: Double(milliseconds) / 1_000).formatted(style) + " UTC"
    }
}

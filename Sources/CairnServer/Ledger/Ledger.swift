internal import CairnCore
internal import CairnCrypto
internal import CairnStore
internal import CairnWire
internal import Foundation
internal import Synchronization

/// Writes the ledger (CMP-6), one unit after the other: each entry needs the mark of the one before, which is known
/// when that is on disk (decision 0044).
final class Ledger: Sendable {
    private let turns = AccountTurns()
    /// The last entry; nil = it has to be read.
    private let last = Mutex<Place?>(nil)

    /// What was read of it to find its providers.
    private let read = Mutex(Providers())

    private struct Providers: Sendable {
        /// The entries up to this one.
        var last: Int64 = 0
        var names: Set<String> = []
    }

    private static let pageRows = 500

    /// Where the ledger has come to.
    struct Place: Hashable, Sendable {
        var number: Int64
        var mark: String
    }

    /// Writes entries in one unit with other statements.
    /// - Parameter body: what belongs to the unit; runs when it is the ledger's turn. Nil = nothing is to be written.
    /// - Returns: false when another change was faster, after which nothing is written.
    func write(
        by signIn: SignIn, _ body: @escaping @Sendable () async throws -> (entries: [LedgerEntry.Fields], [Statement])?
    ) async throws -> Bool {
        try await turns.take { [self] in
            guard let (fields, statements) = try await body() else { return true }
            var place = try await self.place(in: signIn.store)
            var written: [Statement] = []
            for fields in fields {
                let entry = LedgerEntry(number: place.number + 1, fields, after: place.mark)
                place = Place(number: entry.number, mark: entry.mark)
                written.append(entry.insertion)
            }
            // After an error only the disk knows whether the entry was written.
            last.withLock { $0 = nil }
            written.append(WorldRecord.keeping(ledger: place))
            guard try await signIn.isCommitted(statements + written) else { return false }
            last.withLock { $0 = place }
            return true
        }
    }

    /// Fails where the ledger has been cut off or its end is damaged: going on would hide that.
    func check(_ store: Store) async throws { _ = try await place(in: store) }

    /// All names by which somebody has taken money: also those of stores that clients named before the settings did.
    /// Each entry is read once in the life of the process.
    func providers(in store: Store) async throws -> Set<String> {
        while true {
            let last = read.withLock { $0.last }
            let rows = try await store.read([LedgerEntry.query(after: last, rowsMax: Self.pageRows)])[0]
            guard let end = try rows.last?.integer(0) else { return read.withLock { $0.names } }
            var (names, damage) = (Set<String>(), [DamagedRow]())
            for row in rows {
                do throws(DamagedRow) {
                    names.insert(try LedgerEntry(row).fields.provider)
                } catch {
                    damage.append(error)
                }
            }
            store.report(damage)
            let found = names
            read.withLock { read in
                read.names.formUnion(found)
                read.last = max(read.last, end)
            }
        }
    }

    /// What was entered of a purchase; nil = nothing was. It looks through the ledger.
    func purchase(_ reference: String, in store: Store) async throws -> LedgerEntry.Fields? {
        var last: Int64 = 0
        while true {
            let rows = try await store.read([LedgerEntry.query(after: last, rowsMax: Self.pageRows)])[0]
            guard let end = try rows.last?.integer(0) else { return nil }
            last = end
            let fields = rows.compactMap { row in try? LedgerEntry(row).fields }
            if let found = fields.first(where: { $0.kind == .purchase && $0.reference == reference }) { return found }
        }
    }

    private func place(in store: Store) async throws -> Place {
        if let known = last.withLock({ $0 }) { return known }
        let answers = try await store.read([LedgerEntry.last, WorldRecord.ledgerHead])
        let entry = try answers[0].first.map { row throws(DamagedRow) in try LedgerEntry(row) }
        let found = entry.map { Place(number: $0.number, mark: $0.mark) }
        guard WorldRecord.ledger(in: answers[1]) == found else {
            throw DamagedRow(
                table: "ledger", key: [.integer(entry?.number ?? 0)], column: "number", cause: .notInOrder)
        }
        let place = try found ?? Place(number: 0, mark: Self.beginning(of: store))
        last.withLock { $0 = place }
        return place
    }

    /// The mark before the first entry, which is the world's own.
    private static func beginning(of store: Store) throws -> String {
        let secret = try store.secret(for: Seal("ledger beginning"))
        return Array(SHA256.hash(data: secret)).hexadecimal
    }
}

extension WallTime {
    /// The day in UTC, `2026-11-24`.
    var day: String {
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
        return date.formatted(.iso8601.year().month().day())
    }
}

internal import CairnConfiguration
internal import CairnCore
internal import CairnGeo
internal import CairnStore
internal import CairnWire

/// One deletion of an account, from where it stands to its end.
struct Erasing: Sendable {
    private let record: DeletionRecord
    private let context: ServerContext
    private let shards: [Shard]
    private let tables: [StoredTable]
    private let person: ErasedPerson

    /// Homes that are asked at a time in somebody's view.
    private static let watchedAtOnce = 8
    /// Where nobody looks, one home is asked at a time, and this is the pause behind it: others need the loops and the
    /// disk as well. 3,000 cells take 30 s at least.
    private static let homesPause = Duration.milliseconds(10)
    /// Parts of one home in one round.
    private static let partsMax = 100
    /// Homes that are found in one round; the rest is in the next.
    private static let homesMax = 20_000
    /// Between rounds: an instance on its way to another cell arrives meanwhile.
    private static let roundPause = Duration.seconds(2)
    /// Rounds without progress after which rows are deleted past their homes.
    private static let patience = 4
    /// Requests that were under way when the account was closed are on disk, or refused, after this time.
    private static let settling = Duration.seconds(10)
    private static let pagePause = Duration.milliseconds(5)
    private static let searchRows = 500

    init(_ record: DeletionRecord, in world: Erasures.World) {
        self.record = record
        (context, shards) = (world.context, world.shards)
        tables = WorldSchema.tables(of: context.register, context.configuration)
        person = ErasedPerson(account: record.account, recipients: Set(record.recipients))
    }

    private var store: Store { context.store }
    private var account: SQLValue { .integer(Int64(bitPattern: record.account.rawValue)) }

    /// - Returns: rows that were deleted past their homes.
    func run() async throws -> Int {
        await tellHomes(await watchedHomes())
        var (before, stuck, past) = (Int.max, 0, 0)
        while true {
            try Task.checkCancellation()
            for home in try await homes() {
                await tell(home)
                try await Task.sleep(for: Self.homesPause)
            }
            try await deleteRows()
            let left = try await rowsInHomes()
            if left > 0 {
                stuck = left < before ? 0 : stuck + 1
                before = left
                if stuck >= Self.patience {
                    try await deleteRowsInHomes()
                    past += left
                } else {
                    try await Task.sleep(for: Self.roundPause)
                }
                continue
            }
            let wait = record.begun + Self.settling - context.clock.lasting
            if wait > .zero {
                try await Task.sleep(for: min(wait, Self.settling))
                continue
            }
            guard try await deleteFound() == 0 else { continue }
            let statements = erasures.flatMap { _, erasure -> [Statement] in
                guard case .statements(let statements) = erasure else { return [] }
                return statements(record.account, context.clock.now)
            }
            try await store.commit(statements + record.end)
            return past
        }
    }

    private var erasures: [(StoredTable, Erasure)] {
        tables.flatMap { table in (table.erasure ?? []).map { (table, $0) } }
    }

    // MARK: Homes

    /// The cells in view of a session that have instances of the person now.
    private func watchedHomes() async -> [HomeAddress] {
        var homes: [HomeAddress] = []
        for shard in shards { homes += await shard.watchedCells(holding: record.account).map { .cell($0) } }
        return homes
    }

    /// The homes that have rows of the person in memory, or would have if they were awake.
    private func homes() async throws -> [HomeAddress] {
        var homes: [HomeAddress] = []
        var known: Set<HomeAddress> = []
        for (table, erasure) in erasures {
            guard case .homes(let kind, let id, let column) = erasure else { continue }
            var last = Int64.min
            while known.count < Self.homesMax {
                let page = try await store.read([table.identifiers(id, with: account, in: column, after: last)])[0]
                let ids = page.compactMap { try? $0.integer(0) }
                guard let end = ids.last else { break }
                for home in try await addresses(ids, kind) where known.insert(home).inserted { homes.append(home) }
                last = end
                try await Task.sleep(for: Self.pagePause)
            }
        }
        return homes
    }

    private func addresses(_ ids: [Int64], _ kind: Erasure.HomesOfRows) async throws -> [HomeAddress] {
        let numbers = ids.map { UInt64(bitPattern: $0) }
        switch kind {
        case .accounts: return numbers.map { .account(AccountID(rawValue: $0)) }
        case .realms: return numbers.map { .realm(RealmID(rawValue: $0)) }
        case .spaces: return numbers.map { .space(SpaceID(rawValue: $0)) }
        case .cells(let object):
            guard let finder = context.register.withdrawals.first(where: { $0.kind == object }) else { return [] }
            let now = context.clock.lasting
            let answers = try await store.read(numbers.map { finder.whereabouts(InstanceID(rawValue: $0), now) })
            var damage: [DamagedRow] = []
            defer { store.report(damage) }
            return answers.compactMap { rows in
                guard let row = rows.first else { return nil }
                do throws(DamagedRow) {
                    return .cell(try finder.cell(row, context.configuration.cells.level))
                } catch {
                    damage.append(error)
                    return nil
                }
            }
        }
    }

    private func tellHomes(_ homes: [HomeAddress]) async {
        var rest = homes[...]
        while !rest.isEmpty {
            let some = rest.prefix(Self.watchedAtOnce)
            rest = rest.dropFirst(some.count)
            await withTaskGroup(of: Void.self) { group in
                for home in some {
                    group.addTask { await tell(home) }
                }
            }
        }
    }

    /// Tells a home until it has nothing more to give up: one with much gives up a part at a time.
    private func tell(_ home: HomeAddress) async {
        for _ in 0..<Self.partsMax {
            guard await Shard.order(PersonErased(record.account), of: home, in: context, on: shards) else { return }
        }
    }

    /// How many rows homes have still to give up.
    private func rowsInHomes() async throws -> Int {
        let counts = erasures.compactMap { table, erasure -> Query? in
            guard case .homes(_, _, let column) = erasure else { return nil }
            return table.count(with: account, in: column)
        }
        return try await store.read(counts).reduce(0) { $0 + Int((try? $1.first?.integer(0)) ?? 0) }
    }

    /// Rows that no home gives up are damaged, or over: nobody has them in memory.
    private func deleteRowsInHomes() async throws {
        for (table, erasure) in erasures {
            guard case .homes(_, _, let column) = erasure else { continue }
            try await deleteRows(of: table, with: account, in: column)
        }
    }

    // MARK: Rows

    private func deleteRows() async throws {
        for (table, erasure) in erasures {
            guard case .rows(let column, let value) = erasure else { continue }
            try await deleteRows(of: table, with: value(record.account), in: column)
        }
    }

    private func deleteRows(of table: StoredTable, with value: SQLValue, in column: Int) async throws {
        while true {
            // A reader looks for them: the writer would hold commits up.
            let keys = try await store.read([table.keys(with: value, in: column)])[0].map(\.values)
            guard !keys.isEmpty else { return }
            try await store.commit(keys.map { table.deletion(ofKey: $0) })
            try await Task.sleep(for: Self.pagePause)
        }
    }

    /// Deletes rows that only say it when they are opened.
    /// - Returns: how many.
    private func deleteFound() async throws -> Int {
        var count = 0
        var told: Set<AccountID> = []
        for (table, erasure) in erasures {
            guard case .search(let column, let isFound) = erasure else { continue }
            // Ids grow with time, and nothing is about a person from before their account.
            var last: [SQLValue] = [account]
            while true {
                let rows = try await store.read([table.page(after: last, rowsMax: Self.searchRows)])[0]
                // A damaged row is never read, and its table's expiry deletes it.
                let found = rows.filter { row in (try? isFound(row, person)) ?? false }
                if !found.isEmpty { try await store.commit(found.map { table.deletion(ofKey: table.key(of: $0)) }) }
                count += found.count
                for row in found {
                    guard let column, let id = try? row.integer(column) else { continue }
                    told.insert(AccountID(rawValue: UInt64(bitPattern: id)))
                }
                guard rows.count == Self.searchRows, let end = rows.last else { break }
                last = table.key(of: end)
                try await Task.sleep(for: Self.pagePause)
            }
        }
        for account in told {
            for shard in shards { await shard.deliverNotifications(of: account) }
        }
        return count
    }
}

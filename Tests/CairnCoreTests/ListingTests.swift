import CairnTesting
import CairnWire
import Testing

@testable import CairnCore

/// Lists that are read page by page.
@Suite("Listings")
struct ListingTests {
    /// A row of the shelf, in the order of its columns.
    private struct Thing: Hashable {
        let id: Int64
        var shelf: Int64
        var weight: Int64

        var place: ListPlace { ListPlace([weight, id]) }
        var insertion: Statement {
            Statement(
                "INSERT INTO things (id, shelf, weight, sealed) VALUES (?, ?, ?, NULL)", .integer(id), .integer(shelf),
                .integer(weight), changing: 1)
        }
        var removal: Statement { Statement("DELETE FROM things WHERE id = ?", .integer(id), changing: 1) }
    }

    private static func open() async throws -> TemporaryStore {
        try await TemporaryStore.open(FeatureRegister([Shelves.self]))
    }

    /// Reads all pages of a shelf, with changes between them.
    private static func list(
        _ listing: Listing, shelf: Int64, count: Int, on disk: TemporaryStore,
        between: () async throws -> Void = {}
    ) async throws -> [Int64] {
        var (listed, place): ([Int64], ListPlace?) = ([], nil)
        repeat {
            let rows = try await disk.read(listing.page(.integer(shelf), after: place, count: count))[0]
            let page = listing.cut(rows, count: count)
            #expect(page.rows.count <= count && (page.next == nil || page.rows.count == count))
            listed += try page.rows.map { try $0.integer(0) }
            place = page.next
            try await between()
        } while place != nil
        return listed
    }

    @Test(arguments: [1, 2, 3, 7, 100])
    func pages_areTheWholeListCutUp(count: Int) async throws {
        let disk = try await Self.open()
        let things = (1...30).map { Thing(id: $0, shelf: $0 % 3, weight: $0 * 7 % 4) }
        try await disk.commit(things.map(\.insertion))
        let sorted = things.filter { $0.shelf == 1 }.sorted { $0.place < $1.place }.map(\.id)
        #expect(try await Self.list(Shelves.lightest, shelf: 1, count: count, on: disk) == sorted)
        #expect(try await Self.list(Shelves.heaviest, shelf: 1, count: count, on: disk) == sorted.reversed())
        #expect(try await Self.list(Shelves.lightest, shelf: 9, count: count, on: disk).isEmpty)
        await disk.close()
    }

    /// Things are inserted and deleted between any two pages. Things that exist the whole time are listed once, and all
    /// are in order.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func pages_areOneSortedList_whateverIsInsertedAndDeletedMeanwhile(seed: UInt64) async throws {
        var random = SeededRandom(seed)
        let disk = try await Self.open()
        var nextID: Int64 = 1
        var known: [Int64: Thing] = [:]
        func make() -> Thing {
            defer { nextID += 1 }
            let thing = Thing(
                id: nextID * 31 % 9_973, shelf: 1, weight: .random(in: -3...3, using: &random))
            known[thing.id] = thing
            return thing
        }
        let first = (0..<60).map { _ in make() }
        try await disk.commit(first.map(\.insertion))
        var staying = Set(first.map(\.id))
        let listing = seed.isMultiple(of: 2) ? Shelves.lightest : Shelves.heaviest
        let listed = try await Self.list(listing, shelf: 1, count: 4, on: disk) {
            let going = first.filter { staying.contains($0.id) }.randomElement(using: &random)
            if let going { staying.remove(going.id) }
            let coming = (0..<3).map { _ in make() }
            try await disk.commit(coming.map(\.insertion) + [going].compactMap { $0?.removal })
        }
        let places = listed.compactMap { known[$0]?.place }
        #expect(zip(places, places.dropFirst()).allSatisfy { seed.isMultiple(of: 2) ? $0 < $1 : $0 > $1 })
        #expect(staying.isSubset(of: listed) && places.count == listed.count)
        #expect(staying.count > 20)
        await disk.close()
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func pagesInMemory_areThoseOfATable(seed: UInt64) async throws {
        var random = SeededRandom(seed)
        let things = (1...25).map { Thing(id: $0, shelf: 1, weight: .random(in: -2...2, using: &random)) }
        let disk = try await Self.open()
        try await disk.commit(things.map(\.insertion))
        var (listed, place): ([Int64], ListPlace?) = ([], nil)
        repeat {
            let page = things.shuffled(using: &random).page(after: place, count: 4, by: \.place)
            listed += page.entries.map(\.id)
            place = page.next
        } while place != nil
        #expect(listed == (try await Self.list(Shelves.heaviest, shelf: 1, count: 4, on: disk)))
        await disk.close()
    }

    /// A place that counts how often it is compared.
    private struct Counted: Comparable {
        final class Count { var comparisons = 0 }

        let value: Int
        let count: Count

        static func == (a: Self, b: Self) -> Bool { a.value == b.value }
        static func < (a: Self, b: Self) -> Bool {
            a.count.comparisons += 1
            return a.value < b.value
        }
    }

    /// A cell has thousands of entries and a page some: the others are compared once and not sorted.
    @Test func pageOfALongList_sortsItsFirstEntriesAlone() {
        var random = SeededRandom(7)
        let count = Counted.Count()
        let page = (0..<10_000).shuffled(using: &random)
            .page(after: nil, count: 10) { Counted(value: $0, count: count) }
        #expect(page.entries == (9_990..<10_000).reversed() && page.next?.value == 9_990)
        #expect(count.comparisons < 15_000)
        // All of them are a page, too.
        #expect((0..<3).page(after: nil, count: .max) { $0 }.entries == [2, 1, 0])
    }

    @Test func filterThatIsNull_findsEverything() async throws {
        let disk = try await Self.open()
        try await disk.commit([Thing(id: 1, shelf: 1, weight: 1), Thing(id: 2, shelf: 2, weight: 2)].map(\.insertion))
        func ids(_ weight: SQLValue, _ isUnsealed: SQLValue) async throws -> [Int64] {
            try await disk.read(Shelves.all.page(weight, isUnsealed, count: 10))[0].map { try $0.integer(0) }
        }
        #expect(try await ids(.null, .null) == [1, 2])
        #expect(try await ids(.integer(2), .null) == [2])
        #expect(try await ids(.null, .integer(1)) == [1, 2])
        #expect(try await ids(.null, .integer(0)).isEmpty)
        await disk.close()
    }

    /// The cost of a page depends on its own rows only: an index leads to it, and SQLite sorts nothing.
    @Test(arguments: [nil, ListPlace([0, 5])])
    func page_isFoundByAnIndex(place: ListPlace?) async throws {
        let disk = try await Self.open()
        for listing in [Shelves.lightest, Shelves.heaviest] {
            let page = listing.page(.integer(1), after: place, count: 5)
            let plan = try await disk.read(Self.explaining(page))[0].map { try $0.text(3) }
            #expect(plan.count == 1 && plan.allSatisfy { $0.contains("SEARCH things USING INDEX") }, "\(plan)")
        }
        await disk.close()
    }

    private static func explaining(_ query: Query) -> Query {
        Query(
            StaticText(joining: ["EXPLAIN QUERY PLAN ", query.sql]), arguments: query.arguments, opening: [])
    }

    // MARK: Invalid listings

    @Test func listing_thatNeedsWhatIsSealed_isRefusedAtStart() async {
        #expect(Sealed.bySealed.faults == ["things.sealed is sealed: nothing is found or sorted by it"])
        #expect(Sealed.sortedBySealed.faults.count == 1)
        await #expect(processExitsWith: .failure) { _ = FeatureRegister([Sealed.self]) }
    }

    @Test func fingerprint_isFoundByItsValueAlone() {
        #expect(Listing(Shelves.printed, by: [.equal(1)], descending: true).faults.isEmpty)
        for listing in [
            Listing(Shelves.printed, by: [.above(1)], descending: true),
            Listing(Shelves.printed, by: [], sortedBy: [1], descending: true),
        ] {
            #expect(listing.faults == ["things.shelf is a fingerprint, which has no order"])
        }
    }

    @Test func listing_ofNoColumn_orOfAKeyOfSeveral_isRefused() {
        #expect(Listing(Shelves.table, by: [.equal(9)], descending: false).faults.count == 1)
        #expect(Listing(Engagement.tables[0], by: [], descending: false).faults.count == 1)
    }

    // MARK: Places

    @Test func place_isAmongOthers_byItsValuesOneAfterTheOther() {
        let places = [[-1, 5], [0, 2], [0, 3], [1, -4]].map { ListPlace($0) }
        #expect(places.shuffled().sorted() == places)
    }
}

/// Things on shelves, by weight.
private enum Shelves: Feature {
    static let name = "shelves"
    static let commands: [any Command.Type] = []
    static let migrations = [
        Migration(
            "shelves-1",
            """
            CREATE TABLE things (
                id INTEGER PRIMARY KEY, shelf INTEGER NOT NULL, weight INTEGER NOT NULL, sealed BLOB
            ) STRICT
            """,
            "CREATE INDEX things_by_weight ON things (shelf, weight, id)")
    ]

    static let table = things(openings: [])
    static let printed = things(openings: [], fingerprints: [1])

    static func things(openings: [Opening], fingerprints: [Int] = []) -> StoredTable {
        StoredTable(
            "things", of: .account, columns: ["id", "shelf", "weight", "sealed"], key: [0], opening: openings,
            fingerprints: fingerprints
        ) { _ throws(ColumnFault) in [] }
    }

    static func tables(settings: Settings) -> [StoredTable] { [table] }
    static let lightest = Listing(table, by: [.equal(1)], sortedBy: [2], descending: false)
    static let heaviest = Listing(table, by: [.equal(1)], sortedBy: [2], descending: true)
    static let all = Listing(table, by: [.equalIfAny(2), .absentIfAny(3)], descending: false)
    static let listings = [lightest, heaviest, all]
}

/// A feature with a listing that filters and sorts by sealed columns.
private enum Sealed: Feature {
    static let name = "sealed"
    static let commands: [any Command.Type] = []
    static let migrations: [Migration] = []
    static let table = Shelves.things(openings: [Opening(3, Seal("things"), row: 0)])
    static let bySealed = Listing(table, by: [.equal(3)], descending: false)
    static let sortedBySealed = Listing(table, by: [.equal(1)], sortedBy: [3], descending: false)
    static let listings = [bySealed]
}

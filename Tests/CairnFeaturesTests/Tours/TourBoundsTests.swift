import CairnCore
import CairnTesting
import CairnWire
import Testing

@testable import CairnFeatures

/// What looks at tours and versions of them may cost (issue 31, kind 4). The rest is in test_keeping.py.
@Suite("Tours: bounds")
struct TourBoundsTests {
    private static func look(
        _ page: UInt32 = 0, at tour: TourID = TourTown.tour, id: UInt32, in town: TownBench,
        from account: UInt64 = 7
    ) -> Request {
        var body = WireGetTour()
        (body.tour, body.page) = (town.identifiers.name(of: tour), page)
        return .make(.getTour(body), id: id, key: "", from: .make(account))
    }

    @Test func looksAtOnce_waitForOneReading() throws {
        var town = try TourTown.make()
        for id in 1...300 { town.push(Self.look(id: UInt32(id), in: town)) }
        let (readings, asked) = (town.inquiries.count, town.asked.count)
        #expect(readings == 1 && asked == 0)
        town.runUntilIdle()
        #expect(town.answers.count == 300)
        for (_, answer) in town.answers {
            guard case .success(.tourPage(let page)) = answer else { throw BenchError("no page: \(answer)") }
            #expect(page.content == TourTown.version.content && page.pages == 1)
        }
        // Who comes later reads nothing.
        town.push(Self.look(id: 301, in: town))
        #expect(town.inquiries.isEmpty && town.answers.count == 301)
        let refusal = try town.ask(Self.look(1, id: 302, in: town)).refusal
        #expect(refusal?.code == .notFound)
    }

    @Test func whatIsReadInAMinute_hasABound() throws {
        var town = TownBench(settings: .make { $0.tours.lookBytesPerMinute = 1 })
        let offered = try #require(try TourTown.make().names.tours.index.tour(TourTown.tour))
        let other = OfferedTour(
            id: TourID(rawValue: 78), version: 1, organisation: offered.organisation, code: "ABCDEFGK",
            facts: WireTourFacts(), distanceMetres: 1, seconds: 1, start: offered.start, area: offered.area)
        town.names.tours.set(TourTown.tour, to: offered)
        town.names.tours.set(other.id, to: other)
        town.store = TourShelf().answer
        // The second one is in memory.
        for id in UInt32(1)...2 {
            let refusal = try town.ask(Self.look(id: id, in: town)).refusal
            #expect(refusal == nil)
        }
        let refusal = try town.ask(Self.look(at: other.id, id: 3, in: town)).refusal
        #expect(refusal?.code == .rateLimited && refusal?.retryAfter == .seconds(60))
        // Others have their own.
        let others = try town.ask(Self.look(at: other.id, id: 4, in: town, from: 8)).refusal
        #expect(others?.code != .rateLimited)
    }

    /// None waits for another, and all have one.
    @Test func previewsMadeAtOnce_areOne() async {
        let read = ReadTour(TourTown.version.content)
        let previews = await withTaskGroup(of: ObjectIdentifier.self) { group in
            for _ in 0..<8 { group.addTask { ObjectIdentifier(read.shown(.preview)) } }
            return await group.reduce(into: Set<ObjectIdentifier>()) { $0.insert($1) }
        }
        #expect(previews.count == 1)
    }

    @Test func versionsThatNothingNames_go() async throws {
        let migrations =
            StoredReply.migrations + Features.register.migrations + Engagement.migrations + TimerRow.migrations
            + HeardMessage.migrations + StoredNotification.migrations + [Purchase.migration, Purchase.tourMigration]
        let disk = try await TemporaryStore.open(migrations: migrations)
        var tour = TourRecord(
            id: TourTown.tour, organisation: TourTown.version.organisation, code: "ABCDEFGH", created: 0)
        tour.published = 4
        let walked = RunFacts(
            id: SpaceID(rawValue: 9), account: AccountID(rawValue: 7), tour: tour.id, version: 2, started: .epoch,
            stops: 3, active: .epoch)
        try await disk.commit((1...4).map { Self.version(UInt32($0)).insertion } + [tour.insertion, walked.insertion])
        func versions() async throws -> [Int64] {
            let query = Query("SELECT version FROM tour_versions ORDER BY version")
            return try await disk.read(query)[0].map { try $0.integer(0) }
        }
        try await disk.commit([PublishedTour.sweep(of: tour.id)])
        #expect(try await versions() == [2, 4])
        // A run that would begin on one that is gone is not written.
        let late = RunFacts(
            id: SpaceID(rawValue: 10), account: AccountID(rawValue: 8), tour: tour.id, version: 3, started: .epoch,
            stops: 3, active: .epoch)
        await #expect(throws: (any Error).self) { try await disk.commit([late.insertion]) }
        try await disk.commit([tour.deletion, PublishedTour.sweep(of: tour.id)])
        #expect(try await versions() == [2])
        try await disk.commit([walked.deletion, PublishedTour.sweep(of: tour.id)])
        #expect(try await versions() == [])
        await disk.close()
    }

    /// What a swept version alone has named goes with it; drafts and other tours keep theirs.
    @Test func assetsThatNoVersionNames_areNotUsedAnyMore() async throws {
        let uses = Migration(
            "asset-uses-for-this-test",
            """
            CREATE TABLE asset_uses (
                kind TEXT NOT NULL, owner INTEGER NOT NULL, asset INTEGER NOT NULL, PRIMARY KEY (kind, owner, asset)
            ) STRICT, WITHOUT ROWID
            """)
        let migrations =
            StoredReply.migrations + Features.register.migrations + Engagement.migrations + TimerRow.migrations
            + HeardMessage.migrations + StoredNotification.migrations + [uses]
        let disk = try await TemporaryStore.open(migrations: migrations)
        let (tour, other) = (Tours.integer(TourTown.tour), SQLValue.integer(78))
        func use(_ kind: String, _ owner: SQLValue, _ asset: Int64) -> Statement {
            Statement(
                "INSERT INTO asset_uses (kind, owner, asset) VALUES (?, ?, ?)", .text(kind), owner, .integer(asset))
        }
        try await disk.commit(
            [Self.version(2).insertion, Self.version(4).insertion]
                + (1...3).map { use("tour", tour, $0) } + [use("tour_draft", tour, 1), use("tour", other, 1)])
        func left() async throws -> [Int64] {
            let query = Query("SELECT asset FROM asset_uses WHERE kind = 'tour' AND owner = ? ORDER BY asset", tour)
            return try await disk.read(query)[0].map { try $0.integer(0) }
        }
        let kept: Set<AssetID> = [AssetID(rawValue: 2), AssetID(rawValue: 3)]
        // A newer version has been published since.
        try await disk.commit([TourAssets.endOfPublishedUses(by: TourTown.tour, but: kept, until: 2)])
        #expect(try await left() == [1, 2, 3])
        try await disk.commit([TourAssets.endOfPublishedUses(by: TourTown.tour, but: kept, until: 4)])
        #expect(try await left() == [2, 3])
        let others = Query("SELECT asset FROM asset_uses WHERE asset = 1")
        #expect(try await disk.read(others)[0].count == 2)
        let next = PublishedTour.query(of: TourTown.tour, after: 2)
        #expect(try await disk.read(next)[0].map { try $0.integer(1) } == [4])
        await disk.close()
    }

    private static func version(_ number: UInt32) -> PublishedTour {
        let made = TourTown.version
        return PublishedTour(
            tour: made.tour, version: number, organisation: made.organisation, published: 0, content: made.content,
            distanceMetres: 400, seconds: 300)
    }
}

/// Every change is bounded by a day (issue 31, kind 4).
@Suite("Changes")
struct ChangesTests {
    @Test func everyChange_isCountedByAQuotaOfADay() {
        let quotas = Features.features.flatMap { $0.quotas } + [ChangeQuota.quota(of: Features.features, sharing: [])]
        for command in Features.features.flatMap({ $0.commands }) where command.isChange {
            let bounds = quotas.filter { quota in
                quota.commands.contains { $0.kind == command.kind } && quota.stored != nil
                    && quota.windows.contains { $0.span.length >= .seconds(86_400) }
            }
            #expect(bounds.count == 1, "\(command.kind.name)")
        }
    }

    @Test func changesOfADay_areCountedByHours_alsoOverARestart() async throws {
        let settings = Settings.make { $0.changes.perDay = 3 }
        let disk = try await TemporaryStore.open()
        var town = TownBench(settings: settings)
        town.names.tours.set(TourTown.tour, to: try TourTown.make().names.tours.index.tour(TourTown.tour))
        town.store = TourShelf().answer
        var body = WireStartTour()
        body.tour = town.identifiers.name(of: TourTown.tour)
        guard case .success(.run(let run)) = try town.ask(.make(.startTour(body), id: 1, from: .make(7))),
            let space = town.identifiers.identifier(named: run.id, SpaceTag.self)
        else { throw BenchError("not started") }
        let walker = Sender.make(7, scopes: [.members(of: .space(space))])
        #expect(try town.refusal(.pauseRun(WirePauseRun()), id: 2, from: walker) == nil)
        try await disk.commit([TourTown.version.insertion] + town.kept)
        let stored = try await disk.stored(for: walker.account, now: town.time.lasting)
        town.wake(account: walker.account, stored, hasKeys: false)
        #expect(try town.refusal(.resumeRun(WireResumeRun()), id: 3, from: walker) == nil)
        let refusal = try town.refusal(.pauseRun(WirePauseRun()), id: 4, from: walker)
        #expect(refusal?.code == .rateLimited && refusal?.details["limit"] == "3")
        town.time.advance(.seconds(86_400))
        #expect(try town.refusal(.pauseRun(WirePauseRun()), id: 5, from: walker) == nil)
        await disk.close()
    }
}

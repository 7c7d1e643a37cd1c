import CairnCore
import CairnFeatures
import CairnTesting
import CairnWire
import Testing

/// What is stored and counted of placements beside the instances.
@Suite("Placements: log and counts")
struct PlacementLogTests {
    @Test func onlyWhatIsKept_isCounted() throws {
        var bench = HomeBench.make(disk: .later)
        bench.push(.make(.placing()))
        #expect(bench.actions.counts.isEmpty)
        bench.commit()
        #expect(bench.actions.counts == ["placements"])
    }

    @Test func refusal_isNotCounted() throws {
        var town = TownBench()
        _ = try town.place(1)
        _ = try town.refusal(.placing("preset:nonsense"), id: 2)
        #expect(town[Ground.here.cell].actions.counts == ["placements"])
        #expect(Placements.counts.map(\.name.text) == ["placements"])
    }

    @Test func expiries_removeWhatIsOverAndNothingElse() async throws {
        var town = TownBench(settings: .make { $0.placements.perDay = 2 })
        _ = try town.place(1)
        town.time.advance(.seconds(3_600))
        _ = try town.place(2)
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        // A moment at which the first is more than a day old and the second is not.
        town.time.advance(.seconds(23 * 3_600 + 1))
        try await disk.expire(StoredReply.expiries(before: town.time.lasting - Settings().keyLifetime))
        let rows = try await disk.read(Query("SELECT kind FROM kept_answers"))
        #expect(rows[0] == [Row([.integer(20)])])
        let instances = try await disk.read(Query("SELECT count(*) FROM instances"))
        #expect(instances[0][0] == Row([.integer(2)]))
        await disk.close()
    }

    /// The stored reply still stands when an instance is gone: its id is not given out again.
    @Test func newestIdentifier_isAboveThatOfAPlacementThatWasTakenBack() async throws {
        var town = TownBench()
        let instance = try town.place(1)
        _ = try town.ask(.make(.removing(instance), id: 2))
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        #expect(try await disk.read(Query("SELECT id FROM instances"))[0].isEmpty)
        let query = StoredReply.newestIdentifier(below: .integer(.max))
        let id: InstanceID = try #require(town.identifiers.identifier(named: instance.id))
        #expect(try await disk.read(query)[0][0].integer(0) > Int64(id.rawValue))
        await disk.close()
    }

    /// Its log of placements was a table of its own, and its answers did not say what they answer.
    @Test func restoredAccountOfAnOlderWorld_countsThePeriodQuotaAlike() async throws {
        let new: Set = ["sealed-answers-4", "placement-log-3", "instances-filing-1", "instances-owner-2"]
        let migrations = StoredReply.migrations + Features.register.migrations + Engagement.migrations
        let old = try await TemporaryStore.open(
            migrations: (migrations + TimerRow.migrations + HeardMessage.migrations + StoredNotification.migrations)
                .filter { !new.contains($0.name) })
        let account = SQLValue.integer(Int64(AccountID.make().rawValue))
        let now = ManualTime().lasting
        for (id, at) in [(Int64(1), now - .seconds(3)), (2, now - .seconds(2)), (3, now - .seconds(1))] {
            try await old.commit([
                Statement(
                    "INSERT INTO kept_answers (id, account, key, at, sealed) VALUES (?1, ?2, ?3, ?4, x'')",
                    .integer(id), account, .blob([UInt8(id)]), .time(at))
            ])
        }
        for (id, at) in [(Int64(7), now - .seconds(3)), (8, now - .seconds(1))] {
            try await old.commit([
                Statement(
                    "INSERT INTO placement_log (id, account, at) VALUES (?, ?, ?)", .integer(id), account, .time(at))
            ])
        }
        await old.close()
        let disk = try await TemporaryStore.open(in: old.folder)
        let query = StoredReply.answers(to: [WirePlace.kind], of: .make(), after: now - .seconds(60))
        let rows = try await disk.read(query)[0]
        var damage: [DamagedRow] = []
        #expect(StoredReply.times(in: rows, &damage) == [now - .seconds(3), now - .seconds(1)] && damage.isEmpty)
        await disk.close()
    }

    @Test func restored_countsTheAreaQuotaAlike() async throws {
        var town = TownBench(settings: .make { $0.placements.areaQuota = 2 })
        _ = try town.place(1)
        _ = try town.place(2)
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        var woken = TownBench(settings: town.settings)
        woken.wake(HomeAddress.cell(Ground.here.cell), try await disk.stored(in: HomeAddress.cell(Ground.here.cell)))
        #expect(try woken.refusal(.placing(), id: 3)?.code == .quotaArea)
        await disk.close()
    }

    @Test func restoredAccount_countsThePeriodQuotaAlike() async throws {
        var town = TownBench(settings: .make { $0.placements.perMinute = 3 })
        for id in 1...3 { _ = try town.place(UInt32(id), at: Ground.here.between(Double(id) / 4)) }
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        let stored = try await disk.stored(for: .make(), now: town.time.lasting)
        var woken = TownBench(settings: town.settings, time: town.time)
        woken.wake(account: .make(), stored, hasKeys: false)
        #expect(try woken.refusal(.placing(), id: 4)?.code == .quotaPeriod)
        woken.time.advance(.seconds(60))
        #expect(try woken.refusal(.placing(), id: 5) == nil)
        await disk.close()
    }

    @Test func changesOfADay_areCountedFromTheKeysThatStand() async throws {
        var town = TownBench(settings: .make { $0.placements.changesPerDay = 3 })
        let instance = try town.place(1)
        #expect(try town.refusal(.editing(instance, to: .make(heightMetres: 13)), id: 2) == nil)
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        // The placement has left a key too: two of three stand.
        var woken = TownBench(settings: town.settings, time: town.time)
        let stored = try await disk.stored(for: .make(), now: town.time.lasting)
        woken.wake(account: .make(), stored, hasKeys: false)
        woken.wake(HomeAddress.cell(Ground.here.cell), try await disk.stored(in: HomeAddress.cell(Ground.here.cell)))
        #expect(try woken.refusal(.editing(instance, to: .make(heightMetres: 14), version: 2), id: 3) == nil)
        let refusal = try woken.refusal(.editing(instance, to: .make(heightMetres: 15), version: 3), id: 4)
        #expect(refusal?.code == .rateLimited && refusal?.retryAfter == .seconds(86_400))
        woken.time.advance(.seconds(86_400))
        #expect(try woken.refusal(.editing(instance, to: .make(heightMetres: 15), version: 3), id: 5) == nil)
        await disk.close()
    }
}

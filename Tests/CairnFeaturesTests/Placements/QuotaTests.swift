import CairnCore
import CairnFeatures
import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// PLC-5 to PLC-8, PLC-15: exact under any order of asking, across cells, devices and restarts.
@Suite("Placements: quotas")
struct QuotaTests {
    private static func town(_ change: (inout Settings) -> Void, disk: HomeBench.Disk = .now) -> TownBench {
        let settings = Settings.make { settings in
            settings.placements.perMinute = 1_000
            settings.placements.perDay = 10_000
            change(&settings)
        }
        return TownBench(settings: settings, disk: disk)
    }

    // MARK: Area (PLC-5, PLC-15)

    @Test func nextInstanceInACell_isRefusedWithLimitAndCount() throws {
        var town = Self.town { $0.placements.areaQuota = 3 }
        for id in 1...3 { _ = try town.place(UInt32(id)) }
        let refusal = try town.refusal(.placing())
        #expect(refusal?.code == .quotaArea)
        #expect(refusal?.details == ["limit": "3", "count": "3"])
    }

    @Test func areaQuota_isOfEachPersonAndCellAlone() throws {
        var town = Self.town { $0.placements.areaQuota = 1 }
        _ = try town.place(1)
        #expect(try town.refusal(.placing(), id: 2, from: .make(2)) == nil)
        let nextDoor = WireClientMessage.OneOf_Body.placing("preset:flag", .make(at: Ground.here.between(0.6)))
        #expect(try town.refusal(nextDoor, id: 3) == nil)
    }

    @Test func removingOne_freesAPlace() throws {
        var town = Self.town { $0.placements.areaQuota = 1 }
        let instance = try town.place(1)
        #expect(try town.refusal(.removing(instance), id: 2) == nil)
        #expect(try town.refusal(.placing(), id: 3) == nil)
    }

    @Test func fullCell_isRefusedForEverybody() throws {
        var town = Self.town { $0.instancesPerCellMax = 2 }
        _ = try town.place(1, by: .make(1))
        _ = try town.place(2, by: .make(2))
        let refusal = try town.refusal(.placing(), from: .make(3))
        #expect(refusal?.code == .cellFull)
        #expect(refusal?.details["limit"] == "2")
    }

    @Test func areaQuota_isExactWhileNothingIsOnDisk() throws {
        var town = Self.town({ $0.placements.areaQuota = 3 }, disk: .later)
        for id in 1...10 { town.push(.make(.placing(), id: UInt32(id))) }
        town.runUntilIdle()
        #expect(town.answers.filter { $0.answer.refusal == nil }.count == 3)
        #expect(town.answers.filter { $0.answer.refusal?.code == .quotaArea }.count == 7)
    }

    // MARK: Period (PLC-6)

    @Test func eleventhPlacementInAMinute_isRefusedWithTheTimeUntilOneIsPossible() throws {
        var town = Self.town { $0.placements.perMinute = 10 }
        for id in 1...10 {
            _ = try town.place(UInt32(id))
            town.time.advance(.seconds(1))
        }
        let refusal = try town.refusal(.placing())
        #expect(refusal?.code == .quotaPeriod)
        #expect(refusal?.retryAfter == .seconds(50))
        #expect(refusal?.details["period"] == "minute")
    }

    @Test func period_rolls() throws {
        var town = Self.town { $0.placements.perMinute = 2 }
        _ = try town.place(1)
        town.time.advance(.seconds(30))
        _ = try town.place(2)
        town.time.advance(.milliseconds(29_999))
        #expect(try town.refusal(.placing(), id: 3)?.code == .quotaPeriod)
        town.time.advance(.milliseconds(1))
        #expect(try town.refusal(.placing(), id: 4) == nil)
        #expect(try town.refusal(.placing(), id: 5)?.code == .quotaPeriod)
    }

    @Test func dayLimit_holdsBesideTheMinute() throws {
        var town = Self.town { $0.placements.perDay = 4 }
        for id in 1...4 {
            _ = try town.place(UInt32(id))
            town.time.advance(.seconds(3_600))
        }
        let refusal = try town.refusal(.placing())
        #expect(refusal?.details["period"] == "day")
        #expect(refusal?.retryAfter == .seconds(20 * 3_600))
    }

    @Test func removing_givesNoPlacementBack() throws {
        var town = Self.town { $0.placements.perMinute = 1 }
        let instance = try town.place(1)
        #expect(try town.refusal(.removing(instance), id: 2) == nil)
        #expect(try town.refusal(.placing(), id: 3)?.code == .quotaPeriod)
    }

    @Test func refusedPlacements_useUpNothing() throws {
        var town = Self.town { $0.placements.perMinute = 1 }
        for id in 1...20 { _ = try town.refusal(.placing("preset:unheard-of"), id: UInt32(id)) }
        #expect(try town.refusal(.placing(), id: 50) == nil)
    }

    @Test func edits_areNotCounted() throws {
        var town = Self.town { $0.placements.perMinute = 1 }
        var instance = try town.place(1)
        for id in 2...6 { instance = try town.edit(UInt32(id), instance, to: .make(heightMetres: Double(id))) }
        #expect(instance.version == 6)
    }

    // MARK: Exact under concurrency (PLC-7)

    /// W3: a hundred devices ask at once, over two cells, before anything is decided or on disk.
    @Test(arguments: [HomeBench.Disk.now, .later])
    func hundredParallelPlacementsAgainstAQuotaOf10_areExactly10(disk: HomeBench.Disk) {
        var town = Self.town({ $0.placements.perMinute = 10 }, disk: disk)
        for id in 1...100 {
            let place = Ground.here.between(id.isMultiple(of: 2) ? 0 : 0.6)
            let sender = Sender.make(1, device: UInt64(id % 5))
            town.push(.make(.placing("preset:flag", .make(at: place)), id: UInt32(id), from: sender))
        }
        town.runUntilIdle()
        #expect(town.answers.count == 100)
        #expect(town.answers.filter { $0.answer.refusal == nil }.count == 10)
        #expect(town.answers.filter { $0.answer.refusal?.code == .quotaPeriod }.count == 90)
        #expect(town.kept.filter { $0.sql.text.contains("INTO instances") }.count == 10)
    }

    /// The first ten are turned down by their cell; those who waited get the places.
    @Test func placesOfRefusedRequests_goToThoseWhoWait() {
        var town = Self.town({ $0.placements.perMinute = 10 }, disk: .later)
        for id in 1...30 {
            let object = id <= 10 ? "preset:unheard-of" : "preset:flag"
            town.push(.make(.placing(object), id: UInt32(id)))
        }
        town.runUntilIdle()
        #expect(town.answers.filter { $0.answer.refusal == nil }.map(\.request.id).sorted() == Array(11...20))
    }

    // MARK: Keys (PLC-8)

    @Test func sameKeyAgain_createsNothing() throws {
        var town = Self.town { _ in }
        _ = try town.place(1, key: "k")
        town.push(.make(.placing(), id: 2, key: "k"))
        #expect(town.recalls.map(\.id) == [2])
        #expect(town[Ground.here.cell].core.instanceCount == 1)
    }

    @Test func sameKeyWhileItIsUnderWay_givesBothTheSameInstance() throws {
        var town = Self.town({ _ in }, disk: .later)
        let first = Request.make(.placing(), id: 1, key: "k", from: .make(1, device: 1))
        let second = Request.make(.placing(), id: 2, key: "k", from: .make(1, device: 2))
        town.push(first)
        town.push(second)
        town.runUntilIdle()
        let answers = try [first, second].compactMap { try town.answer(to: $0)?.result }
        #expect(answers.count == 2 && answers[0] == answers[1])
        #expect(town[Ground.here.cell].core.instanceCount == 1)
    }

    @Test func keyOfAnotherPerson_isAnotherKey() throws {
        var town = Self.town { _ in }
        _ = try town.place(1, by: .make(1), key: "k")
        _ = try town.place(1, by: .make(2), key: "k")
        #expect(town[Ground.here.cell].core.instanceCount == 2)
    }

    @Test func keyWithAnotherBody_isRefused() throws {
        var town = Self.town { _ in }
        _ = try town.place(1, key: "k")
        let other = Request.make(.placing("preset:star"), id: 2, key: "k")
        #expect(try town.ask(other).refusal?.code == .keyReused)
    }
}

import CairnCore
import CairnFeatures
import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// What features write really runs, and brings back the identical state (SES-10, PLC-1, VIS-2).
@Suite("Features on disk")
struct StorageTests {
    private static let here = HomeAddress.cell(Ground.here.cell)
    private static let there = HomeAddress.cell(Ground.here.neighbour)

    /// A few days in the life of two cells: everything that features write, in any order.
    private static func lively() throws -> TownBench {
        var town = TownBench(settings: .unlimited)
        var instances: [WireInstance] = []
        for id in 1...12 {
            let place = Ground.here.between(id.isMultiple(of: 3) ? 0.6 : Double(id) / 100)
            let pose = WirePose.make(at: place, heightMetres: 1 / Double(id), scale: Double(id), anchorID: "a\(id)")
            instances.append(try town.place(UInt32(id), by: .make(UInt64(id % 4)), pose: pose))
            town.time.advance(.seconds(1))
        }
        for (index, instance) in instances.enumerated() {
            let choice = ["like", "love", "wow", ""][index % 4]
            _ = try town.react(UInt32(100 + index), "like", to: instance, by: .make(8))
            _ = try town.react(UInt32(200 + index), choice, to: instance, by: .make(8))
            _ = try town.react(UInt32(300 + index), "wow", to: instance, by: .make(9))
        }
        instances[1] = try town.edit(400, instances[1], to: .make(heightMetres: 77), by: .make(2))
        instances[3] = try town.edit(401, instances[3], to: .make(at: Ground.here.between(0.6)), by: .make(0))
        _ = try town.ask(.make(.removing(instances[4]), id: 402, from: .make(1)))
        _ = try town.ask(.make(.removing(instances[5]), id: 403, from: .make(2)))
        return town
    }

    @Test func restoring_givesTheIdenticalState() async throws {
        var town = try Self.lively()
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        var woken = TownBench(settings: town.settings)
        for home in [Self.here, Self.there] {
            woken.wake(home, try await disk.stored(in: home))
            #expect(woken[home].instances == town[home].instances)
            #expect(woken[home].instances.count > 2)
        }
        await disk.close()
    }

    @Test func restoringAfterReopeningTheFile_givesTheIdenticalState() async throws {
        var town = try Self.lively()
        let first = try await TemporaryStore.open()
        try await first.commit(town.kept)
        await first.close()
        let second = try await TemporaryStore.open(in: first.folder)
        var woken = TownBench(settings: town.settings)
        woken.wake(Self.here, try await second.stored(in: Self.here))
        #expect(woken[Self.here].instances == town[Self.here].instances)
        await second.close()
    }

    @Test func damagedRow_leavesTheRestOfItsCell() async throws {
        var town = TownBench()
        let instances = [try town.place(1), try town.place(2)]
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        try await disk.commit([
            Statement("UPDATE instances SET version = -1 WHERE id = (SELECT min(id) FROM instances)", changing: 1)
        ])
        var woken = TownBench()
        woken.wake(Self.here, try await disk.stored(in: Self.here))
        #expect(woken[Self.here].instances.map(\.id) == [instances[1].id])
        await disk.close()
    }

    @Test func restored_answersQuestionsAlike() async throws {
        var town = try Self.lively()
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        var woken = TownBench(settings: town.settings)
        woken.wake(Self.here, try await disk.stored(in: Self.here))
        for (index, instance) in town[Self.here].instances.enumerated() {
            for person in [0, 1, 8, 9] as [UInt64] {
                let id = UInt32(1_000 + index)
                let before = try town.select(id, instance, by: .make(person))
                #expect(try woken.select(id, instance, by: .make(person)) == before)
            }
        }
        await disk.close()
    }

    @Test func restoredAccount_knowsItsKeysAndTheStoreTheirAnswers() async throws {
        var town = TownBench()
        let instance = try town.place(1, key: "once")
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        let stored = try await disk.stored(for: .make(), now: town.time.lasting)
        var woken = TownBench(time: town.time)
        woken.wake(account: .make(), stored)
        woken.push(.make(.placing(), id: 2, key: "once"))
        woken.push(.make(.placing(), id: 3, key: "never"))
        #expect(woken.looks.map(\.id) == [2])
        woken.found([try await disk.read(StoredReply.answer(to: "once", of: .make()))[0].first])
        guard case .success(.placed(let placed)) = woken.answers.first?.answer else {
            Issue.record("no answer was kept")
            return
        }
        #expect(placed.instance.asOthersSee == instance)
        #expect(woken.looks.map(\.id) == [3], "what came meanwhile is asked about next")
        woken.found([try await disk.read(StoredReply.answer(to: "never", of: .make()))[0].first])
        woken.runUntilIdle()
        guard case .success(.placed(let other)) = woken.answers.last?.answer else {
            Issue.record("a new key places nothing")
            return
        }
        #expect(other.instance.id != instance.id)
        await disk.close()
    }
}

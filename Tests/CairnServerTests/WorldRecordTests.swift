import CairnConfiguration
import CairnCore
import CairnFeatures
import CairnStore
import CairnTesting
import CairnWire
import Testing

@testable import CairnRoot
@testable import CairnServer

/// What belongs to a world and not to the settings of its server.
@Suite("World record")
struct WorldRecordTests {
    private static func world(_ statements: [Statement] = []) async throws -> TemporaryStore {
        let world = try await TemporaryStore.open(migrations: StorageTools.migrations())
        try await world.commit(statements)
        return world
    }

    /// Three things in the cells of a level, as a server of before has left them.
    private static func things(level: Int) -> [Statement] {
        var town = TownBench(settings: .make { $0.cellLevel = level })
        for id in 1...3 as ClosedRange<UInt32> { town.push(.make(.placing(), id: id)) }
        town.runUntilIdle()
        return town.kept
    }

    @Test func newWorld_takesTheConfiguredLevel_andNoOtherLater() async throws {
        let world = try await Self.world()
        try await WorldRecord.establishLevel(16, of: Features.register, in: world.store)
        // Nobody waits for the level to be on disk; what is committed after it is there later.
        try await world.commit([WorldRecord.keeping(FollowedTime.Mark(lasting: 1))])
        try await WorldRecord.establishLevel(16, of: Features.register, in: world.store)
        await #expect { try await WorldRecord.establishLevel(15, of: Features.register, in: world.store) } throws: {
            error in
            "\(error)".contains("cells.level is 15") && "\(error)".contains("set cells.level to 16")
        }
        await world.close()
    }

    @Test func worldOfBefore_takesTheLevelByWhichItsThingsAreStored() async throws {
        let world = try await Self.world(Self.things(level: 16))
        try await WorldRecord.establishLevel(16, of: Features.register, in: world.store)
        await #expect(throws: ConfigurationError.self) {
            try await WorldRecord.establishLevel(17, of: Features.register, in: world.store)
        }
        await world.close()
    }

    @Test func worldOfBefore_refusesALevelByWhichNothingWouldBeFound_andNamesItsOwn() async throws {
        let world = try await Self.world(Self.things(level: 16))
        await #expect { try await WorldRecord.establishLevel(15, of: Features.register, in: world.store) } throws: {
            error in
            "\(error)".contains("made with 16")
        }
        await world.close()
    }

    @Test func newWorld_hasNoTimeYet() async throws {
        let world = try await Self.world()
        #expect(try await WorldRecord.mark(in: world.store, of: Features.register, latest: .distantFuture) == nil)
        await world.close()
    }

    @Test func time_isTheNewestThatIsStored() async throws {
        let world = try await Self.world([
            WorldRecord.keeping(FollowedTime.Mark(lasting: 1_000, doubt: 7)),
            Statement("INSERT INTO kept_answers (id, account, key, at, sealed) VALUES (1, 1, x'00', 2000, x'00')"),
        ])
        #expect(
            try await WorldRecord.mark(in: world.store, of: Features.register, latest: .distantFuture)
                == .init(lasting: 2_000, doubt: 7))
        #expect(
            try await WorldRecord.mark(in: world.store, of: Features.register, latest: 1_500)
                == .init(lasting: 1_000, doubt: 7))
        await world.close()
    }
}

import CairnCore
import CairnFeatures
import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// Totals go where their instance goes: to the disk, to another cell, to whoever selects it.
@Suite("Reactions: state of an instance")
struct ReactionStateTests {
    private var town = TownBench()

    @Test mutating func select_showsTotalsAndOnesOwnReaction() throws {
        let instance = try town.place(1)
        _ = try town.react(2, "like", to: instance, by: .make(2))
        _ = try town.react(3, "wow", to: instance, by: .make(3))
        let selected = try town.select(4, instance, by: .make(3))
        #expect(selected.ownReaction == "wow")
        #expect(selected.instance.reactions.map(\.reaction) == ["like", "wow"])
        #expect(try town.select(5, instance, by: .make(9)).ownReaction.isEmpty)
    }

    @Test func move_takesTheReactionsAlong() throws {
        var town = TownBench()
        let instance = try town.place(1)
        let move = Request.make(.editing(instance, to: .make(at: Ground.here.between(0.6))), id: 2)
        _ = try town.react(9, "love", to: instance, by: .make(2))
        _ = try town.ask(move)
        let moved = town[Ground.here.neighbour].instances[0]
        #expect(moved.reactions.map(\.count) == [1])
        #expect(try town.select(10, moved, by: .make(2)).ownReaction == "love")
    }

    @Test func moveThatOutlivesItsOldCell_takesTheReactionsAlong() async throws {
        var town = TownBench()
        let instance = try town.place(1)
        _ = try town.react(9, "love", to: instance, by: .make(2))
        town.push(.make(.editing(instance, to: .make(at: Ground.here.between(0.6))), id: 2))
        var (revived, disk) = try await town.revived()
        revived.fireTimers(of: .cell(Ground.here.cell))
        revived.runUntilIdle()
        #expect(revived[Ground.here.neighbour].instances.first?.reactions.map(\.count) == [1])
        await disk.close()
    }

    @Test func reaction_isCountedByNoOtherQuota() throws {
        // Everything that another feature lets a person do in a minute is used up.
        var town = TownBench(settings: .make { $0.becomeTight() })
        let instance = try town.place(1)
        #expect(try town.refusal(.placing(), id: 2)?.code == .quotaPeriod)
        #expect(try town.react(7, "like", to: instance).reactions.map(\.count) == [1])
    }

    @Test func reactions_areCounted_andWithdrawalsAndRepeatsAreNot() throws {
        var town = TownBench()
        let instance = try town.place(1)
        for (id, reaction) in zip(3..., ["like", "like", "wow", ""]) {
            _ = try town.react(UInt32(id), reaction, to: instance)
        }
        #expect(town[Ground.here.cell].actions.counts.filter { $0 == "reactions" }.count == 2)
        #expect(Reactions.counts.map(\.name.text) == ["reactions"])
    }

    @Test func removing_takesItsReactionsWithIt() async throws {
        var town = TownBench()
        let instance = try town.place(1)
        _ = try town.react(2, "like", to: instance)
        _ = try town.ask(.make(.removing(instance), id: 3))
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        let rows = try await disk.read(Query("SELECT count(*) FROM reactions"))
        #expect(rows[0][0] == Row([.integer(0)]))
        await disk.close()
    }

    @Test func reactionThatIsNoLongerOffered_isNotShownButKept() async throws {
        var town = TownBench()
        let instance = try town.place(1)
        _ = try town.react(2, "love", to: instance)
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        let stored = try await disk.stored(in: HomeAddress.cell(Ground.here.cell))
        var without = TownBench(settings: .make { $0.reactions.names = ["like", "wow"] })
        without.wake(HomeAddress.cell(Ground.here.cell), stored)
        #expect(without[HomeAddress.cell(Ground.here.cell)].instances[0].reactions.isEmpty)
        var reordered = TownBench(settings: .make { $0.reactions.names = ["wow", "love"] })
        reordered.wake(HomeAddress.cell(Ground.here.cell), stored)
        #expect(reordered[HomeAddress.cell(Ground.here.cell)].instances[0].reactions.map(\.reaction) == ["love"])
        await disk.close()
    }
}

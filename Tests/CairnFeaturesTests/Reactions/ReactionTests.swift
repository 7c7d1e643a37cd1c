import CairnCore
import CairnFeatures
import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// RCT-1, RCT-2, RCT-5.
@Suite("Reactions")
struct ReactionTests {
    private var town = TownBench()

    @Test mutating func reaction_isAnsweredWithTheTotals() throws {
        let instance = try town.place(1)
        let set = try town.react(2, "love", to: instance)
        #expect(set.reaction == "love" && set.instance == instance.id)
        #expect(set.reactions.map(\.summary) == ["love 1"])
    }

    @Test mutating func reaction_tellsFollowersTheSameTotals() throws {
        let instance = try town.place(1)
        let set = try town.react(2, "love", to: instance)
        let event = try #require(town.events().last)
        #expect(event.reacted.instance == instance.id && event.reacted.reactions == set.reactions)
    }

    @Test mutating func totals_addUpOverPeopleInTheConfiguredOrder() throws {
        let instance = try town.place(1)
        for person in 1...3 { _ = try town.react(UInt32(person + 1), "wow", to: instance, by: .make(UInt64(person))) }
        let set = try town.react(9, "like", to: instance, by: .make(9))
        #expect(set.reactions.map(\.summary) == ["like 1", "wow 3"])
    }

    @Test mutating func anotherReaction_replacesTheFirst() throws {
        let instance = try town.place(1)
        _ = try town.react(2, "like", to: instance)
        #expect(try town.react(3, "wow", to: instance).reactions.map(\.summary) == ["wow 1"])
    }

    @Test mutating func sameReactionAgain_changesNothingAndIsToldToNobody() throws {
        let instance = try town.place(1)
        _ = try town.react(2, "like", to: instance)
        let before = town.events().count
        #expect(try town.react(3, "like", to: instance).reactions.map(\.summary) == ["like 1"])
        #expect(town.events().count == before)
    }

    @Test mutating func whatIsOutOfView_isNotThere() throws {
        let instance = try town.place(1)
        let elsewhere = Sender(
            participant: .make(2), account: .make(2), name: "person-2", position: Sender.make().position, view: [])
        #expect(try town.refusal(.reacting("like", to: instance), id: 2, from: elsewhere)?.code == .notFound)
        #expect(try town.refusal(.selecting(instance), id: 3, from: elsewhere)?.code == .notFound)
        let nowhere = Sender.make(2, at: nil)
        #expect(try town.refusal(.reacting("like", to: instance), id: 4, from: nowhere)?.code == .positionRequired)
        #expect(try town.refusal(.selecting(instance), id: 5, from: nowhere)?.code == .positionRequired)
    }

    @Test mutating func reaction_canBeWithdrawn() throws {
        let instance = try town.place(1)
        _ = try town.react(2, "like", to: instance)
        #expect(try town.react(3, "", to: instance).reactions.isEmpty)
        #expect(town.events().last?.reacted.reactions.isEmpty == true)
    }

    @Test mutating func withdrawingWhatIsNotThere_changesNothing() throws {
        let instance = try town.place(1)
        let before = town.events().count
        #expect(try town.react(2, "", to: instance).reactions.isEmpty)
        #expect(town.events().count == before)
    }

    @Test mutating func reaction_doesNotChangeTheVersion() throws {
        let instance = try town.place(1)
        _ = try town.react(2, "like", to: instance)
        #expect(town[Ground.here.cell].instances.map(\.version) == [1])
    }

    @Test mutating func reactionThatIsNotOffered_isRefused() throws {
        let instance = try town.place(1)
        #expect(try town.refusal(.reacting("shrug", to: instance))?.code == .unknownReaction)
    }

    @Test mutating func reactionToWhatIsNotThere_isNotFound() throws {
        var instance = try town.place(1)
        instance.id = "nonsense"
        #expect(try town.refusal(.reacting("like", to: instance))?.code == .notFound)
    }

    @Test mutating func reactionThatNamesNoCell_isRefused() throws {
        var instance = try town.place(1)
        instance.cell = "nowhere"
        #expect(try town.refusal(.reacting("like", to: instance))?.code == .invalidField)
    }

    @Test mutating func reaction_isNotToldBeforeItIsOnDisk() throws {
        var town = TownBench(disk: .later)
        let instance = try town.place(1)
        let before = town.events().count
        town.push(.make(.reacting("like", to: instance), id: 2))
        #expect(town.events().count == before)
        town.commit()
        #expect(town.events().count == before + 1)
    }

    // MARK: Rate (RCT-5)

    @Test func reactionBeyondTheRate_isRefusedWithTheTimeToWait() throws {
        var town = TownBench(settings: .make { $0.reactions.perMinute = 2 })
        let instance = try town.place(1)
        _ = try town.react(2, "like", to: instance)
        town.time.advance(.seconds(10))
        _ = try town.react(3, "wow", to: instance)
        let refusal = try town.refusal(.reacting("love", to: instance))
        #expect(refusal?.code == .rateLimited)
        #expect(refusal?.retryAfter == .seconds(50))
        town.time.advance(.seconds(50))
        #expect(try town.refusal(.reacting("love", to: instance), id: 5) == nil)
    }

    @Test func rate_isOfOnePersonOverAllTheirDevices() throws {
        var town = TownBench(settings: .make { $0.reactions.perMinute = 1 })
        let instance = try town.place(1)
        _ = try town.react(2, "like", to: instance, by: .make(1, device: 1))
        let refusal = try town.refusal(.reacting("wow", to: instance), id: 3, from: .make(1, device: 2))
        #expect(refusal?.code == .rateLimited)
        #expect(try town.refusal(.reacting("wow", to: instance), id: 4, from: .make(2)) == nil)
    }

    @Test func parallelReactionsAgainstARateOf5_areExactly5() throws {
        var town = TownBench(settings: .make { $0.reactions.perMinute = 5 }, disk: .later)
        let instance = try town.place(1)
        for id in 2...41 {
            let reaction = id.isMultiple(of: 2) ? "like" : "wow"
            town.push(.make(.reacting(reaction, to: instance), id: UInt32(id), from: .make(2, device: UInt64(id % 3))))
        }
        town.runUntilIdle()
        let answers = town.answers.filter { $0.request.id > 1 }
        #expect(answers.count == 40)
        #expect(answers.filter { $0.answer.refusal == nil }.count == 5)
    }
}

extension WireReactionCount {
    fileprivate var summary: String { "\(reaction) \(count)" }
}

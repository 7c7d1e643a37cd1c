import CairnCore
import CairnFeatures
import CairnTesting
import CairnWire
import Testing

/// Names of those who have reacted, as far as their privacy allows (RCT-2, PRF-5). Of people whose relations the store
/// knows is test_friends.py.
@Suite("Reactions: who has reacted")
struct ListReactionsTests {
    private var town = TownBench()
    private let instance: WireInstance

    init() throws {
        instance = try town.place(1)
        for (number, name) in ["Zoe", "Ada", "Bob"].enumerated() {
            town.names.people.set(.make(UInt64(2 + number)), to: name)
        }
        _ = try town.react(2, "wow", to: instance, by: .make(2))
        _ = try town.react(3, "like", to: instance, by: .make(3))
    }

    @Test mutating func strangers_areNamedWhenTheyShowThemselvesToEveryone() throws {
        #expect(try town.named(4, instance, by: .make(4)).isEmpty)
        town.names.set(Privacy(.everyone), of: .make(2))
        #expect(try town.named(5, instance, by: .make(4)) == ["Zoe wow"])
        town.names.set(Privacy(.everyone), of: .make(3))
        #expect(try town.named(6, instance, by: .make(4)) == ["Ada like", "Zoe wow"])
        #expect(try town.named(7, instance, only: "like", by: .make(4)) == ["Ada like"])
        #expect(try town.named(8, instance, only: "love", by: .make(4)).isEmpty)
    }

    @Test mutating func oneself_isFirst_evenWithoutAnybodyToSeeIt() throws {
        town.names.set(Privacy(.nobody), of: .make(2))
        town.names.set(Privacy(.everyone), of: .make(3))
        #expect(try town.named(4, instance, by: .make(2)) == ["Zoe wow", "Ada like"])
        #expect(try town.named(5, instance, by: .make(3)) == ["Ada like"])
    }

    @Test mutating func newName_isShownFromTheNextQuestionOn() throws {
        town.names.set(Privacy(.everyone), of: .make(2))
        town.names.people.set(.make(2), to: "Zora")
        #expect(try town.named(4, instance, by: .make(4)) == ["Zora wow"])
    }

    @Test mutating func question_hasTheFaultsOfAReaction() throws {
        #expect(try town.refusal(.listing(reactionsTo: instance, only: "nonsense"), id: 4)?.code == .unknownReaction)
        var gone = instance
        gone.id = "0000000000000"
        #expect(try town.refusal(.listing(reactionsTo: gone), id: 5)?.code == .notFound)
    }
}

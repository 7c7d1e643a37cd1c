import CairnCore
import CairnTesting
import CairnWire
import Testing

/// Guests see the totals of reactions, and have none of their own (SES-14, PRF-5).
@Suite("Reactions: guests") struct GuestReactionTests {
    private var town = TownBench(settings: .unhurried())

    @Test mutating func guests_seeTotals_andNoReactionOfTheirOwn() throws {
        let flag = try town.place(1)
        _ = try town.ask(.make(.reacting("like", to: flag), id: 2, from: .make(2)))
        let selected = try town.select(3, flag, by: .guest())
        #expect(selected.instance.reactions.map(\.count) == [1] && selected.ownReaction.isEmpty)
        #expect(selected.actions.isEmpty)
    }
}

import CairnCore
import CairnFeatures
import CairnTesting
import CairnWire
import Testing

/// RCT-5: one limit for reactions and votes.
@Suite("Posts: rate of reactions and votes")
struct GestureRateTests {
    @Test func reactionsAndVotes_areCountedTogether() throws {
        var town = TownBench(settings: .make { $0.reactions.perMinute = 3 })
        let post = try town.post(1)
        let thing = try town.place(2)
        let voter = Sender.make(2)
        try town.vote(3, 1, on: post, by: voter)
        #expect(try town.refusal(.reacting("like", to: thing), id: 4, from: voter) == nil)
        try town.vote(5, -1, on: post, by: voter)
        let refusal = try town.refusal(.voting(1, on: post), id: 6, from: voter)
        #expect(refusal?.code == .rateLimited && refusal?.retryAfter == .seconds(60))
        #expect(try town.refusal(.reacting("wow", to: thing), id: 7, from: voter)?.code == .rateLimited)
    }
}

import CairnCore
import CairnFeatures
import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// RCT-3 to RCT-5.
@Suite("Votes")
struct VoteTests {
    private static let cell = Ground.here.cell
    private var town = TownBench(settings: .unhurried())

    @Test mutating func vote_isAnsweredAndToldAlike() throws {
        let post = try town.post(1)
        let set = try town.vote(2, 1, on: post, by: .make(2))
        #expect(set.vote == 1 && set.score == 1 && set.size == 1.1 && set.reach == 55 && !set.hidden)
        let voted = try #require(town.events().last?.voted)
        #expect(voted.post == post.id && voted.score == 1 && voted.size == 1.1 && voted.reach == 55)
        #expect(town[Self.cell].instances.first?.post.score == 1)
    }

    @Test mutating func anotherVote_replacesTheFirst_andCanBeTakenBack() throws {
        let post = try town.post(1)
        try town.vote(2, 1, on: post, by: .make(2))
        #expect(try town.vote(3, -1, on: post, by: .make(2)).score == -1)
        #expect(try town.vote(4, 0, on: post, by: .make(2)).score == 0)
    }

    @Test mutating func sameVoteAgain_changesNothingAndIsToldToNobody() throws {
        let post = try town.post(1)
        try town.vote(2, 1, on: post, by: .make(2))
        let before = town.events().count
        #expect(try town.vote(3, 1, on: post, by: .make(2, device: 9)).score == 1)
        #expect(town.events().count == before)
    }

    @Test mutating func readingAPost_tellsOnesOwnVoteAndNobodyElses() throws {
        let post = try town.post(1)
        try town.vote(2, -1, on: post, by: .make(2))
        #expect(try town.read(3, post, by: .make(2)).ownVote == -1)
        #expect(try town.read(4, post, by: .make(3)).ownVote == 0)
    }

    @Test mutating func ownPost_isNotVotedOn() throws {
        let post = try town.post(1)
        #expect(try town.refusal(.voting(1, on: post))?.code == .ownPost)
        #expect(try town.read(2, post).actions == ["edit_post", "remove_post"])
        #expect(try town.read(3, post, by: .make(2)).actions == ["vote"])
    }

    @Test func ownPost_isVotedOnWhereOperatorsLetPeople() throws {
        var town = TownBench(settings: .unhurried { $0.posts.ownVotes = true })
        let post = try town.post(1)
        #expect(try town.vote(2, 1, on: post, by: .make()).score == 1)
    }

    @Test(arguments: [2, -2, .max, .min] as [Int32])
    func voteOfMoreThanOne_isRefused(vote: Int32) throws {
        var town = TownBench()
        let post = try town.post(1)
        #expect(try town.refusal(.voting(vote, on: post), from: .make(2))?.code == .invalidField)
    }

    @Test mutating func whatIsOutOfReach_isNotThere() throws {
        let post = try town.post(1, by: .make(gridMetres: 0))
        let near = Sender.make(2, at: Ground.here.at(east: 49))
        let far = Sender.make(3, at: Ground.here.at(east: 52))
        #expect(try town.refusal(.voting(1, on: post), id: 1, from: far)?.code == .notFound)
        #expect(try town.read(10, post, by: near).actions == ["vote"])
        #expect(try town.read(11, post, by: far).actions.isEmpty, "seen there, and not voted on")
        #expect(try town.refusal(.voting(1, on: post), id: 2, from: near) == nil)
        // The first vote has made it reach further.
        #expect(try town.refusal(.voting(1, on: post), id: 3, from: far) == nil)
        try town.vote(4, 0, on: post, by: far)
        try town.vote(5, 0, on: post, by: near)
        let refusal = try town.refusal(.voting(1, on: post), id: 6, from: far)
        #expect(refusal?.code == .notFound)
        let nowhere = Sender.make(5, at: nil)
        #expect(try town.refusal(.voting(1, on: post), id: 7, from: nowhere)?.code == .positionRequired)
    }

    @Test mutating func upNeverShrinks_andDownNeverEnlarges() throws {
        let post = try town.post(1)
        var last = post.post
        for person in 0..<25 {
            try town.vote(UInt32(10 + person), 1, on: post, by: .make(UInt64(100 + person)))
            let now = try #require(town[Self.cell].instances.first?.post)
            #expect(now.score == last.score + 1 && now.size >= last.size && now.reach >= last.reach)
            last = now
        }
        #expect(last.size == 3 && last.reach == 100)
        for person in 0..<25 {
            try town.vote(UInt32(50 + person), 0, on: post, by: .make(UInt64(100 + person)))
            let now = try #require(town[Self.cell].instances.first?.post)
            #expect(now.size <= last.size && now.reach <= last.reach)
            last = now
        }
        for person in 0..<4 { try town.vote(UInt32(90 + person), -1, on: post, by: .make(UInt64(100 + person))) }
        let least = try #require(town[Self.cell].instances.first?.post)
        #expect(abs(least.size - 0.6) < 1e-9 && least.reach == 30)
    }

    @Test mutating func score_isTheSerialCountOfTheLastVotes() throws {
        let post = try town.post(1)
        var random = SystemRandomNumberGenerator()
        var votes: [UInt64: Int32] = [:]
        for id in 0..<600 {
            let person = UInt64.random(in: 100..<240, using: &random)
            // Mostly up, so that it stays in sight.
            let vote: Int32 = [1, 1, 1, 0, -1].randomElement(using: &random) ?? 1
            if votes.values.reduce(0, +) < 0, vote < 1 { continue }
            votes[person] = vote
            let set = try town.vote(UInt32(10 + id), vote, on: post, by: .make(person))
            #expect(set.score == votes.values.reduce(0, +))
        }
    }

    // MARK: Hidden (RCT-4)

    @Test mutating func atMinusFive_onlyTheAuthorSeesIt() throws {
        let post = try town.post(1)
        try town.hide(post)
        let last = try #require(town.events().last?.voted)
        #expect(last.hidden && last.score == -5)
        #expect(town[Self.cell].instances.isEmpty)
        #expect(try town.trending(600, by: .make(2)).posts.isEmpty)
        let own = try town.read(601, post)
        #expect(own.post.post.hidden && own.post.post.score == -5 && own.actions == ["edit_post", "remove_post"])
        #expect(town[Self.cell].core.own(of: .make(), in: .everyone)?.own.hidden.map(\.id) == [post.id])
        #expect(town[Self.cell].core.own(of: .make(2), in: .everyone) == nil)
    }

    @Test mutating func hiddenPost_isAnsweredToOthersAsOneThatNeverWas() throws {
        let post = try town.post(1)
        try town.hide(post)
        var never = post
        never.id = town.identifiers.name(of: InstanceID(rawValue: 12_345))
        let voter = Sender.make(50)
        for (id, pair) in zip(
            UInt32(700)...,
            [
                (WireClientMessage.OneOf_Body.reading(post: post), .reading(post: never)),
                (.voting(0, on: post), .voting(0, on: never)),
                (.editing(post: post, text: "x"), .editing(post: never, text: "x")),
                (.removing(post: post), .removing(post: never)),
            ] as [(WireClientMessage.OneOf_Body, WireClientMessage.OneOf_Body)])
        {
            let hidden = try town.refusal(pair.0, id: id, from: voter)
            let absent = try town.refusal(pair.1, id: id + 50, from: voter)
            #expect(hidden != nil && hidden == absent)
        }
        town.time.advance(.seconds(86_400))
        #expect(try town.refusal(.reading(post: post), id: 800, from: voter)?.code == .notFound)
        #expect(try town.refusal(.reading(post: post), id: 801)?.code == .postExpired)
    }

    @Test mutating func whatTheAuthorDoesWithAHiddenPost_isToldToNobody() throws {
        let post = try town.post(1)
        try town.hide(post)
        let before = town.events().count
        #expect(try town.refusal(.editing(post: post, text: "Sorry"), id: 700) == nil)
        #expect(try town.read(701, post).post.text == "Sorry")
        #expect(try town.refusal(.removing(post: post), id: 702) == nil)
        #expect(town.events().count == before)
    }
}

import CairnCore
import CairnFeatures
import CairnTesting
import CairnWire
import Testing

/// Changes of a pair are turns of one home (FRD-2 to FRD-7). The rest is in test_friends.py.
@Suite("Friends")
struct FriendsTests {
    private var town = TownBench()
    private let ada = Sender.make(7)
    private let bob = Sender.make(3)

    init() {
        for sender in [ada, bob] { town.names.people.set(sender.account, to: sender.name) }
    }

    private func name(of sender: Sender) -> String { town.identifiers.name(of: sender.account) }

    private func requesting(_ other: Sender) -> WireClientMessage.OneOf_Body {
        var body = WireRequestFriend()
        body.account = name(of: other)
        return .requestFriend(body)
    }

    private func blocking(_ other: Sender) -> WireClientMessage.OneOf_Body {
        var body = WireBlock()
        body.account = name(of: other)
        return .block(body)
    }

    @Test mutating func requestsThatCross_makeFriends_inTheHomeOfTheLowerNumber() throws {
        let (one, other) = (
            Request.make(requesting(bob), id: 1, from: ada), Request.make(requesting(ada), id: 2, from: bob)
        )
        town.push(one)
        town.push(other)
        town.runUntilIdle()
        let answers = try [one, other].map { request in
            guard case .friendRequested(let requested)? = try town.answer(to: request)?.result else {
                throw BenchError("no answer")
            }
            return requested.friends
        }
        #expect(answers.sorted { !$0 && $1 } == [false, true])
        let rows = town.kept.filter { $0.sql.text.contains("INTO relations") }
        #expect(rows.count == 2 && rows.allSatisfy { $0.arguments.first == .integer(3) })
    }

    @Test mutating func blockedPerson_getsTheAnswerAboutNobody() throws {
        #expect(try town.refusal(blocking(bob), id: 1, from: ada) == nil)
        let absent = try town.refusal(requesting(.make(99)), id: 2, from: bob)
        #expect(try town.refusal(requesting(ada), id: 3, from: bob) == absent)
        #expect(absent?.code == .userNotFound)
        #expect(try town.refusal(requesting(bob), id: 4, from: ada) == absent)
    }
}

import CairnCore
import CairnFeatures
import CairnTesting
import CairnWire
import Synchronization
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

    private func listing(_ other: Sender) -> WireClientMessage.OneOf_Body {
        var body = WireListFriends()
        body.account = name(of: other)
        return .listFriends(body)
    }

    private func answering(_ other: Sender) -> WireClientMessage.OneOf_Body {
        var body = WireAnswerFriendRequest()
        (body.account, body.accept) = (name(of: other), true)
        return .answerFriendRequest(body)
    }

    private func withdrawing(_ other: Sender) -> WireClientMessage.OneOf_Body {
        var body = WireWithdrawFriendRequest()
        body.account = name(of: other)
        return .withdrawFriendRequest(body)
    }

    private func unfriending(_ other: Sender) -> WireClientMessage.OneOf_Body {
        var body = WireUnfriend()
        body.account = name(of: other)
        return .unfriend(body)
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
    /// What the homes ask the store about a request, and what they answer.
    private mutating func work(
        for body: WireClientMessage.OneOf_Body, id: UInt32, from sender: Sender
    ) throws -> (queries: Int, refusal: Refusal?) {
        let queries = Counter()
        town.store = { _ in
            queries.add()
            return []
        }
        let refusal = try town.refusal(body, id: id, from: sender)
        return (queries.count, refusal)
    }

    /// FRD-7: what takes other work takes other time.
    @Test mutating func absentPerson_isAnsweredWithTheWorkForNobody() throws {
        #expect(try town.refusal(blocking(bob), id: 1, from: ada) == nil)
        let (gone, blocked) = (Sender.make(99), Sender.make(3, scopes: [.absence(of: ada.account)]))
        var id: UInt32 = 2
        for make in [requesting, listing, answering, withdrawing, unfriending] {
            let nobody = try work(for: make(gone), id: id, from: blocked)
            let absent = try work(for: make(ada), id: id + 1, from: blocked)
            #expect(nobody.refusal != nil && absent.refusal == nobody.refusal)
            #expect(absent.queries == nobody.queries)
            id += 2
        }
    }
}

/// Counts from a closure.
private final class Counter: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock { $0 } }

    func add() { value.withLock { $0 += 1 } }
}

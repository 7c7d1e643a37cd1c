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

    private func unblocking(_ other: Sender) -> WireClientMessage.OneOf_Body {
        var body = WireUnblock()
        body.account = name(of: other)
        return .unblock(body)
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

    /// Also one of an earlier request, and no other's.
    @Test mutating func withdrawnRequest_takesItsNotificationsWithIt() async throws {
        let eve = Sender.make(9)
        town.names.people.set(eve.account, to: eve.name)
        _ = try town.ask(.make(requesting(bob), id: 1, from: ada))
        _ = try town.ask(.make(requesting(bob), id: 2, from: eve))
        let disk = try await TemporaryStore.open()
        let insertions = town.kept.filter { $0.sql.text.contains("INTO notifications") }
        #expect(insertions.count == 2)
        try await disk.commit(insertions)
        let withdrawal = Request.make(withdrawing(bob), id: 3, from: ada)
        town.push(withdrawal)
        let rows = try await disk.read(try #require(town.asked.last).queries[0])[0]
        #expect(rows.count == 2)
        town.store = { _ in rows }
        town.runUntilIdle()
        #expect(try #require(town.answer(to: withdrawal)).refusal == nil)
        try await disk.commit(town.kept.filter { $0.sql.text.contains("DELETE FROM notifications") })
        let left = try await disk.read(StoredNotification.query(of: bob.account, kind: .friendRequest))[0]
        var damage: [DamagedRow] = []
        let notifications = StoredNotification.notifications(in: left, into: &damage)
        #expect(notifications.map(\.notification.person) == [eve.account] && damage.isEmpty)
        await disk.close()
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
        #expect(try town.refusal(blocking(ada), id: 5, from: bob) == absent)
        #expect(try town.refusal(unblocking(ada), id: 6, from: bob) == absent)
        #expect(try town.refusal(blocking(.make(99)), id: 7, from: bob) == absent)
    }

    /// The answer to a block leaves when the loops go by the rights, also where another request has asked for them a
    /// moment ago: its changes of rights are still on their way (A12).
    @Test func blocksAtOnce_areAcknowledgedBehindTheRights() {
        var home = HomeBench.make(
            .account(bob.account), disk: .later, identifiers: town.identifiers, names: town.names)
        for id: UInt32 in 1...2 {
            let request = Request.make(blocking(ada), id: id, from: bob)
            home.push(request)
            home.resume(request, rows: [[]])
        }
        // Ada's account has handed it on: it did not know of Bob's block.
        home.push(.make(blocking(bob), id: 3, from: ada))
        let left = home.commitTogether()
        var behind: [UInt32] = []
        for case .changeRights(_, let answers) in left { behind += answers.map { $0.request.id } }
        #expect(behind == [1, 2])
        #expect(left.answers.map { $0.request.id } == [3])
        guard case .refusal(let refusal)? = left.answers.first?.answer else {
            Issue.record("a crossing block was acknowledged")
            return
        }
        #expect(refusal.code == .userNotFound)
    }

    /// The row of a block that has ended only voids invitations from before it.
    @Test mutating func rowOfAnEndedBlock_goesWithTheInvitationsThatItVoids() throws {
        #expect(try town.refusal(blocking(bob), id: 1, from: ada) == nil)
        town.time.advance(.seconds(86_400))
        #expect(try town.refusal(unblocking(bob), id: 2, from: ada) == nil)
        let home = HomeAddress.account(bob.account)
        func deletions() -> Int { town.kept.count { $0.sql.text.hasPrefix("DELETE FROM relations") } }
        town.time.advance(.seconds(town.settings.realms.invitationDays * 86_400 - 2 * 86_400))
        town.fireTimers(of: home)
        town.runUntilIdle()
        #expect(deletions() == 0)
        town.time.advance(.seconds(86_400 + 1))
        town.fireTimers(of: home)
        town.runUntilIdle()
        #expect(deletions() == 1)
        let deletion = town.kept.last { $0.sql.text.hasPrefix("DELETE FROM relations") }
        #expect(deletion?.arguments == [.integer(3), .integer(7)])
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
        for make in [requesting, listing, answering, withdrawing, unfriending, blocking, unblocking] {
            let nobody = try work(for: make(gone), id: id, from: blocked)
            let absent = try work(for: make(ada), id: id + 1, from: blocked)
            #expect(nobody.refusal != nil && absent.refusal == nobody.refusal)
            #expect(absent.queries == nobody.queries)
            id += 2
        }
    }

    /// The row of the two decides whether a stranger may see the list, before all rows of a person are read.
    @Test mutating func listOfFriends_isReadForThoseWhoMaySeeIt() throws {
        let pair = Relation.query(ada.account, bob.account)
        let queries = Mutex<[Query]>([])
        func listsOfAda(_ audience: Privacy.Audience, id: UInt32) throws -> (asked: [Query], refusal: Refusal?) {
            queries.withLock { $0 = [] }
            town.names.set(Privacy(profile: .everyone, friends: audience, interactions: .everyone), of: ada.account)
            let refusal = try town.refusal(listing(ada), id: id, from: bob)
            return (queries.withLock { $0 }, refusal)
        }
        town.store = { query in
            queries.withLock { $0.append(query) }
            return []
        }
        let hidden = try listsOfAda(.friends, id: 1)
        #expect(hidden.asked == [pair] && hidden.refusal?.code == .profileHidden)
        let shown = try listsOfAda(.everyone, id: 2)
        #expect(shown.asked == [pair] + [ada, bob].map { Relation.query(of: $0.account) } && shown.refusal == nil)
    }

    /// Everything for which all rows of a person are read counts, also what is refused.
    @Test mutating func looksAtAllRowsOfAPerson_haveAQuotaOfAMinute() throws {
        var town = TownBench(settings: .make { $0.friends.looksPerMinute = 10 })
        for id: UInt32 in 1...10 {
            #expect(try town.refusal(blocking(.make(99)), id: id, from: ada)?.code == .userNotFound)
        }
        #expect(try town.refusal(blocking(bob), id: 11, from: ada)?.code == .rateLimited)
        #expect(try town.refusal(requesting(bob), id: 12, from: ada)?.code == .rateLimited)
        var core = AccountCore(
            account: ada.account, register: Features.register, settings: town.settings, keyLifetime: .seconds(86_400))
        let list = Request.make(.listBlocks(WireListBlocks()), id: 1, key: "", from: ada)
        for _ in 1...10 { #expect(core.admit(question: list, now: .epoch) == nil) }
        #expect(core.admit(question: list, now: .epoch)?.code == .rateLimited)
    }
}

/// Counts from a closure.
private final class Counter: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock { $0 } }

    func add() { value.withLock { $0 += 1 } }
}

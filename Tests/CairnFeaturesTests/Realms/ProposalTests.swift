import CairnCore
import CairnTesting
import CairnWire
import Testing

@testable import CairnFeatures

/// Whom a member adds where the owner approves may decline, and waits only as long as the two are friends (SUB-3,
/// SUB-4). Ada owns the sub-realm, Bob is in it and adds Eve.
@Suite("Sub-realms: people whom members add")
struct ProposalTests {
    private var town = TownBench(settings: .make { $0.realms.perPersonMax = 1 })
    private let disk: TemporaryStore
    /// Statements of the town that are on the disk.
    private var saved = 0
    private var asked: UInt32 = 0
    private let ada = Sender.make(7)
    private let eve = Sender.make(9)
    private var bob = Sender.make(8)
    private var relation: Relation
    private var realm = ""
    private var scope = Scope.everyone

    init() async throws {
        disk = try await TemporaryStore.open()
        relation = Relation(bob.account, eve.account)
        relation.befriend(at: town.time.wall)
        for person in [ada, bob, eve] { town.names.people.set(person.account, to: person.name) }
        var founding = WireCreateRealm()
        (founding.name, founding.open) = ("Garden", true)
        guard case .realm(let made) = try await ask(.createRealm(founding), from: ada).result,
            let id = town.identifiers.identifier(named: made.id, RealmTag.self)
        else { throw BenchError("not created") }
        (realm, scope) = (made.id, .members(of: .realm(id)))
        _ = try await ask(joining, from: bob).result
        bob = .make(8, scopes: [scope])
        var editing = WireEditRealm()
        (editing.realm, editing.approval) = (realm, true)
        _ = try await ask(.editRealm(editing), from: owner).result
        town.time.advance(.seconds(1))
    }

    // MARK: What people ask

    private var owner: Sender { .make(7, scopes: [scope]) }

    private var joining: WireClientMessage.OneOf_Body {
        var body = WireJoinRealm()
        body.realm = realm
        return .joinRealm(body)
    }

    private var leaving: WireClientMessage.OneOf_Body {
        var body = WireLeaveRealm()
        body.realm = realm
        return .leaveRealm(body)
    }

    private var adding: WireClientMessage.OneOf_Body {
        var body = WireAddMember()
        (body.realm, body.account) = (realm, town.identifiers.name(of: eve.account))
        return .addMember(body)
    }

    private var inviting: WireClientMessage.OneOf_Body {
        var body = WireInvite()
        (body.realm, body.account) = (realm, town.identifiers.name(of: eve.account))
        return .invite(body)
    }

    private var approving: WireClientMessage.OneOf_Body {
        var body = WireAnswerJoin()
        (body.realm, body.account, body.approve) = (realm, town.identifiers.name(of: eve.account), true)
        return .answerJoin(body)
    }

    private func answering(_ accepts: Bool) -> WireClientMessage.OneOf_Body {
        var body = WireAnswerInvitation()
        (body.realm, body.accept) = (realm, accepts)
        return .answerInvitation(body)
    }

    /// Asks; the disk answers about sub-realms, and `relation` is all that two people are to each other.
    private mutating func ask(_ body: WireClientMessage.OneOf_Body, from sender: Sender) async throws -> Answer {
        asked += 1
        let request = Request.make(body, id: asked, from: sender)
        town.push(request)
        return try await answer(to: request)
    }

    private mutating func answer(to request: Request) async throws -> Answer {
        for _ in 0..<8 where town.answer(to: request) == nil { try await goOn() }
        try await save()
        return try #require(town.answer(to: request))
    }

    /// All that was asked until now gets its answer.
    private mutating func goOn() async throws {
        try await save()
        var answers: [Query: [Row]] = [:]
        for query in town.asked.flatMap({ $0.queries }) { answers[query] = try await rows(of: query) }
        town.store = { [answers] query in answers[query, default: []] }
        town.deliver()
        town.commit()
    }

    private mutating func save() async throws {
        let statements = Array(town.kept.dropFirst(saved))
        saved = town.kept.count
        if !statements.isEmpty { try await disk.commit(statements) }
    }

    private func rows(of query: Query) async throws -> [Row] {
        guard query.sql.text.contains("relations") else { return try await disk.read(query)[0] }
        let isAboutThem =
            query == Relation.query(bob.account, eve.account) || query == Relation.query(of: eve.account)
            || query == Relation.query(of: bob.account)
            || query == Relation.query(pairs: [(one: bob.account, other: eve.account)])
        return isAboutThem && !relation.isNothing ? [Row(relation.saving.arguments)] : []
    }

    private mutating func standing(of person: Sender) async throws -> String? {
        guard case .realmList(let list) = try await ask(.listRealms(WireListRealms()), from: person).result else {
            throw BenchError("no list")
        }
        return list.realms.first { $0.id == realm }?.standing
    }

    /// The people who wait, by the owner's list.
    private mutating func pending() async throws -> [String] {
        var body = WireListMembers()
        body.realm = realm
        guard case .memberList(let list) = try await ask(.listMembers(body), from: owner).result else {
            throw BenchError("no list")
        }
        return list.pending.map(\.account)
    }

    /// Of whose wish to come the owner has a notification.
    private func told() async throws -> [AccountID?] {
        var damage: [DamagedRow] = []
        let rows = try await disk.read(StoredNotification.query(of: ada.account, kind: .realmJoinRequest))[0]
        return StoredNotification.notifications(in: rows, into: &damage).map(\.notification.person)
    }

    /// The answer of the adder, who sees the sub-realm as before.
    private mutating func add() async throws {
        guard case .realm(let told) = try await ask(adding, from: bob).result else { throw BenchError("not added") }
        #expect(told.standing == "member" && told.approval && told.members == 2)
    }

    /// It is as if nobody had added Eve.
    private mutating func expectNobodyWaits() async throws {
        #expect(try await ask(approving, from: owner).refusal?.code == .requestNotFound)
        #expect(try await pending() == [])
        #expect(try await standing(of: eve) == nil)
        #expect(town.rights[eve.account, default: []].isEmpty)
    }

    // MARK: Tests

    @Test mutating func whoIsAdded_waits_andTheOwnerApproves() async throws {
        try await add()
        try await add()
        #expect(try await standing(of: eve) == "pending")
        #expect(try await pending() == [town.identifiers.name(of: eve.account)])
        #expect(try await ask(answering(true), from: eve).refusal?.code == .joinPending)
        #expect(town.rights[eve.account, default: []].isEmpty)
        #expect(try await ask(approving, from: owner).refusal == nil)
        #expect(town.rights[eve.account] == [scope])
        await disk.close()
    }

    @Test(arguments: [true, false]) mutating func whoIsAdded_declines_orLeaves(leaves: Bool) async throws {
        try await add()
        #expect(try await told() == [eve.account])
        #expect(try await ask(leaves ? leaving : answering(false), from: eve).refusal == nil)
        try await expectNobodyWaits()
        #expect(try await told() == [])
        let again = try await ask(leaves ? leaving : answering(false), from: eve).refusal?.code
        #expect(again == (leaves ? .notFound : .inviteNotFound))
        await disk.close()
    }

    @Test mutating func block_voidsIt_andAfterwardsThePersonMayAskThemselves() async throws {
        try await add()
        relation.block(by: eve.account, at: town.time.wall)
        try await expectNobodyWaits()
        relation.unblock(by: eve.account)
        try await expectNobodyWaits()
        guard case .realm(let told) = try await ask(joining, from: eve).result else { throw BenchError("not joined") }
        #expect(told.standing == "pending")
        #expect(try await ask(approving, from: owner).refusal == nil)
        #expect(town.rights[eve.account] == [scope])
        await disk.close()
    }

    /// Another friendship of the two does not bring it back.
    @Test mutating func endOfTheFriendship_voidsIt() async throws {
        try await add()
        relation = Relation(bob.account, eve.account)
        #expect(try await pending() == [])
        relation.befriend(at: town.time.wall + .seconds(1))
        try await expectNobodyWaits()
        town.time.advance(.seconds(2))
        try await add()
        #expect(try await ask(approving, from: owner).refusal == nil)
        await disk.close()
    }

    /// Who asks themselves waits on their own behalf, whoever has added them.
    @Test mutating func ownWish_takesThePlaceOfWhatAMemberProposed() async throws {
        try await add()
        guard case .realm(let told) = try await ask(joining, from: eve).result else { throw BenchError("not joined") }
        #expect(told.standing == "pending")
        #expect(try await ask(joining, from: eve).refusal?.code == .joinPending)
        relation = Relation(bob.account, eve.account)
        #expect(try await ask(approving, from: owner).refusal == nil)
        await disk.close()
    }

    @Test mutating func invitation_isKept_whenAMemberAddsThePerson() async throws {
        #expect(try await ask(inviting, from: owner).refusal == nil)
        try await add()
        #expect(try await standing(of: eve) == "invited")
        #expect(try await pending() == [])
        #expect(try await ask(approving, from: owner).refusal?.code == .requestNotFound)
        #expect(try await ask(answering(false), from: eve).refusal == nil)
        try await expectNobodyWaits()
        await disk.close()
    }

    /// The owner hears of each wish that stands, and of no other.
    @Test(arguments: [true, false]) mutating func whoStopsWaiting_takesTheOwnersNotificationBack(
        leaves: Bool
    ) async throws {
        let dan = Sender.make(10)
        #expect(try await ask(joining, from: dan).refusal == nil)
        for _ in 0..<2 {
            #expect(try await ask(joining, from: eve).refusal == nil)
            #expect(try await told() == [dan.account, eve.account])
            #expect(try await ask(leaves ? leaving : answering(false), from: eve).refusal == nil)
            #expect(try await told() == [dan.account])
        }
        await disk.close()
    }

    /// The answer that comes is about a sub-realm in which nobody waited.
    @Test mutating func whoIsAddedWhileTheStoreIsAsked_isApprovedByTheNextRequest() async throws {
        asked += 2
        let (addition, approval) = (
            Request.make(adding, id: asked - 1, from: bob), Request.make(approving, id: asked, from: owner)
        )
        town.push(addition)
        for _ in 0..<8 where !town.asked.contains(where: { $0.home == scope.home }) { try await goOn() }
        town.push(approval)
        #expect(town.asked.map(\.home) == [scope.home, scope.home])
        #expect(try await answer(to: approval).refusal?.code == .tryAgain)
        #expect(town.answer(to: addition)?.refusal == nil)
        #expect(try await pending() == [town.identifiers.name(of: eve.account)])
        #expect(try await ask(approving, from: owner).refusal == nil)
        #expect(town.rights[eve.account] == [scope])
        await disk.close()
    }

    /// Neither one that holds nor one that is void.
    @Test(arguments: [true, false]) mutating func proposal_closesNobodyToOtherFriends(areFriends: Bool) async throws {
        try await add()
        #expect(try await ask(leaving, from: bob).refusal == nil)
        bob = .make(8)
        var founding = WireCreateRealm()
        founding.name = "Yard"
        guard case .realm(let made) = try await ask(.createRealm(founding), from: bob).result,
            let id = town.identifiers.identifier(named: made.id, RealmTag.self)
        else { throw BenchError("not created") }
        if !areFriends {
            relation = Relation(bob.account, eve.account)
            relation.befriend(at: town.time.wall + .seconds(1))
            town.time.advance(.seconds(2))
        }
        let yard = Scope.members(of: .realm(id))
        var body = WireAddMember()
        (body.realm, body.account) = (made.id, town.identifiers.name(of: eve.account))
        #expect(try await ask(.addMember(body), from: .make(8, scopes: [yard])).refusal == nil)
        #expect(town.rights[eve.account] == [yard])
        await disk.close()
    }

    /// One sub-realm is all that a person may be in here.
    @Test mutating func whatAMemberProposes_takesNoPlaceBeforeTheApproval() async throws {
        try await add()
        var founding = WireCreateRealm()
        founding.name = "Own"
        #expect(try await ask(.createRealm(founding), from: eve).refusal == nil)
        let refusal = try await ask(approving, from: owner).refusal
        #expect(refusal?.code == .limitReached && refusal?.details["limit"] == "1")
        #expect(town.rights[eve.account]?.contains(scope) == false)
        await disk.close()
    }

    @Test func export_saysWhoAddedThePerson() throws {
        guard case .rows(_, let read)? = RealmCandidate.table.export else { throw BenchError("no rows") }
        func held(_ state: RealmCandidate.State, by person: AccountID, _ relations: [Relation]) throws -> Set<String>? {
            let candidate = RealmCandidate(
                account: eve.account, state: state, by: person, at: town.time.wall,
                ends: town.time.lasting + .seconds(60))
            let row = Row(candidate.saving(in: RealmID(rawValue: 5)).arguments)
            let view = ExportView(of: eve.account, relations, town.identifiers, town.names)
            return try read(row, view).map { Set($0.filter { $0.value != .absent }.keys) }
        }
        let always: Set = ["realm", "at", "ends"]
        #expect(try held(.pending, by: bob.account, [relation]) == always.union(["addedBy"]))
        #expect(try held(.pending, by: bob.account, []) == nil)
        #expect(try held(.pending, by: eve.account, []) == always)
        #expect(try held(.invited, by: bob.account, []) == always.union(["invitedBy"]))
    }
}

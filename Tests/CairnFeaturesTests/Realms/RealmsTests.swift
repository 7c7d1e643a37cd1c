import CairnCore
import CairnGeo
import CairnTesting
import CairnWire
import Testing

@testable import CairnFeatures

/// Rights follow from members, and strangers reach no sub-realm (SUB-5, SUB-9). The rest is in test_realms.py and
/// test_shared.py.
@Suite("Sub-realms")
struct RealmsTests {
    private var town = TownBench()
    private let ada = Sender.make(7)

    private mutating func create(open: Bool = false, approval: Bool = false) throws -> (name: String, scope: Scope) {
        var body = WireCreateRealm()
        (body.name, body.open, body.approval) = ("Garden", open, approval)
        guard case .realm(let realm) = try town.ask(.make(.createRealm(body), id: 1, from: ada)).result,
            let id = town.identifiers.identifier(named: realm.id, RealmTag.self)
        else { throw BenchError("not created") }
        return (realm.id, .members(of: .realm(id)))
    }

    @Test mutating func nameThatTurnsTheDirectionOfWriting_isRefused() throws {
        for (id, name) in ["a\u{2067}bc\u{2069}d", "a\u{200F}b", "a\u{61C}bc", "a\u{202E}b"].enumerated() {
            var body = WireCreateRealm()
            body.name = name
            let refusal = try town.refusal(.createRealm(body), id: UInt32(id + 1), from: ada)
            #expect(refusal?.code == .invalidField && refusal?.details["field"] == "name")
        }
    }

    /// A name that was accepted once, by an earlier release, is no reason to refuse another change.
    @Test func editOfSomethingElse_doesNotAskTheNameAgain() throws {
        var facts = RealmFacts(
            id: RealmID(rawValue: 5), name: "a\u{202E}b", description: "", isOpen: false, asksApproval: false,
            owner: ada.account, version: 1, created: town.time.wall)
        let former = facts
        facts.isOpen = true
        #expect(throws: Never.self) { _ = try facts.checked(RealmSettings(), after: former) }
        facts.name += "c"
        #expect(throws: Refusal.self) { _ = try facts.checked(RealmSettings(), after: former) }
    }

    private func leaving(_ realm: String) -> WireClientMessage.OneOf_Body {
        var body = WireLeaveRealm()
        body.realm = realm
        return .leaveRealm(body)
    }

    @Test mutating func ownerHasTheRight_untilTheyLeave() throws {
        let (name, scope) = try create()
        #expect(town.rights[ada.account] == [scope])
        #expect(try town.refusal(leaving(name), id: 2, from: .make(7, scopes: [scope])) == nil)
        #expect(town.rights[ada.account] == [])
        #expect(town.kept.contains { $0.sql.text.hasPrefix("DELETE FROM realms") })
    }

    @Test mutating func strangersRequest_wakesNoSubRealm() throws {
        let (name, scope) = try create()
        guard let home = scope.home else { throw BenchError("no home") }
        let turns = town[home].kept.count
        let refusal = try town.refusal(leaving(name), id: 2, from: .make(8))
        #expect(refusal?.code == .notFound && town[home].kept.count == turns)
        let nowhere = town.identifiers.name(of: RealmID(rawValue: 12_345))
        #expect(try town.refusal(leaving(nowhere), id: 3, from: .make(8)) == refusal)
        #expect(town.homes[.realm(RealmID(rawValue: 12_345))] == nil)
    }

    /// On its own loop a member follows as soon as the right is granted, and the snapshot has the events of all turns
    /// of the commit: none of them may come behind it (SES-7).
    @Test func membersOfOneCommit_getTheirRightsBehindAllItsEvents() {
        let (identifiers, id) = (IdentifierIssuer(), RealmID(rawValue: 77))
        var home = HomeBench.make(.realm(id), disk: .later, identifiers: identifiers)
        home.open(.members(of: .realm(id)))
        var founding = WireCreateRealm()
        founding.name = "Garden"
        founding.open = true
        home.push(.make(.createRealm(founding), id: 1, from: ada))
        home.commit()
        var joining = WireJoinRealm()
        joining.realm = identifiers.name(of: id)
        for number in 8...9 { home.push(.make(.joinRealm(joining), id: UInt32(number), from: .make(UInt64(number)))) }
        let order = home.commitTogether().compactMap { action in
            switch action {
            case .broadcast: "event"
            case .changeRights: "right"
            default: String?.none
            }
        }
        #expect(order == ["event", "event", "right", "right"])
    }

    // MARK: Who waits for approval (SUB-3, SUB-9)

    /// Requests of each way about a sub-realm, with the refusal of a stranger.
    private func requests(about realm: String) -> [(body: WireClientMessage.OneOf_Body, stranger: Refusal.Code)] {
        var (listing, joining, answering) = (WireListMembers(), WireJoinRealm(), WireAnswerInvitation())
        (listing.realm, joining.realm, answering.realm, answering.accept) = (realm, realm, realm, true)
        var (adding, taking) = (WireAddMember(), WireTakeOut())
        (adding.realm, adding.account) = (realm, town.identifiers.name(of: AccountID.make(9)))
        (taking.realm, taking.cell, taking.instance) = (realm, Ground.here.cell.token, "06aa9qg015nm7")
        return [
            (.listMembers(listing), .notFound), (.joinRealm(joining), .notFound),
            (.answerInvitation(answering), .inviteNotFound), (.addMember(adding), .notFound),
            (.takeOut(taking), .notFound), (.placing(realms: [realm]), .notMember),
        ]
    }

    @Test mutating func whoWaitsForApproval_isToldSo_andAStrangerNothing() async throws {
        let (name, scope) = try create(open: true, approval: true)
        var (joining, closing) = (WireJoinRealm(), WireEditRealm())
        (joining.realm, closing.realm, closing.open) = (name, name, false)
        guard case .realm(let realm) = try town.ask(.make(.joinRealm(joining), id: 2, from: .make(8))).result else {
            throw BenchError("not joined")
        }
        #expect(realm.standing == "pending")
        // In the list of open ones it would answer a stranger.
        _ = try town.ask(.make(.editRealm(closing), id: 3, from: .make(7, scopes: [scope])))
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        let nowhere = town.identifiers.name(of: RealmID(rawValue: 12_345))
        var id: UInt32 = 10
        for (here, there) in zip(requests(about: name), requests(about: nowhere)) {
            let waiting = try await ask(.make(here.body, id: id, from: .make(8)), disk).refusal
            let stranger = try await ask(.make(here.body, id: id + 1, from: .make(10)), disk).refusal
            let absent = try await ask(.make(there.body, id: id + 2, from: .make(10)), disk).refusal
            #expect(waiting?.code == .joinPending, "\(here.body)")
            #expect(stranger?.code == here.stranger && stranger == absent, "\(here.body)")
            id += 3
        }
        // Who waits may stop waiting.
        let stranger = try await ask(.make(leaving(name), id: id, from: .make(10)), disk).refusal
        let absent = try await ask(.make(leaving(nowhere), id: id + 1, from: .make(10)), disk).refusal
        #expect(stranger?.code == .notFound && stranger == absent)
        #expect(try await ask(.make(leaving(name), id: id + 2, from: .make(8)), disk).refusal == nil)
        await disk.close()
    }

    // MARK: Actions on what is shared (VIS-7, SUB-13)

    /// Asks, with the disk answering the first queries, but for those about two people.
    private mutating func ask(_ request: Request, _ disk: TemporaryStore) async throws -> Answer {
        town.push(request)
        var answers: [Query: [Row]] = [:]
        for query in town.asked.flatMap({ $0.queries }) where query.sql.text.contains("realm") {
            answers[query] = try await disk.read(query)[0]
        }
        let known = answers
        town.store = { known[$0] ?? [] }
        town.runUntilIdle()
        return try #require(town.answer(to: request))
    }

    /// The actions that a person is told of.
    private mutating func actions(
        _ id: UInt32, on instance: WireInstance, of person: Sender, _ disk: TemporaryStore
    ) async throws -> [String] {
        let answer = try await ask(.make(.selecting(instance), id: id, from: person), disk)
        guard case .selected(let selected) = try answer.result else { throw BenchError("not selected") }
        return selected.actions
    }

    @Test mutating func ownersActions_nameTakeOut_onWhatAnotherHasShared() async throws {
        let (name, scope) = try create()
        let (owner, placer) = (Sender.make(7, scopes: [scope]), Sender.make(8, scopes: [scope]))
        let placing = Request.make(.placing(realms: [name]), id: 2, from: placer)
        guard case .placed(let placed) = try town.ask(placing).result else {
            throw BenchError("not placed")
        }
        let everyones = try town.place(3, by: placer)
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        #expect(try await actions(10, on: placed.instance, of: owner, disk) == ["react", "take_out"])
        #expect(try await actions(11, on: placed.instance, of: .make(9, scopes: [scope]), disk) == ["react"])
        #expect(try await actions(12, on: placed.instance, of: placer, disk) == ["react", "edit", "remove"])
        #expect(try await actions(13, on: everyones, of: owner, disk) == ["react"])
        await disk.close()
    }

    /// A right that was taken away while the request was under way does not help.
    @Test mutating func formerMembersRequest_isRefusedByTheSubRealm() throws {
        let (name, scope) = try create()
        #expect(try town.refusal(leaving(name), id: 2, from: .make(8, scopes: [scope]))?.code == .notFound)
    }
}

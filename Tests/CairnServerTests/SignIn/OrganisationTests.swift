import CairnConfiguration
import CairnCore
import CairnStore
import CairnTesting
import CairnWire
import Logging
import Testing

@testable import CairnRoot
@testable import CairnServer

/// Requests, organisations and members on a real store (ORG-1 to ORG-3, ROL-3).
@Suite("Organisations")
struct OrganisationTests {
    private let world: TemporaryStore
    private let signIn: SignIn

    init() async throws {
        world = try await TemporaryStore.open(migrations: StorageTools.migrations())
        signIn = try await Self.signIn(on: world)
    }

    /// As a process that starts on the store has it.
    private static func signIn(
        on world: TemporaryStore, identifiers: IdentifierIssuer = IdentifierIssuer(), membersMax: Int = 200
    ) async throws -> SignIn {
        var configuration = Configuration()
        configuration.accounts.organisationMembersMax = membersMax
        return SignIn(
            store: world.store, suspensions: try await Suspensions(store: world.store),
            organisations: try await Organisations(store: world.store, names: NameDirectory()),
            identifiers: identifiers,
            names: NameDirectory(), clock: ServerClock(), configuration: configuration, proofs: SignIn.Proofs(),
            help: Help(), services: .forTests(world.store),
            logger: Logger(label: "organisations") { _ in SwiftLogNoOpLogHandler() })
    }

    // MARK: Asking (ORG-1)

    @Test func request_isKeptUntilItIsDecided() async throws {
        let ada = try await account(1)
        try await ask(ada)
        let open = try await signIn.openRequests(after: nil, countMax: 10)
        #expect(open.map(\.account) == [ada] && open[0].justification == "We have walls" && open[0].state == .open)
        #expect(signIn.organisations.figures.openRequests == 1)
        await world.close()
    }

    @Test func secondRequest_isPending() async throws {
        let ada = try await account(1)
        try await ask(ada)
        #expect(await refusal { try await ask(ada, "Another") }?.code == .requestPending)
        try await signIn.withdrawRequest(of: ada)
        try await ask(ada, "Another")
        await world.close()
    }

    @Test(arguments: [Role.organisation, .admin]) func otherRoles_areForbiddenToAsk(role: Role) async throws {
        let ada = try await account(1, role: role)
        let refused = await refusal { try await ask(ada) }
        #expect(refused?.code == .forbidden && refused?.details["role"] == "general")
        await world.close()
    }

    @Test func requests_areLimited() async throws {
        let ada = try await account(1)
        for _ in 1...10 {
            try await ask(ada)
            try await signIn.withdrawRequest(of: ada)
        }
        #expect(await refusal { try await ask(ada) }?.code == .rateLimited)
        await world.close()
    }

    @Test func withdrawing_withoutARequest_isRefused() async throws {
        let ada = try await account(1)
        #expect(await refusal { try await signIn.withdrawRequest(of: ada) }?.code == .requestNotFound)
        await world.close()
    }

    // MARK: Deciding (ORG-2, ORG-3)

    @Test func accepting_makesTheOrganisationAndItsUser_inOneUnit() async throws {
        let ada = try await account(1)
        let id = try await ask(ada)
        let (decision, _) = try await accept(id)
        #expect(try await role(of: ada) == .organisation)
        let organisation = try #require(signIn.organisations.organisation(of: ada))
        #expect(organisation.name.text == "The Museum" && decision.organisation == organisation.id)
        #expect(try await signIn.openRequests(after: nil, countMax: 10).isEmpty)
        #expect(signIn.organisations.figures.openRequests == 0)
        let entry = try #require(try await signIn.audit(of: ada, countMax: 1).first)
        #expect(entry.action == .organisationAccept && entry.from == .general && entry.to == .organisation)
        #expect(entry.organisation == organisation.id && entry.author == .operator(1))
        #expect(try await notified(ada) == [.organisationAccepted])
        await world.close()
    }

    @Test func secondAdmin_learnsThatItIsResolved() async throws {
        let ada = try await account(1)
        let id = try await ask(ada)
        _ = try await signIn.deny(id, by: .operator(1), because: "no", on: [])
        #expect(await refusal { _ = try await accept(id) }?.code == .alreadyResolved)
        let second = await refusal { _ = try await signIn.deny(id, by: .operator(2), because: "no", on: []) }
        #expect(second?.code == .alreadyResolved)
        #expect(await refusal { _ = try await accept(OrganisationRequestID(rawValue: 4)) }?.code == .notFound)
        #expect(try await signIn.audit(of: nil, countMax: 10).count == 1)
        await world.close()
    }

    /// However many decide at the same time, one decides.
    @Test func decisionsAtTheSameTime_leaveOne() async throws {
        let ada = try await account(1)
        let id = try await ask(ada)
        let signIn = signIn
        let decided = await withTaskGroup(of: Bool.self) { group in
            for number in 1...8 as ClosedRange<UInt64> {
                group.addTask {
                    do {
                        if number.isMultiple(of: 2) {
                            _ = try await signIn.accept(
                                id, into: nil, by: .operator(number), because: "", on: [])
                        } else {
                            _ = try await signIn.deny(id, by: .operator(number), because: "no", on: [])
                        }
                        return true
                    } catch { return false }
                }
            }
            return await group.reduce(0) { $1 ? $0 + 1 : $0 }
        }
        #expect(decided == 1)
        #expect(try await signIn.audit(of: nil, countMax: 10).count == 1)
        #expect(try await notified(ada).count == 1)
        #expect((try await role(of: ada) == .organisation) == (signIn.organisations.membership(of: ada) != nil))
        await world.close()
    }

    @Test func denying_notifiesWithTheReason_andAllowsANewRequest() async throws {
        let ada = try await account(1)
        let id = try await ask(ada)
        _ = try await signIn.deny(id, by: .operator(1), because: "Nobody knows you", on: [])
        #expect(try await notified(ada) == [.organisationDenied])
        let denied = try await signIn.organisationRequest(id)
        #expect(denied.state == .denied && denied.reason == "Nobody knows you" && denied.justification.isEmpty)
        #expect(try await role(of: ada) == .general)
        try await ask(ada)
        await world.close()
    }

    @Test func severalUsers_belongToOneOrganisation() async throws {
        let (ada, bob) = (try await account(1), try await account(2))
        _ = try await accept(try await ask(ada, "The Museum"))
        _ = try await accept(try await ask(bob, "  the   MUSEUM "))
        let organisations = signIn.organisations
        #expect(organisations.organisation(of: ada)?.id == organisations.organisation(of: bob)?.id)
        #expect(organisations.all().count == 1)
        await world.close()
    }

    @Test(arguments: ["The-Museum", "TheMuseum", "The Museurn", "The Mus\u{0435}um"])
    func lookAlike_isForbidden_unlessTheAdminNamesTheOrganisation(name: String) async throws {
        let (ada, bob) = (try await account(1), try await account(2))
        _ = try await accept(try await ask(ada, "The Museum"))
        let known = try #require(signIn.organisations.organisation(of: ada))
        let id = try await ask(bob, name)
        let refused = await refusal { _ = try await accept(id) }
        #expect(refused?.code == .forbidden && refused?.details["reason"] == "looks_alike")
        #expect(refused?.details["organisation"] == signIn.identifiers.name(of: known.id))
        _ = try await signIn.accept(id, into: known.id, by: .operator(1), because: "", on: [])
        #expect(signIn.organisations.organisation(of: bob)?.id == known.id)
        await world.close()
    }

    @Test func fullOrganisation_takesNobody() async throws {
        let (ada, bob) = (try await account(1), try await account(2))
        let signIn = try await Self.signIn(on: world, membersMax: 1)
        for (person, name) in [(ada, "Walls"), (bob, "Walls")] {
            try await signIn.ask(for: OrganisationName(new: name), because: "x", user(person))
        }
        let open = try await signIn.openRequests(after: nil, countMax: 10)
        _ = try await signIn.accept(open[0].id, into: nil, by: .operator(1), because: "", on: [])
        let refused = await refusal {
            _ = try await signIn.accept(open[1].id, into: nil, by: .operator(1), because: "", on: [])
        }
        #expect(refused?.code == .limitReached && refused?.details == ["limit": "1"])
        await world.close()
    }

    @Test func requestOfSomebodyWhoBecomesAdmin_isVoid() async throws {
        let ada = try await account(1)
        let id = try await ask(ada)
        _ = try await signIn.setRole(.admin, by: AccountOrder(ada, by: .operator(1), because: ""), on: [])
        #expect(try await signIn.organisationRequest(id).state == .withdrawn)
        #expect(await refusal { _ = try await accept(id) }?.code == .alreadyResolved)
        #expect(try await role(of: ada) == .admin)
        await world.close()
    }

    @Test func formerAdmin_decidesNothing() async throws {
        let (ada, former) = (try await account(1), try await account(2, role: .admin))
        _ = try await account(3, role: .admin)
        let id = try await ask(ada)
        _ = try await signIn.setRole(.general, by: AccountOrder(former, by: .operator(1), because: ""), on: [])
        let refused = await refusal {
            _ = try await signIn.accept(id, into: nil, by: .admin(former), because: "", on: [])
        }
        #expect(refused?.code == .forbidden && refused?.details["role"] == "admin")
        await world.close()
    }

    // MARK: Members (ROL-3)

    @Test func memberWhoLeaves_isAGeneralUser_andTheOrganisationStays() async throws {
        let ada = try await account(1)
        _ = try await accept(try await ask(ada))
        try await signIn.leaveOrganisation(ada, on: [])
        #expect(try await role(of: ada) == .general)
        #expect(signIn.organisations.membership(of: ada) == nil && signIn.organisations.all().count == 1)
        #expect(await refusal { try await signIn.leaveOrganisation(ada, on: []) }?.code == .notMember)
        let entry = try #require(try await signIn.audit(of: ada, countMax: 1).first)
        #expect(entry.action == .organisationLeave && entry.author == .member(ada))
        await world.close()
    }

    @Test func member_isRemovedWhenTwoOthersWantIt() async throws {
        let people = try await members(3)
        #expect(try await !signIn.removeMember(people[2], by: people[0], on: []))
        #expect(try await !signIn.removeMember(people[2], by: people[0], on: []), "said twice by one")
        #expect(try await role(of: people[2]) == .organisation)
        #expect(try await notified(people[1]).contains(.organisationRemovalAsked))
        #expect(try await signIn.removeMember(people[2], by: people[1], on: []))
        #expect(try await role(of: people[2]) == .general)
        #expect(try await notified(people[2]).contains(.organisationRemoved))
        await world.close()
    }

    @Test func wishOfAMemberWhoHasLeft_isVoid() async throws {
        let people = try await members(3)
        _ = try await signIn.removeMember(people[2], by: people[0], on: [])
        try await signIn.leaveOrganisation(people[0], on: [])
        #expect(try await !signIn.removeMember(people[2], by: people[1], on: []))
        await world.close()
    }

    @Test func outsiders_removeNobody() async throws {
        let people = try await members(2)
        let (eve, bob) = (try await account(10), try await account(11))
        _ = try await accept(try await ask(bob, "Another house"))
        for (person, other) in [(eve, people[0]), (bob, people[0]), (people[0], bob), (people[0], people[0])] {
            #expect(await refusal { _ = try await signIn.removeMember(other, by: person, on: []) }?.code == .notMember)
        }
        await world.close()
    }

    @Test func otherRole_endsTheMembership() async throws {
        let people = try await members(2)
        _ = try await signIn.setRole(.general, by: AccountOrder(people[0], by: .operator(1), because: "x"), on: [])
        _ = try await signIn.setRole(.admin, by: AccountOrder(people[1], by: .operator(1), because: "x"), on: [])
        #expect(signIn.organisations.figures.members == 0)
        #expect(try await notified(people[0]).contains(.organisationRemoved))
        await world.close()
    }

    @Test func anotherOrganisation_takesThePlaceOfTheOldOne() async throws {
        let people = try await members(1)
        let order = try AccountOrder(people[0], by: .operator(1), because: "x")
        _ = try await signIn.setOrganisation(OrganisationName(new: "Gardens"), by: order, on: [])
        #expect(signIn.organisations.organisation(of: people[0])?.name.text == "Gardens")
        #expect(signIn.organisations.figures.members == 1)
        let count = try await signIn.audit(of: nil, countMax: 10).count
        _ = try await signIn.setOrganisation(OrganisationName(new: "gardens"), by: order, on: [])
        #expect(try await signIn.audit(of: nil, countMax: 10).count == count, "it belongs to it already")
        await world.close()
    }

    @Test func lastAdmin_joinsNoOrganisation() async throws {
        let root = try await account(1, role: .admin)
        let refused = await refusal {
            _ = try await signIn.setOrganisation(
                OrganisationName(new: "Gardens"), by: AccountOrder(root, by: .operator(1), because: ""), on: [])
        }
        #expect(refused?.details["reason"] == "last_admin")
        await world.close()
    }

    // MARK: Suspension

    @Test func suspendedOrganisation_tellsItsMembersAndTakesNobody() async throws {
        let people = try await members(2)
        let id = try #require(signIn.organisations.organisation(of: people[0])?.id)
        _ = try await signIn.suspend(id, by: .operator(1), because: "Private gardens", on: [])
        #expect(signIn.organisations[id]?.suspension?.reason == "Private gardens")
        #expect(try await notified(people[1]).contains(.organisationSuspended))
        let eve = try await account(20)
        let request = try await ask(eve, "The Museum")
        #expect(await refusal { _ = try await accept(request) }?.details["reason"] == "organisation_suspended")
        _ = try await signIn.reinstate(id, by: .operator(1), because: "", on: [])
        let again = await refusal { _ = try await signIn.reinstate(id, by: .operator(1), because: "", on: []) }
        #expect(again?.code == .notFound)
        _ = try await accept(request)
        let entries = try await signIn.audit(of: nil, countMax: 3)
        #expect(entries.map(\.action) == [.organisationAccept, .organisationReinstate, .organisationSuspend])
        #expect(entries[1].account == nil && entries[1].organisation == id)
        await world.close()
    }

    // MARK: Starting again

    @Test func nextProcess_knowsWhatIsOnDisk() async throws {
        let people = try await members(2)
        let eve = try await account(30)
        try await ask(eve, "Gardens")
        let id = try #require(signIn.organisations.organisation(of: people[0])?.id)
        _ = try await signIn.suspend(id, by: .operator(1), because: "x", on: [])
        let again = try await Organisations(store: world.store, names: NameDirectory())
        #expect(again.members(of: id).map(\.account) == people && again[id] == signIn.organisations[id])
        #expect(again.figures.openRequests == 1 && again.figures.members == 2 && again.figures.organisations == 1)
        await world.close()
    }

    @Test func decidedRequests_areDeletedWhenTheirTimeIsOver_andOpenOnesStay() async throws {
        let (ada, bob) = (try await account(1), try await account(2))
        let denied = try await ask(ada)
        _ = try await signIn.deny(denied, by: .operator(1), because: "no", on: [])
        let open = try await ask(bob)
        let expiries = OrganisationRequestRecord.expiries(before: signIn.clock.lasting + .seconds(1))
        try await world.commit(expiries.map { $0.deletion(rowsMax: 10) })
        #expect(await refusal { _ = try await signIn.organisationRequest(denied) }?.code == .notFound)
        #expect(try await signIn.organisationRequest(open).state == .open)
        await world.close()
    }

    // MARK: Making

    private func account(_ number: UInt64, role: Role = .general) async throws -> AccountID {
        let id = AccountID(rawValue: number)
        var record = AccountRecord(id: id, name: "user\(number)", foldedName: "user\(number)", now: 1)
        record.role = role
        try await world.commit([record.insertion, CredentialsRecord(account: id).insertion])
        return id
    }

    private func user(_ account: AccountID) -> Applicant.User {
        Applicant.User(
            participant: .make(), account: account, name: "", token: TokenName(of: ""), storedPrint: .null)
    }

    @discardableResult
    private func ask(_ account: AccountID, _ name: String = "The Museum") async throws -> OrganisationRequestID {
        try await signIn.ask(for: OrganisationName(new: name), because: "We have walls", user(account))
        let row = try #require(try await world.read(OrganisationRequestRecord.query(openOf: account))[0].first)
        return try OrganisationRequestRecord(row).id
    }

    private func accept(
        _ request: OrganisationRequestID
    ) async throws -> (decision: OrganisationDecision, connections: Int) {
        try await signIn.accept(request, into: nil, by: .operator(1), because: "", on: [])
    }

    /// So many people of one organisation, the longest-standing first.
    private func members(_ count: Int) async throws -> [AccountID] {
        var people: [AccountID] = []
        for number in 1...count {
            people.append(try await account(UInt64(number)))
            _ = try await accept(try await ask(people[number - 1]))
        }
        return people
    }

    private func role(of id: AccountID) async throws -> Role {
        try AccountRecord(try #require(try await world.read(AccountRecord.query(id))[0].first)).role
    }

    private func notified(_ account: AccountID) async throws -> [NotificationKind] {
        var damage: [DamagedRow] = []
        let rows = try await world.read(StoredNotification.query(of: account, after: 0, countMax: 100))[0]
        return StoredNotification.notifications(in: rows, into: &damage).map(\.notification.kind)
    }

    private func refusal(of work: () async throws -> Void) async -> Refusal? {
        do {
            try await work()
            return nil
        } catch { return error as? Refusal }
    }
}

import CairnConfiguration
import CairnCore
import CairnStore
import CairnTesting
import CairnWire
import Logging
import Testing

@testable import CairnRoot
@testable import CairnServer

/// Roles and the audit log on a real store (ROL-1, ROL-5).
@Suite("Roles")
struct RoleTests {
    private let world: TemporaryStore
    private let signIn: SignIn
    private static let logger = Logger(label: "roles") { _ in SwiftLogNoOpLogHandler() }

    init() async throws {
        world = try await TemporaryStore.open(migrations: StorageTools.migrations())
        signIn = SignIn(
            store: world.store, suspensions: try await Suspensions(store: world.store),
            organisations: try await Organisations(store: world.store, names: NameDirectory()),
            identifiers: IdentifierIssuer(),
            names: NameDirectory(), clock: ServerClock(), configuration: Configuration(), proofs: SignIn.Proofs(),
            help: Help(), services: .forTests(world.store), logger: Self.logger)
    }

    /// An account with a password.
    private func account(_ number: UInt64, role: Role = .general) async throws -> AccountID {
        let id = AccountID(rawValue: number)
        var record = AccountRecord(id: id, name: "user\(number)", foldedName: "user\(number)", now: 1)
        record.role = role
        try await world.commit([record.insertion, CredentialsRecord(account: id).insertion])
        return id
    }

    private func order(_ account: AccountID, by author: AccountAuthor = .operator(1)) throws -> AccountOrder {
        try AccountOrder(account, by: author, because: "a reason")
    }

    private func role(of id: AccountID) async throws -> Role {
        try AccountRecord(try #require(try await world.read(AccountRecord.query(id))[0].first)).role
    }

    private func credentials(of id: AccountID) async throws -> CredentialsRecord {
        try CredentialsRecord(try #require(try await world.read(CredentialsRecord.query(id))[0].first))
    }

    private func refusal(of work: () async throws -> Void) async -> Refusal? {
        do {
            try await work()
            return nil
        } catch {
            return error as? Refusal
        }
    }

    @Test func newAccount_isGeneral() {
        #expect(AccountRecord(id: AccountID(rawValue: 1), name: "a", foldedName: "a", now: 1).role == .general)
    }

    @Test func roles_areReadAsTheyWereWritten() async throws {
        for (number, role) in [Role.general, .organisation, .admin].enumerated() {
            let id = try await account(UInt64(number + 1), role: role)
            #expect(try await self.role(of: id) == role)
        }
        await world.close()
    }

    @Test(arguments: ["guest", "", "Admin", "admin "]) func roleTextThatIsUnknown_isDamage(text: String) async throws {
        let id = try await account(1)
        try await world.commit([Statement("UPDATE accounts SET role = ? WHERE id = 1", .text(text))])
        let row = try #require(try await world.read(AccountRecord.query(id))[0].first)
        #expect(throws: DamagedRow.self) { try AccountRecord(row) }
        await world.close()
    }

    @Test func change_isWrittenWithItsEntry() async throws {
        let id = try await account(1)
        #expect(try await signIn.setRole(.admin, by: order(id), on: []) == 0)
        #expect(try await role(of: id) == .admin)
        let entry = try #require(try await signIn.audit(of: id, countMax: 10).first)
        #expect(entry.author == .operator(1) && entry.action == .role && entry.reason == "a reason")
        #expect(entry.from == .general && entry.to == .admin)
        await world.close()
    }

    @Test func sameRole_changesNothing() async throws {
        let id = try await account(1)
        #expect(try await signIn.setRole(.general, by: order(id), on: []) == 0)
        #expect(try await signIn.audit(of: nil, countMax: 10).isEmpty)
        await world.close()
    }

    @Test func lastAdmin_keepsItsRoleAndIsNotSuspended() async throws {
        let id = try await account(1, role: .admin)
        let last = await refusal { _ = try await signIn.setRole(.general, by: order(id), on: []) }
        #expect(last?.code == .forbidden && last?.details["reason"] == "last_admin")
        #expect(await refusal { _ = try await signIn.suspend(by: order(id), on: []) }?.code == .forbidden)
        #expect(try await signIn.audit(of: nil, countMax: 10).isEmpty)
        await world.close()
    }

    /// However many change at the same time, one admin remains.
    @Test func adminsWhoEndEachOther_leaveOne() async throws {
        var admins: [AccountID] = []
        for number in 1...8 { admins.append(try await account(UInt64(number), role: .admin)) }
        let signIn = signIn
        await withTaskGroup(of: Void.self) { group in
            for (index, id) in admins.enumerated() {
                let other = admins[(index + 1) % admins.count]
                group.addTask {
                    _ = try? await signIn.setRole(
                        .general, by: AccountOrder(other, by: .admin(id), because: ""), on: [])
                    _ = try? await signIn.suspend(by: AccountOrder(id, by: .admin(other), because: ""), on: [])
                }
            }
        }
        let active = try await world.read(AccountRecord.query(ofAdminsExcept: AccountID(rawValue: 0), rowsMax: 10))[0]
        #expect(active.count >= 1)
        await world.close()
    }

    @Test func adminWhoIsNoLonger_changesNothing() async throws {
        let (id, former) = (try await account(1), try await account(2, role: .admin))
        _ = try await account(3, role: .admin)
        _ = try await signIn.setRole(.general, by: order(former), on: [])
        let refused = await refusal {
            _ = try await signIn.setRole(.admin, by: order(id, by: .admin(former)), on: [])
        }
        #expect(refused?.code == .forbidden && refused?.details["role"] == "admin")
        #expect(try await role(of: id) == .general)
        await world.close()
    }

    @Test func reasonBeyondTheBound_isRefused() {
        let id = AccountID(rawValue: 1), text = String(repeating: "x", count: AccountOrder.reasonCharactersMax)
        #expect(throws: Never.self) { try AccountOrder(id, by: .operator(1), because: text) }
        #expect(throws: Refusal.self) { try AccountOrder(id, by: .operator(1), because: text + "x") }
    }

    @Test func entries_areDeletedWhenTheirTimeIsOver() async throws {
        let id = try await account(1)
        let two = Duration.seconds(2 * 365 * 86_400)
        for (number, at) in [LastingTime.epoch, .epoch + two].enumerated() {
            let entry = AuditRecord(
                id: AuditID(rawValue: UInt64(number + 1)), account: id, author: .admin(id), action: .signOut,
                from: .general, to: .general, reason: "", at: 1)
            try await world.commit([entry.insertion(at: at)])
        }
        let expiries = AuditRecord.expiries(before: .epoch + .seconds(1))
        try await world.commit(expiries.map { $0.deletion(rowsMax: 10) })
        #expect(try await signIn.audit(of: nil, countMax: 10).map(\.id.rawValue) == [2])
        await world.close()
    }

    @Test func entryThatWasAltered_isDamage() async throws {
        let id = try await account(1)
        _ = try await account(2, role: .admin)
        _ = try await signIn.setRole(.admin, by: order(id), on: [])
        try await world.commit([Statement("UPDATE audit SET account = 2")])
        #expect(try await signIn.audit(of: nil, countMax: 10).isEmpty)
        await world.close()
    }

    @Test func emailThatNobodyProved_findsNoAccount() async throws {
        let id = try await account(1)
        let address = try #require(EmailAddress("boss@example.org"))
        var credentials = try await credentials(of: id)
        credentials.email = CredentialsRecord.Email(address: address, since: 1, verified: nil)
        try await world.commit([credentials.update])
        #expect(try await signIn.account(named: "boss@example.org") == nil)
        credentials = try await self.credentials(of: id)
        credentials.email = CredentialsRecord.Email(address: address, since: 1, verified: 2)
        try await world.commit([credentials.update])
        #expect(try await signIn.account(named: "Boss@example.org") == id)
        #expect(try await signIn.account(named: "user1") == id)
        await world.close()
    }

    // MARK: Suspensions

    private func record(of id: AccountID) async throws -> AccountRecord {
        try AccountRecord(try #require(try await world.read(AccountRecord.query(id))[0].first))
    }

    @Test func suspension_isNotedInTheAccountsOwnRow_andReinstatingTakesBothAway() async throws {
        let id = try await account(1)
        _ = try await signIn.suspend(by: order(id), on: [])
        #expect(try await record(of: id).suspended == signIn.suspensions[id]?.at)
        // Another change of the account, and another reason, keep it.
        _ = try await signIn.signOut(by: order(id), on: [])
        _ = try await signIn.suspend(by: order(id), on: [])
        #expect(try await record(of: id).suspended == signIn.suspensions[id]?.at)
        try await signIn.reinstate(by: order(id), on: [])
        #expect(try await record(of: id).suspended == nil)
        #expect(try await Suspensions(store: world.store).all.isEmpty)
        await world.close()
    }

    @Test func suspensionWhoseRowIsGone_standsByTheNote() async throws {
        let id = try await account(1)
        _ = try await signIn.suspend(by: order(id), on: [])
        try await world.commit([Statement("DELETE FROM suspensions")])
        let found = try await Suspensions(store: world.store)
        #expect(found.all.isEmpty)
        #expect(try await !found.reconcile(record(of: id), in: world.store))
        #expect(try await found[id] == Suspensions.Suspension(reason: "", at: #require(record(of: id).suspended)))
        // Nobody waits for it to be on disk; what is committed after it is there later.
        try await world.commit([Statement("DELETE FROM tokens")])
        #expect(try await Suspensions(store: world.store)[id] != nil)
        await world.close()
    }

    @Test func suspensionWithAnEnd_isOverByItself_andItsRowsGoWithAnEntry() async throws {
        let id = try await account(1)
        let now = ServerClock().now
        _ = try await signIn.suspend(by: order(id), until: now + .seconds(3_600), on: [])
        #expect(signIn.suspensions[id] != nil && signIn.suspensions.over.isEmpty)
        #expect(try await Suspensions(store: world.store)[id] != nil, "its end is on disk")
        let refusal = try #require(signIn.suspensions.refusal(of: id))
        let shown = try #require(refusal.details["until"].flatMap { Int64($0) })
        #expect(abs(shown - (now + .seconds(3_600)).milliseconds) < 60_000)
        _ = try await signIn.suspend(by: order(id), until: now - .seconds(1), on: [])
        #expect(signIn.suspensions[id] == nil && signIn.suspensions.all.isEmpty)
        #expect(signIn.suspensions.refusal(of: id) == nil && signIn.suspensions.over == [id])
        // One that is over and still noted is none whose row is gone.
        let found = try await Suspensions(store: world.store)
        #expect(try await found.reconcile(record(of: id), in: world.store))
        #expect(found[id] == nil)
        await signIn.endSuspensions(on: [])
        #expect(try await record(of: id).suspended == nil)
        #expect(try await Suspensions(store: world.store).over.isEmpty)
        let entry = try #require(try await signIn.audit(of: id, countMax: 1).first)
        #expect(entry.action == .reinstate && entry.author == .server)
        await world.close()
    }

    @Test func endsOfSuspensions_areDelayedByTheDoubtAboutTheClock() async throws {
        let id = try await account(1)
        let now = ServerClock().now
        _ = try await signIn.suspend(by: order(id), until: now - .seconds(3_600), on: [])
        // The server comes back after five days, or its clock is five days ahead.
        let left = FollowedTime.Mark(lasting: (now - .seconds(5 * 86_400)).milliseconds)
        let found = try await Suspensions(store: world.store, clock: ServerClock(mark: left))
        #expect(found[id] != nil && found.all.count == 1 && found.over.isEmpty)
        // Whom it keeps out is told no end that has passed: without another jump of the clock the doubt lasts a day.
        let refusal = try #require(found.refusal(of: id))
        let shown = try #require(refusal.details["until"].flatMap { Int64($0) })
        #expect(((now + .seconds(3_600)).milliseconds...(now + .seconds(90_000)).milliseconds).contains(shown))
        await world.close()
    }

    @Test func adminWhoseSuspensionIsOver_actsAtOnce() async throws {
        let (first, second, third) = (try await account(1), try await account(2), try await account(3))
        for id in [first, second] { _ = try await signIn.setRole(.admin, by: order(id), on: []) }
        _ = try await signIn.suspend(by: order(first), until: ServerClock().now - .seconds(1), on: [])
        let byFirst = try AccountOrder(third, by: .admin(first), because: "")
        _ = try await signIn.setRole(.admin, by: byFirst, on: [])
        #expect(try await record(of: third).role == .admin)
        #expect(try await record(of: first).suspended == nil)
        await world.close()
    }

    @Test func suspensionFromBeforeTheNotes_isNotedAtTheStart() async throws {
        let id = try await account(1)
        let suspension = Suspensions.Suspension(reason: "spam", at: 5)
        try await world.commit([Suspensions.insertion(suspension, of: id)])
        let found = try await Suspensions(store: world.store)
        #expect(try await found.reconcile(record(of: id), in: world.store))
        try await world.commit([Statement("DELETE FROM tokens")])
        #expect(try await record(of: id).suspended == 5)
        #expect(found[id] == suspension)
        await world.close()
    }

    @Test(arguments: [0, 1, 2, 5]) func noteOfASuspension_isToldFromRevokedTokens(count: Int) async throws {
        let id = try await account(1)
        var account = try await record(of: id)
        for number in 0..<count {
            let print = try #require(SignIn.print(of: "token \(number)"))
            try await world.commit([TokenRecord.insertion(print, account: id, at: .epoch, nil)])
            let row = try #require(try await world.read(TokenRecord.query(print))[0].first)
            _ = account.revoke(try TokenRecord(row), among: [], at: .epoch, tokenDays: 1)
        }
        try await world.commit([account.update])
        account = try await record(of: id)
        #expect(account.suspended == nil)
        account.suspended = 7
        try await world.commit([account.update])
        #expect(try await record(of: id).suspended == 7)
        await world.close()
    }
}

import CairnConfiguration
import CairnCore
import CairnNames
import CairnStore
import CairnTesting
import CairnWire
import Logging
import Testing

@testable import CairnRoot
@testable import CairnServer

/// Whose account a name is, on a real store: accounts of now, and of worlds of before (ACC-1, ACC-5).
@Suite("Names of accounts")
struct NameTests {
    private let world: TemporaryStore
    private let signIn: SignIn
    private static let logger = Logger(label: "names") { _ in SwiftLogNoOpLogHandler() }

    init() async throws {
        world = try await TemporaryStore.open(migrations: StorageTools.migrations())
        signIn = SignIn(
            store: world.store, suspensions: try await Suspensions(store: world.store),
            organisations: try await Organisations(store: world.store, names: NameDirectory()),
            identifiers: IdentifierIssuer(), names: NameDirectory(), clock: ServerClock(),
            configuration: Configuration(), proofs: SignIn.Proofs(), help: Help(), services: .forTests(world.store),
            logger: Self.logger)
    }

    /// The account that a name is given, or the code of its refusal.
    private func outcome(_ name: String) async throws -> String {
        switch try await signIn.open(name) {
        case .signedIn(let account): "\(account.account.rawValue)"
        case .guest: "guest"
        case .refused(let refusal): refusal.code.rawValue
        }
    }

    /// Accounts as a server of before has left them: found by small letters alone.
    private func keep(_ names: [String]) async throws {
        for (number, name) in names.enumerated() {
            let id = AccountID(rawValue: UInt64(number + 1))
            let record = AccountRecord(id: id, name: name, foldedName: name.lowercased(), now: 1)
            try await world.commit([record.insertion])
        }
    }

    private func refresh() async throws {
        try await SkeletonRecord.refresh(in: world.store, logger: Self.logger)
    }

    private func skeletonCount() async throws -> Int {
        try await world.read(Query("SELECT DISTINCT account FROM name_skeletons"))[0].count
    }

    @Test func accountsOfBefore_thatLookAlike_bothKeepTheirNames() async throws {
        try await keep(["paypal", "p\u{0430}ypal", "Adam", "Ad\u{0430}m"])
        try await refresh()
        for (number, name) in ["paypal", "p\u{0430}ypal", "ADAM", "Ad\u{0430}m"].enumerated() {
            #expect(try await outcome(name) == "\(number + 1)")
        }
        #expect(try await outcome("PaypaI") == "username_taken")
        await world.close()
    }

    /// Names that no new account could have: a ligature, a letter that is not drawn, a Roman numeral.
    @Test func accountsOfBefore_areFound_underNamesThatNowAreRefused() async throws {
        let names = ["\u{FB01}rst", "Ada\u{3164}", "henry\u{2163}", "Zoe\u{0308}", "ΟΔΥΣΣΕΥΣ"]
        try await keep(names)
        try await refresh()
        for (number, name) in names.enumerated() { #expect(try await outcome(name) == "\(number + 1)") }
        #expect(try await outcome("Zo\u{EB}") == "4", "the same name, in one letter")
        #expect(try await outcome("first") == "username_taken")
        await world.close()
    }

    /// Keyboards add a blank behind a word that they complete.
    @Test func nameWithBlanksAround_isTheNameWithoutThem() async throws {
        try await keep(["Ada"])
        try await refresh()
        for name in ["Ada ", " ada", "\u{200E}Ada\n"] { #expect(try await outcome(name) == "1") }
        guard case .signedIn(let bob) = try await signIn.open("Bob ") else { throw BenchError("not signed in") }
        #expect(bob.name == "Bob")
        for name in [" ", "A da", "\u{200B} "] { #expect(try await outcome(name) == "invalid_username") }
        await world.close()
    }

    @Test(arguments: ["\u{674E}\u{5A1C}", "\u{0930}\u{093E}\u{092E}", "\u{0645}\u{06CC}\u{200C}\u{062E}"])
    func nameOfTwoSyllablesOrWords_andOneWithAJoinerInItsPlace_areTaken(name: String) async throws {
        #expect(Int(try await outcome(name)) != nil)
        await world.close()
    }

    @Test(arguments: ["ab", "\u{674E}", "\u{674E}a", "\u{0930}\u{093E}", "Ad\u{200C}a"])
    func nameThatIsTooShortForItsScript_orWithAJoinerElsewhere_isRefused(name: String) async throws {
        #expect(try await outcome(name) == "invalid_username")
        await world.close()
    }

    /// ROL-5: newest first, and each on one page.
    @Test func accounts_areListedPageByPage() async throws {
        try await keep(["Ada", "Bob", "Cid", "adele", "Eve"])
        var (listed, last): ([String], AccountID?) = ([], nil)
        for _ in 0..<3 {
            let page = try await signIn.accounts(.all, before: last, countMax: 2, by: .named("desk"))
            listed += page.map(\.name)
            last = page.last?.id
        }
        #expect(listed == ["Eve", "adele", "Cid", "Bob", "Ada"])
        let fourth = AccountID(rawValue: 4)
        let begun = try await signIn.accounts(.prefix("AD"), before: fourth, countMax: 2, by: .named("desk"))
        #expect(begun.map(\.name) == ["Ada"])
        await world.close()
    }

    @Test func moreAccountsThanAPage_allGetTheirSkeletons() async throws {
        let names = (0..<2_100).map { "user.\($0)" }
        try await keep(names)
        try await refresh()
        #expect(try await skeletonCount() == names.count)
        await world.close()
    }

    @Test func skeletonsOfOtherTables_areMadeAnew_andNoneIsLost() async throws {
        try await keep(["Ada", "Bob"])
        try await refresh()
        try await world.commit([
            Statement("DELETE FROM name_skeletons WHERE account = 1"), WorldRecord.keeping(skeletonVersion: [1, 0]),
        ])
        try await refresh()
        #expect(try await skeletonCount() == 2)
        // Nobody waits for it to be on disk; what is committed after it is there later.
        try await world.commit([Statement("DELETE FROM tokens")])
        #expect(try await WorldRecord.skeletonVersion(in: world.store) == SkeletonRecord.version)
        await world.close()
    }

    /// An account for which an app's backend vouches, as a server of before has left it: without skeletons.
    private func keepOfApp(_ name: String, _ number: UInt64) async throws {
        let id = AccountID(rawValue: number)
        let record = AccountRecord(id: id, name: name, foldedName: "\0app \(number)", now: 1)
        let identity = AppIdentity(
            issuer: "https://id.example", subject: "u-\(number)", name: name, isOrganisation: false, issued: 1,
            expires: 2, revokedBefore: .epoch)
        try await world.commit([record.insertion, AppIdentityRecord.insertion(identity, account: id)])
    }

    @Test func nameOfAnAppsAccount_isTaken_andANameAloneDoesNotSignInToIt() async throws {
        try await keep(["Bob"])
        try await refresh()
        try await keepOfApp("paula", 7)
        try await keepOfApp("paula", 8)
        // As the last release has noted it: skeletons of the accounts of people alone.
        try await world.commit([WorldRecord.keeping(skeletonVersion: Username.skeletonVersion)])
        try await refresh()
        for name in ["paula", "Paula", "pau1a"] { #expect(try await outcome(name) == "username_taken") }
        #expect(try await outcome("Bob") == "1")
        #expect(try await skeletonCount() == 3)
        await world.close()
    }

    @Test func skeletonsOfNow_areNotMadeAgain() async throws {
        try await keep(["Ada"])
        try await refresh()
        try await world.commit([Statement("DELETE FROM name_skeletons")])
        try await refresh()
        #expect(try await skeletonCount() == 0)
        await world.close()
    }

    @Test func damagedAccount_isPassedOver() async throws {
        try await keep(["Ada", "Bob"])
        try await world.commit([Statement("UPDATE accounts SET sealed = zeroblob(60) WHERE id = 1")])
        try await refresh()
        #expect(try await outcome("Bob") == "2")
        #expect(try await skeletonCount() == 1)
        await world.close()
    }

    @Test func nameThatWasChanged_leadsToItsAccount_whileItIsReserved() async throws {
        try await keep(["Countess", "Bob"])
        var credentials = CredentialsRecord(account: AccountID(rawValue: 1))
        credentials.password = "hash"
        let now = signIn.clock.lasting
        let (ada, ida) = (Username("ada.o0"), Username("ida"))
        try await world.commit(
            [credentials.insertion]
                + ReservedName.insertions(ada, of: credentials.account, until: now + .seconds(60))
                + ReservedName.insertions(ida, of: credentials.account, until: now - .seconds(60)))
        let expected: [String: UInt64?] = ["Ada.o0": 1, "ada.oO": nil, "ida": nil, "countess": 1, "bob": nil]
        for (login, account) in expected {
            let candidate = try await signIn.candidate(Login(login), deviceKey: "", at: nil)
            #expect(candidate.account?.id.rawValue == account, "\(login)")
        }
        await world.close()
    }

    @Test func refusal_saysWhy_andNotWhose() async throws {
        _ = try await outcome("Grace.H")
        guard case .refused(let refusal) = try await signIn.open("Gr\u{0430}ce.H") else {
            Issue.record("it was not refused")
            return
        }
        #expect(refusal.details == ["field": "name"] && !"\(refusal.message)".contains("Grace"))
        await world.close()
    }
}

import CairnAdaptors
import CairnConfiguration
import CairnCore
import CairnCredentials
import CairnGeo
import CairnStore
import CairnTesting
import CairnWire
import Foundation
import Logging
import Synchronization
import Testing

@testable import CairnRoot
@testable import CairnServer

/// Buying tours on a real store, with the stand-ins of payment and receipts (TRT-5, CMP-6).
@Suite("Purchases (TRT-5)", .timeLimit(.minutes(10)))
struct PurchaseTests {
    private let stall: Stall

    init() async throws { stall = try await Stall.open() }

    @Test func priceThatWasShown_isChargedOnce_andIsInTheLedger() async throws {
        let ada = try await stall.account(1)
        let bought = try await stall.buy(by: ada)
        #expect(bought.price == Money(cents: 499, currency: "CAD") && bought.name == "Old port")
        #expect(try stall.charges() == [.charged])
        let entry = try #require(try await stall.ledger().first)
        #expect(entry.number == 1 && entry.fields.kind == .purchase && entry.fields.amount.cents == 499)
        #expect(entry.fields.reference == stall.signIn.identifiers.name(of: bought.id))
        #expect(entry.fields.provider == "payment" && entry.fields.charge.hasPrefix("standin-"))
        await stall.close()
    }

    @Test func sameKey_andAnotherKey_giveTheSamePurchase() async throws {
        let ada = try await stall.account(1)
        let bought = try await stall.buy(by: ada, key: "one")
        #expect(try await stall.buy(by: ada, key: "one") == bought)
        let again = try await stall.buy(by: ada, key: "two")
        #expect(again.id == bought.id && again.formerKeys == ["two"])
        #expect(try stall.charges() == [.charged])
        await stall.close()
    }

    @Test func refund_isPaidBackOnce_andTheTourCanBeBoughtAgain() async throws {
        let ada = try await stall.account(1)
        let bought = try await stall.buy(by: ada, key: "one")
        let many = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<10 { group.addTask { [stall] in await stall.refund(bought.id) } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(many == 1)
        #expect(try await stall.ledger().map(\.fields.amount.cents) == [499, -499])
        #expect(try await stall.purchases(of: ada).first?.refunded != nil)
        let again = try await stall.buy(by: ada, key: "two")
        #expect(again.id != bought.id && again.refunded == nil)
        #expect(try await stall.purchases(of: ada) == [again])
        await stall.close()
    }

    @Test func refundWithoutARecord_isSettledByAskingAgain_andOnce() async throws {
        let ada = try await stall.account(1)
        let bought = try await stall.buy(by: ada)
        let refund = Refund(of: bought, by: .operator(7), because: "Rain")
        try await stall.signIn.store.commit([refund.insertion])
        let told = Mutex<[PurchaseID]>([])
        let running = Task { [stall] in
            await stall.signIn.services.purchases.run(
                refunded: { purchase in told.withLock { $0.append(purchase.id) } }, for: { stall.signIn })
        }
        #expect(await soon { told.withLock { $0 } == [bought.id] })
        running.cancel()
        #expect(try await stall.signIn.store.read([Refund.oldest(rowsMax: 1)])[0].isEmpty)
        #expect(try await stall.ledger().map(\.fields.amount.cents) == [499, -499])
        #expect(try Set(stall.charges()) == [.charged, .refunded] && stall.charges().count == 2)
        #expect(await stall.refund(bought.id) == false)
        await stall.close()
    }

    @Test func refundUnderWay_isReadAsItWasWritten() async throws {
        let ada = try await stall.account(1)
        let refund = Refund(of: try await stall.buy(by: ada), by: .operator(7), because: "Rain")
        try await stall.signIn.store.commit([refund.insertion])
        let row = try #require(try await stall.signIn.store.read([Refund.query(refund.purchase.id)])[0].first)
        #expect(try Refund(row) == refund)
        await #expect(throws: (any Error).self) { try await stall.signIn.store.commit([refund.insertion]) }
        await stall.close()
    }

    @Test func sameKey_forAnotherTour_isRefused() async throws {
        let ada = try await stall.account(1)
        _ = try await stall.buy(by: ada, key: "one")
        let refused = await stall.refusal { try await stall.buy(Stall.other, by: ada, key: "one") }
        #expect(refused?.code == .keyReused)
        #expect(try stall.charges().count == 1)
        await stall.close()
    }

    @Test func manyAtOnce_chargeOnce() async throws {
        let ada = try await stall.account(1)
        let stall = stall
        let bought = await withTaskGroup(of: Purchase?.self) { group in
            for number in 0..<20 {
                group.addTask { try? await stall.buy(by: ada, key: "\(number)") }
            }
            return await group.reduce(into: Set<Purchase>()) { if let purchase = $1 { $0.insert(purchase) } }
        }
        #expect(bought.count == 1)
        #expect(try stall.charges() == [.charged])
        #expect(try await stall.ledger().count == 1)
        await stall.close()
    }

    @Test func anotherPriceThanShown_isRefused_withoutACharge() async throws {
        let ada = try await stall.account(1)
        let refused = await stall.refusal { try await stall.buy(by: ada, price: 199) }
        #expect(refused?.code == .versionConflict && refused?.details["price"] == "499")
        #expect(await stall.refusal { try await stall.buy(Stall.free, by: ada, price: 0) }?.code == .invalidField)
        #expect(await stall.refusal { try await stall.buy(Stall.draft, by: ada) }?.code == .notFound)
        #expect(try stall.charges().isEmpty)
        await stall.close()
    }

    @Test(arguments: [Role.organisation, .admin]) func otherRoles_buyNothing(role: Role) async throws {
        let ada = try await stall.account(1, role: role)
        #expect(await stall.refusal { try await stall.buy(by: ada) }?.code == .forbidden)
        await stall.close()
    }

    @Test(arguments: [("standin-refused", Refusal.Code.paymentDeclined), ("standin-invalid", .paymentInvalid)])
    func refusedPayment_chargesNothing_andMayBeTriedAnew(method: String, code: Refusal.Code) async throws {
        let ada = try await stall.account(1)
        #expect(await stall.refusal { try await stall.buy(by: ada, .method(method)) }?.code == code)
        #expect(try await stall.payments() == 0)
        _ = try await stall.buy(by: ada, key: "two")
        #expect(try await stall.ledger().count == 1)
        await stall.close()
    }

    @Test(arguments: ["standin-lost", "standin-twice"])
    func lostAnswer_andTwoCharges_areOnePurchase(method: String) async throws {
        let ada = try await stall.account(1)
        _ = try await stall.buy(by: ada, .method(method))
        #expect(try stall.charges() == [.charged])
        #expect(try await stall.payments() == 0)
        await stall.close()
    }

    @Test(arguments: ["standin-slow", "standin-failing"])
    func noAnswer_closesTheCharge_soThatItIsNeverMade(method: String) async throws {
        let ada = try await stall.account(1)
        #expect(await stall.refusal { try await stall.buy(by: ada, .method(method)) }?.code == .providerUnavailable)
        #expect(try stall.charges() == [.closed])
        _ = try await stall.buy(by: ada)
        try await stall.outlastSlowCharges()
        #expect(try stall.charges().filter { $0 == .charged }.count == 1)
        #expect(try await stall.ledger().count == 1)
        await stall.close()
    }

    @Test func chargeWithoutARecord_isSettledByWhatTheProviderSays() async throws {
        let (ada, bob) = (try await stall.account(1), try await stall.account(2))
        let charged = try await stall.interrupt(of: ada, charging: true)
        _ = try await stall.interrupt(of: bob, charging: false)
        let running = Task { [stall] in await stall.signIn.services.purchases.run { stall.signIn } }
        #expect(try await soon { try await stall.payments() == 0 })
        running.cancel()
        #expect(try await stall.purchases(of: ada).map(\.id) == [charged.id])
        #expect(try await stall.purchases(of: bob).isEmpty)
        #expect(try await stall.ledger().count == 1)
        await stall.close()
    }

    @Test func chargeOfADeletedAccount_isPaidBack_andBothAreInTheLedger() async throws {
        let ada = try await stall.account(1)
        _ = try await stall.interrupt(of: ada, charging: true)
        try await stall.signIn.store.commit([Statement("DELETE FROM accounts")])
        let row = try #require(try await stall.signIn.store.read([Payment.oldest(rowsMax: 1)])[0].first)
        guard case .nothing = try await stall.signIn.settle(try Payment(row)) else {
            Issue.record("it was not paid back")
            return
        }
        #expect(try await stall.ledger().map(\.fields.amount.cents) == [499, -499])
        #expect(try stall.charges().contains(.refunded))
        await stall.close()
    }

    @Test func receipt_buysOnce_alsoForOthers() async throws {
        let (ada, bob) = (try await stall.account(1), try await stall.account(2))
        let receipt = stall.receipt("t-1", of: Stall.tour)
        _ = try await stall.buy(by: ada, receipt)
        let used = await stall.refusal { try await stall.buy(by: bob, receipt) }
        #expect(used?.code == .paymentInvalid && used?.details["reason"] == "used")
        let other = await stall.refusal { try await stall.buy(by: bob, stall.receipt("t-2", of: Stall.other)) }
        #expect(other?.code == .paymentInvalid && other?.details["reason"] == "receipt")
        #expect(try stall.charges().isEmpty)
        #expect(try await stall.ledger().map(\.fields.provider) == ["app-store"])
        await stall.close()
    }

    @Test func cutLedger_sellsNothing() async throws {
        let (ada, bob) = (try await stall.account(1), try await stall.account(2))
        _ = try await stall.buy(by: ada)
        try await stall.signIn.store.commit([Statement("DELETE FROM ledger")])
        let other = try await Stall.signIn(on: stall.world, stall.adaptors)
        await #expect(throws: DamagedRow.self) {
            try await other.buy(
                Stall.tour, at: BuyTour.Price(cents: 499, currency: ""), by: .method("card"),
                for: Stall.buyer(bob, key: "b"))
        }
        #expect(try stall.charges().count == 1)
        await stall.close()
    }
}

/// A few tours for sale.
struct Stall: Sendable {
    static let (tour, other) = (TourID(rawValue: 71), TourID(rawValue: 72))
    static let (free, draft) = (TourID(rawValue: 73), TourID(rawValue: 74))
    static let timeLimit = Duration.milliseconds(300)

    let world: TemporaryStore
    let adaptors: Adaptors
    let signIn: SignIn

    enum Charge: String { case charged, closed, refunded }

    static func open() async throws -> Stall {
        let world = try await TemporaryStore.open(migrations: StorageTools.migrations())
        var settings = AdaptorSettings()
        settings.sources = [.payment: .builtin, .receipts: .builtin]
        settings.paymentFolder = world.folder.path + "/payments"
        settings.timeLimit = timeLimit
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let adaptors = Adaptors(settings: settings, logger: logger)
        await adaptors.apply(settings, logger: logger)
        return Stall(world: world, adaptors: adaptors, signIn: try await signIn(on: world, adaptors))
    }

    static func signIn(on world: TemporaryStore, _ adaptors: Adaptors) async throws -> SignIn {
        let tours = NameDirectory()
        tours.tours.fill(with: [
            offered(tour, "Old port", 499), offered(other, "New port", 499), offered(free, "No", 0),
        ])
        return SignIn(
            store: world.store, suspensions: try await Suspensions(store: world.store),
            organisations: try await Organisations(store: world.store, names: NameDirectory()),
            identifiers: IdentifierIssuer(), names: tours, clock: ServerClock(), configuration: Configuration(),
            proofs: SignIn.Proofs(),
            help: Help(), services: .forTests(world.store, adaptors: adaptors),
            logger: Logger(label: "stall") { _ in SwiftLogNoOpLogHandler() })
    }

    private static func offered(_ tour: TourID, _ name: String, _ price: UInt32) -> OfferedTour {
        let corners = [(0.0, 0.0), (0.0, 0.001), (0.001, 0.0)].compactMap { Coordinate(latitude: $0, longitude: $1) }
        guard let area = try? Polygon(corners) else { preconditionFailure("three corners are an area") }
        return OfferedTour(
            id: tour, version: 1, organisation: OrganisationID(rawValue: 5), code: "ABCDEFGH",
            facts: changed(.init()) { facts in
                facts.name.words = [.init()]
                facts.name.words[0].language = "en"
                facts.name.words[0].text = name
                facts.price = price
            },
            distanceMetres: 100, seconds: 60, start: corners[0], area: area)
    }

    private static func changed<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
        var value = value
        change(&value)
        return value
    }

    func close() async {
        await adaptors.stop()
        await world.close()
    }

    func account(_ number: UInt64, role: Role = .general) async throws -> AccountID {
        let id = AccountID(rawValue: number)
        var record = AccountRecord(id: id, name: "p\(number)", foldedName: "p\(number)", now: signIn.clock.now)
        record.role = role
        try await signIn.store.commit([record.insertion])
        return id
    }

    @discardableResult
    func buy(
        _ tour: TourID = Stall.tour, by account: AccountID, price: Int64 = 499, key: String = "one",
        _ means: BuyTour.Means = .method("card")
    ) async throws -> Purchase {
        try await signIn.buy(
            tour, at: BuyTour.Price(cents: price, currency: ""), by: means,
            for: Self.buyer(account, key: key))
    }

    static func buyer(_ account: AccountID, key: String) -> Buyer {
        Buyer(account: account, address: LimitKey(0), key: key, language: "en", now: 1_000_000)
    }

    func receipt(_ transaction: String, of tour: TourID) -> BuyTour.Means {
        .receipt(store: "app-store", data: "standin:\(transaction):\(signIn.identifiers.name(of: tour))")
    }

    func refusal(_ body: () async throws -> Purchase) async -> Refusal? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? Refusal
        }
    }

    /// A charge that a process began before it ended.
    func interrupt(of account: AccountID, charging: Bool) async throws -> Payment {
        let offer = Offer(tour: Stall.tour, name: "Old port", price: Money(cents: 499, currency: "CAD"))
        let payment = Payment(
            id: signIn.identifiers.next(PurchaseTag.self, at: signIn.clock.now), account: account, offer: offer,
            charge: "charge-\(account.rawValue)", key: "k", begun: signIn.clock.now)
        try await signIn.store.commit([payment.insertion])
        if charging {
            let call = AdaptorCall(
                id: payment.charge, action: "charge",
                fields: ["key": .text(payment.charge), "method": .text("card")])
            _ = try await adaptors.call(.payment, call)
        }
        return payment
    }

    /// Returns when every charge that is slow by now has come: one that begins later comes after them. It is not kept.
    func outlastSlowCharges() async throws {
        let call = AdaptorCall(
            id: "later", action: "charge", fields: ["key": .text("later"), "method": .text("standin-slow")])
        _ = try? await adaptors.call(.payment, call)
        let path = folder + "/later"
        #expect(await soon { FileManager.default.fileExists(atPath: path) })
        try FileManager.default.removeItem(atPath: path)
    }

    /// - Returns: whether it was paid back by this call.
    func refund(_ purchase: PurchaseID) async -> Bool {
        let refunded = try? await signIn.refund(
            purchase, isPaidBack: false, by: .operator(1), because: "Rain")
        return refunded != nil
    }

    private var folder: String { world.folder.path + "/payments" }

    func charges() throws -> [Charge] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return try files.filter { !$0.hasPrefix(".") }.compactMap { name in
            Charge(rawValue: try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8))
        }
    }

    func payments() async throws -> Int { try await signIn.store.read([Payment.oldest(rowsMax: 10)])[0].count }

    func purchases(of account: AccountID) async throws -> [Purchase] {
        var damage: [DamagedRow] = []
        let rows = try await signIn.store.read([Purchase.query(of: account, before: nil, rowsMax: 10)])[0]
        return Purchase.purchases(in: rows, into: &damage)
    }

    func ledger() async throws -> [LedgerEntry] {
        try await signIn.store.read([LedgerEntry.query(after: 0, rowsMax: 100)])[0].map { row in try LedgerEntry(row) }
    }
}

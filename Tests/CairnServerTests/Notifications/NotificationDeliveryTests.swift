import CairnCore
import CairnStore
import CairnTesting
import CairnWire
import Testing

@testable import CairnRoot
@testable import CairnServer

/// NTF-1, NTF-2: at once to connected devices, otherwise at the next connection, each once per device.
@Suite("Server: notifications", .serialized, .timeLimit(.minutes(10)))
struct NotificationDeliveryTests {
    private static let realm = HomeAddress.realm(RealmID(rawValue: 5))

    /// One account and a server.
    private struct World {
        let bench: ServerBench
        let account: AccountID
        let token: String

        static func start(loops: Int = 1) async throws -> (World, TestClient) {
            let bench = try await ServerBench.start(loops: loops, register: Nudges.register)
            let client = try TestClient(port: bench.port)
            let welcome = try await client.hello(.make(name: "ada"))
            let account = try #require(await bench.server.account(named: welcome.account))
            return (World(bench: bench, account: account, token: welcome.token), client)
        }

        /// The device comes back.
        func connect(format: WireFormat = .proto) async throws -> TestClient {
            let client = try TestClient(port: bench.port, format: format)
            try await client.hello(.make(name: "", token: token))
            return client
        }

        /// Waits until so many are on the disk.
        func stored(_ count: Int64) async throws {
            let (store, query) = (await bench.server.context.store, StoredNotification.count(of: account))
            try await bench.wait(for: count) { try await store.read([query])[0][0].integer(0) }
        }

        func nudge(_ labels: String..., kind: NotificationKind = .friendRequest) async {
            for label in labels { await bench.tell(realm, Nudge(account, kind, label: label)) }
        }
    }

    private static func leave(_ client: TestClient) async throws {
        client.close()
        _ = try await client.closedCode()
    }

    // MARK: Delivery

    @Test(arguments: [1, 2])
    func connectedDevices_areSentItAtOnce_andNobodyElseIs(loops: Int) async throws {
        let (world, phone) = try await World.start(loops: loops)
        let glasses = try await world.bench.client("ada", format: .json)
        let other = try await world.bench.client("bob")
        await world.nudge("Bergen")
        for device in [phone, glasses] {
            try await device.wait(until: "the notification") { $0.labels == ["Bergen"] }
            #expect(device.record.unread == 1)
            try await device.acknowledge()
        }
        #expect(phone.record.notified.map(\.id) == glasses.record.notified.map(\.id))
        try await other.move(to: Ground.here.centre)
        #expect(other.record.notified.isEmpty && other.record.unread == nil)
        await world.bench.stop()
    }

    @Test func deviceThatWasAway_isSentItOnce_whenItIsBack() async throws {
        let (world, first) = try await World.start()
        try await Self.leave(first)
        await world.nudge("one", "two")
        let second = try await world.connect()
        try await second.wait(until: "both") { $0.labels == ["one", "two"] }
        try await second.acknowledge()
        try await Self.leave(second)
        let third = try await world.connect()
        try await third.wait(until: "the number of unread ones") { $0.unread == 2 }
        #expect(third.record.notified.isEmpty)
        await world.bench.stop()
    }

    @Test func cutBeforeTheAcknowledgement_repeatsIt_andARestartToo() async throws {
        let (world, first) = try await World.start()
        await world.nudge("one")
        try await first.wait(until: "it") { $0.labels == ["one"] }
        first.abort()
        let second = try await world.connect()
        try await second.wait(until: "it again") { $0.labels == ["one"] }
        #expect(second.record.notified.map(\.id) == first.record.notified.map(\.id))
        await world.bench.stop()
        let later = World(
            bench: try await ServerBench.start(in: world.bench.folder, register: Nudges.register),
            account: world.account, token: world.token)
        let third = try await later.connect()
        try await third.wait(until: "it once more") { $0.labels == ["one"] }
        try await third.acknowledge()
        try await Self.leave(third)
        let fourth = try await later.connect()
        try await fourth.wait(until: "the number of unread ones") { $0.unread == 1 }
        #expect(fourth.record.notified.isEmpty)
        await later.bench.stop()
    }

    /// Marks are of devices: what one has received the other has still to come.
    @Test func eachDevice_hasItsOwnMark() async throws {
        let (world, phone) = try await World.start()
        await world.nudge("one")
        try await phone.wait(until: "it") { $0.labels == ["one"] }
        try await phone.acknowledge()
        let glasses = try await world.bench.client("ada")
        try await glasses.wait(until: "it, too") { $0.labels == ["one"] }
        await world.bench.stop()
    }

    @Test func moreThanAMessageHolds_comesAsItIsAcknowledged_inOrder() async throws {
        let (world, first) = try await World.start()
        try await Self.leave(first)
        let labels = (0..<150).map { "number \($0)" }
        for label in labels { await world.nudge(label) }
        try await world.stored(150)
        let device = try await world.connect()
        try await device.wait(until: "a message") { $0.notified.count == 64 }
        await world.nudge("the last one")
        try await device.move(to: Ground.here.centre)
        #expect(device.record.notified.count == 64)
        try await device.acknowledge()
        try await device.wait(until: "the next message") { $0.notified.count == 128 }
        try await device.acknowledge()
        try await device.wait(until: "the rest") { $0.labels == labels + ["the last one"] }
        #expect(device.record.unread == 151)
        await world.bench.stop()
    }

    /// 30 days, unless a setting says otherwise (NTF-2).
    @Test func notificationsThatAreTooOld_go() async throws {
        let (world, first) = try await World.start()
        try await Self.leave(first)
        let (now, context) = (await world.bench.server.context.clock.lasting, await world.bench.server.context)
        for (id, days) in [(1, 31), (2, 29)] {
            let draft = Notification.Draft(to: world.account, kind: .realmAdded, label: "\(days) days")
            let statement = Notification.insertion(
                draft, id: NotificationID(rawValue: UInt64(id)), at: now - .seconds(days * 86_400))
            try await context.store.commit([statement])
        }
        await context.expire()
        try await world.stored(1)
        let device = try await world.connect()
        try await device.wait(until: "what is left") { $0.labels == ["29 days"] }
        await world.bench.stop()
    }

    // MARK: Switches, marks and pages

    @Test func kindThatIsSwitchedOff_isNeitherSentNorCountedNorListed() async throws {
        let (world, client) = try await World.start()
        var off = WireSaveSettings()
        off.settings = [WireSetting(NotificationKind.friendRequest.settingKey, "off")]
        _ = try await client.ask(.saveSettings(off))
        await world.nudge("off")
        await world.nudge("on", kind: .realmAdded)
        try await client.wait(until: "the other kind") { $0.labels == ["on"] }
        #expect(client.record.unread == 1)
        #expect(try await client.page().notifications.map(\.label) == ["on"])
        await world.bench.stop()
    }

    @Test func whatOneDeviceReads_isReadOnAll() async throws {
        let (world, phone) = try await World.start()
        let glasses = try await world.bench.client("ada")
        await world.nudge("one", "two", "three")
        for device in [phone, glasses] { try await device.wait(until: "them") { $0.notified.count == 3 } }
        var read = WireMarkRead()
        read.ids = [phone.record.notified[0].id]
        _ = try await phone.ask(.markRead(read))
        for device in [phone, glasses] { try await device.wait(until: "two unread") { $0.unread == 2 } }
        let page = try await glasses.page()
        #expect(page.notifications.map(\.label) == ["three", "two", "one"])
        #expect(page.notifications.map(\.read) == [false, false, true] && page.unread == 2)
        read.ids = []
        read.allUntil = page.mark
        _ = try await glasses.ask(.markRead(read))
        for device in [phone, glasses] { try await device.wait(until: "none unread") { $0.unread == 0 } }
        await world.bench.stop()
    }

    @Test func pages_holdEachNotificationOnce_newestFirst() async throws {
        let (world, client) = try await World.start()
        for number in 0..<25 { await world.nudge("number \(number)") }
        try await client.wait(until: "them") { $0.notified.count == 25 }
        var (labels, after): ([String], String) = ([], "")
        repeat {
            let page = try await client.page(count: 10, after: after)
            labels += page.notifications.map(\.label)
            after = page.next
        } while !after.isEmpty
        #expect(labels == (0..<25).reversed().map { "number \($0)" })
        await world.bench.stop()
    }

    /// The row has no name of another person: the present one is shown.
    @Test func person_hasThePresentName_andNoneWhenGone() async throws {
        let (world, client) = try await World.start()
        let bob = try TestClient(port: world.bench.port)
        let welcome = try await bob.hello(.make(name: "bob"))
        let person = try #require(await world.bench.server.account(named: welcome.account))
        await world.bench.tell(Self.realm, Nudge(world.account, by: person))
        await world.bench.tell(Self.realm, Nudge(world.account, by: AccountID(rawValue: 77)))
        try await client.wait(until: "both") { $0.notified.count == 2 }
        #expect(client.record.notified.map(\.personName) == ["bob", ""])
        #expect(client.record.notified.map(\.person) == [welcome.account, ""])
        await world.bench.stop()
    }

    @Test func marksAndIdsThatAreNone_areRefused() async throws {
        let (world, client) = try await World.start()
        var received = WireReceivedNotifications()
        received.mark = "nonsense"
        #expect(try await client.refusal(of: .receivedNotifications(received)).code == "invalid_field")
        var read = WireMarkRead()
        #expect(try await client.refusal(of: .markRead(read)).code == "missing_field")
        read.ids = ["nonsense"]
        #expect(try await client.refusal(of: .markRead(read)).code == "invalid_field")
        var list = WireListNotifications()
        list.count = 101
        #expect(try await client.refusal(of: .listNotifications(list)).code == "invalid_field")
        list.count = 1
        list.after = "nonsense"
        #expect(try await client.refusal(of: .listNotifications(list)).code == "invalid_field")
        var push = WireRegisterPush()
        push.address = String(repeating: "x", count: 1_025)
        #expect(try await client.refusal(of: .registerPush(push)).code == "invalid_field")
        await world.bench.stop()
    }

    /// A mark that is none of theirs takes nobody else's notifications, and later ones come all the same.
    @Test func markFromBeyond_countsAsTheLastOne() async throws {
        let (world, client) = try await World.start()
        await world.nudge("one")
        try await client.wait(until: "it") { $0.labels == ["one"] }
        var received = WireReceivedNotifications()
        received.mark = await world.bench.server.context.signIn.mark(.max)
        _ = try await client.ask(.receivedNotifications(received))
        try await Self.leave(client)
        await world.nudge("two")
        let again = try await world.connect()
        try await again.wait(until: "the later one") { $0.labels == ["two"] }
        await world.bench.stop()
    }
}

extension ClientRecord {
    fileprivate var batches: [WireNotifications] {
        items.compactMap { if case .notifications(let it) = $0.body { it } else { nil } }
    }
    fileprivate var notified: [WireNotification] { batches.flatMap(\.notifications) }
    fileprivate var labels: [String] { notified.map(\.label) }
    /// Nil = nothing was said of it.
    fileprivate var unread: Int? { batches.last.map { Int($0.unread) } }
    fileprivate var mark: String { batches.last { !$0.mark.isEmpty }?.mark ?? "" }
}

extension TestClient {
    fileprivate func acknowledge() async throws {
        var body = WireReceivedNotifications()
        body.mark = record.mark
        guard case .done = try await ask(.receivedNotifications(body)) else { throw BenchError("not acknowledged") }
    }

    fileprivate func page(count: UInt32 = 0, after: String = "") async throws -> WireNotificationPage {
        var body = WireListNotifications()
        body.count = count
        body.after = after
        let result = try await ask(.listNotifications(body))
        guard case .notificationPage(let page) = result else { throw BenchError("no page: \(result)") }
        return page
    }
}

extension WireSetting {
    fileprivate init(_ key: String, _ value: String) {
        self.init()
        self.key = key
        self.value = value
    }
}

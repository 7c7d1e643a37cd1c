import CairnCore
import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// Every kind of home can do what a home can do.
@Suite("Server: kinds of homes", .serialized, .timeLimit(.minutes(10)))
struct HomeKindTests {
    private static func homes(of account: AccountID) -> [HomeAddress] {
        [
            .cell(Ground.here.cell), .account(account), .realm(RealmID(rawValue: 5)), .space(SpaceID(rawValue: 6)),
            .cell(Ground.here.cell),
        ]
    }

    @Test(arguments: [1, 2])
    func everyHome_hearsWritesAndTellsTheNext(loops: Int) async throws {
        let bench = try await ServerBench.start(loops: loops, register: Bells.register)
        let homes = Self.homes(of: AccountID(rawValue: 4))
        await bench.tell(homes[0], RingOn(number: 0, further: Array(homes.dropFirst())))
        let expected = Dictionary(uniqueKeysWithValues: homes.indices.map { ("bell \($0)", Int64(1)) })
        try await bench.wait(for: expected) { try await bench.rings() }
        await bench.stop()
    }

    @Test(arguments: [1, 2])
    func everyHome_isWokenAtItsTime(loops: Int) async throws {
        let bench = try await ServerBench.start(loops: loops, register: Bells.register)
        let homes = Set(Self.homes(of: AccountID(rawValue: 4)))
        for (number, home) in homes.enumerated() {
            await bench.tell(home, SetBells(UInt64(number)..<UInt64(number + 1), after: 300))
        }
        try await bench.wait(for: homes.count) { try await bench.rings().count }
        try await bench.wait(for: 0) { try await bench.timers() }
        await bench.stop()
    }

    @Test func whatAnAccountPublishes_reachesAllDevicesOfThePerson_andNobodyElse() async throws {
        let bench = try await ServerBench.start(loops: 2, register: Bells.register)
        let phone = try TestClient(port: bench.port)
        let welcome = try await phone.hello(.make(name: "person"))
        let glasses = try await bench.client("person", format: .json)
        let other = try await bench.client("other", at: Ground.here.centre)
        let named = await bench.server.account(named: welcome.account)
        let account = try #require(named)
        let topic = Topic(.account(account)).name
        for device in [phone, glasses] {
            try await device.wait(until: "the person's topic") { $0.topics[topic] != nil }
        }
        await bench.tell(.account(account), RingOn(number: 9, further: []))
        for device in [phone, glasses] {
            try await device.wait(until: "the bell") { $0.topics[topic]?.instances["bell 9"] != nil }
            #expect(device.record.faults.isEmpty)
        }
        try await other.move(to: Ground.here.at(east: 1))
        #expect(other.record.topics[topic] == nil && other.record.instances["bell 9"] == nil)

        let later = try await bench.client("person")
        try await later.wait(until: "the bell") { $0.topics[topic]?.instances["bell 9"] != nil }
        await bench.stop()
    }

    @Test func productsFeatures_publishInCellsOnly_soThatDevicesFollowNothingElse() async throws {
        try await ServerBench.serving(loops: 1) { server in
            let client = try await server.client("person", at: Ground.here.centre)
            #expect(client.record.topics.keys.allSatisfy { CellID(token: $0) != nil })
        }
    }
}

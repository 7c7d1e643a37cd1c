import CairnConfiguration
import CairnCore
import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// Members of a home see what it publishes for them, on all their devices; nobody else does.
@Suite("Server: members of a home", .serialized, .timeLimit(.minutes(10)))
struct MembershipTests {
    private static let club = HomeAddress.realm(RealmID(rawValue: 5))
    private static let topic = Topic(club, .members(of: club)).name

    private static func account(_ name: String, _ bench: ServerBench) async throws -> (TestClient, AccountID) {
        let client = try TestClient(port: bench.port)
        let welcome = try await client.hello(.make(name: name))
        let account = await bench.server.account(named: welcome.account)
        return (client, try #require(account))
    }

    private static func heard(_ record: ClientRecord) -> [String] {
        (record.topics[topic]?.instances.values.map(\.text) ?? []).sorted()
    }

    @Test(arguments: [1, 2])
    func members_seeWhatIsSaid_onAllDevices_andNobodyElseDoes(loops: Int) async throws {
        let bench = try await ServerBench.start(loops: loops, register: Clubs.register)
        let (phone, account) = try await Self.account("member", bench)
        let glasses = try await bench.client("member", format: .json)
        let (other, _) = try await Self.account("other", bench)
        await bench.tell(Self.club, JoinClub(account))
        for device in [phone, glasses] {
            try await device.wait(until: "the club's topic") { $0.topics[Self.topic] != nil }
        }
        await bench.tell(Self.club, SpeakInClub("hello"))
        for device in [phone, glasses] {
            try await device.wait(until: "what was said") { Self.heard($0) == ["hello"] }
            #expect(device.record.faults.isEmpty)
        }
        let later = try await bench.client("member")
        try await later.wait(until: "what was said before") { Self.heard($0) == ["hello"] }
        try await other.stand(at: Ground.here.centre)
        #expect(other.record.topics[Self.topic] == nil && other.record.instances.isEmpty)
        await bench.stop()
    }

    @Test(arguments: [1, 2])
    func whoIsExpelled_seesNothingMore(loops: Int) async throws {
        let bench = try await ServerBench.start(loops: loops, register: Clubs.register)
        let (first, firstAccount) = try await Self.account("first", bench)
        let (second, secondAccount) = try await Self.account("second", bench)
        for account in [firstAccount, secondAccount] { await bench.tell(Self.club, JoinClub(account)) }
        await bench.tell(Self.club, SpeakInClub("one"))
        for client in [first, second] { try await client.wait(until: "one") { Self.heard($0) == ["one"] } }
        await bench.tell(Self.club, LeaveClub(firstAccount))
        try await first.wait(until: "the goodbye") { $0.topics[Self.topic] == nil }
        await bench.tell(Self.club, SpeakInClub("two"))
        try await second.wait(until: "two") { Self.heard($0) == ["one", "two"] }
        // A device that comes now reads what is stored, and the first one's next answer comes after all that it gets.
        let later = try await bench.client("first", at: Ground.here.centre)
        try await first.stand(at: Ground.here.centre)
        for client in [first, later] { #expect(client.record.topics[Self.topic] == nil) }
        await bench.stop()
    }

    @Test func members_areKnownAfterARestart() async throws {
        let first = try await ServerBench.start(loops: 2, register: Clubs.register)
        let (member, account) = try await Self.account("member", first)
        await first.tell(Self.club, JoinClub(account))
        try await member.wait(until: "the club's topic") { $0.topics[Self.topic] != nil }
        await first.stop()
        let second = try await ServerBench.start(loops: 2, in: first.folder, register: Clubs.register)
        let again = try await second.client("member")
        try await again.wait(until: "the club's topic") { $0.topics[Self.topic] != nil }
        await second.tell(Self.club, SpeakInClub("still here"))
        try await again.wait(until: "what is said") { Self.heard($0) == ["still here"] }
        await second.stop()
    }

    /// Whether a person waits for a club is read from the disk. Where that fails, it cannot be said that they do not;
    /// until it is read, the selection is one of the connection's requests.
    @Test func selectionThatCannotBeLookedUp_isUnavailable_andIsUnderWayUntilThen() async throws {
        let bench = try await ServerBench.start(register: Clubs.register) { $0.connections.requestsInFlightMax = 1 }
        let client = try await bench.client("other")
        func selection(of club: RealmID) async -> WireClientMessage.OneOf_Body {
            var body = WireSelectRealm()
            body.realm = await bench.server.name(of: club)
            return .selectRealm(body)
        }
        var sent: [UInt32] = []
        let unreadable = await selection(of: Clubs.unreadable)
        for _ in 0..<20 {
            let asked = client.push(unreadable)
            sent += [asked, client.push(.position(.make()))]
        }
        for (index, id) in sent.enumerated() {
            let result = try await client.reply(to: id)
            guard index.isMultiple(of: 2) else { continue }
            guard case .refusal(let refusal) = result else { throw BenchError("not refused: \(result)") }
            #expect(refusal.code == "storage_unavailable")
        }
        // What was said behind it waits for its answer.
        var answered: [UInt32] = []
        for item in client.record.items { if case .reply(let reply) = item.body { answered.append(reply.id) } }
        #expect(answered.filter { sent.contains($0) } == sent)
        #expect(try await client.refusal(of: await selection(of: RealmID(rawValue: 5))).code == "not_member")
        await bench.stop()
    }
}

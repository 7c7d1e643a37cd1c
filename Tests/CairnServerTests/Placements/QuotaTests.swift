import CairnConfiguration
import CairnFeatures
import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// PLC-7, PLC-8 over real sockets: exact from however many devices, on however many loops.
@Suite("Server: quotas and keys", .serialized, .timeLimit(.minutes(10)))
struct ServerQuotaTests {
    /// Devices of one account, all standing in one place.
    private static func devices(_ count: Int, _ server: ServerBench) async throws -> [TestClient] {
        try await atOnce(count) { _ in try await server.client("person", at: Ground.here.centre) }
    }

    @Test(arguments: [1, 2])
    func hundredParallelPlacementsAgainstAQuotaOf10_areExactly10(loops: Int) async throws {
        try await ServerBench.serving(loops: loops, { $0.features.placements.perMinute = 10 }) { server in
            let devices = try await Self.devices(5, server)
            let results = try await atOnce(100) { index in
                // Over two cells, so that the account alone can know.
                let place = Ground.here.between(index.isMultiple(of: 2) ? 0.1 : 0.7)
                return try await devices[index % 5].ask(.placing("preset:flag", .make(at: place)))
            }
            let placed = results.filter { if case .placed = $0 { true } else { false } }
            let refused = results.filter { if case .refusal(let it) = $0 { it.code == "quota_period" } else { false } }
            #expect(placed.count == 10 && refused.count == 90)
            let viewer = try await server.client("viewer", at: Ground.here.centre)
            #expect(viewer.record.instances.count == 10)
        }
    }

    @Test(arguments: [1, 2])
    func areaQuota_isExactOverDevices(loops: Int) async throws {
        try await ServerBench.serving(loops: loops, { $0.features.placements.areaQuota = 7 }) { server in
            let devices = try await Self.devices(4, server)
            let results = try await atOnce(60) { index in try await devices[index % 4].ask(.placing()) }
            #expect(results.filter { if case .placed = $0 { true } else { false } }.count == 7)
        }
    }

    @Test func oneKeyFromManyDevicesAtOnce_isOnePlacementAndOneAnswer() async throws {
        try await ServerBench.serving(loops: 2) { server in
            let devices = try await Self.devices(4, server)
            let results = try await atOnce(20) { index in
                try await devices[index % 4].place(at: Ground.here.centre, key: "one")
            }
            #expect(Set(results.map(\.id)).count == 1)
            let viewer = try await server.client("viewer", at: Ground.here.centre)
            #expect(viewer.record.instances.count == 1)
        }
    }

    @Test func keyOfAnOldRequest_givesItsFirstAnswerAlsoAfterTheThingHasChanged() async throws {
        try await ServerBench.serving { server in
            let person = try await server.client("person", at: Ground.here.centre)
            let instance = try await person.place(at: Ground.here.centre, key: "one")
            _ = try await person.ask(.editing(instance, to: .make(scale: 2)))
            #expect(try await person.place(at: Ground.here.centre, key: "one") == instance)
        }
    }

    @Test func restartedServer_countsQuotasAndKnowsKeysAsBefore() async throws {
        let first = try await ServerBench.start { $0.features.placements.perMinute = 3 }
        let person = try await first.client("person", at: Ground.here.centre)
        let instance = try await person.place(at: Ground.here.centre, key: "once")
        _ = try await person.place(at: Ground.here.centre)
        await first.stop()
        let second = try await ServerBench.start(in: first.folder) { $0.features.placements.perMinute = 3 }
        let again = try await second.client("person", at: Ground.here.centre)
        #expect(try await again.place(at: Ground.here.centre, key: "once") == instance)
        _ = try await again.place(at: Ground.here.centre)
        #expect(try await again.refusal(of: .placing()).code == "quota_period")
        #expect(again.record.instances.count <= 3)
        await second.stop()
    }
}

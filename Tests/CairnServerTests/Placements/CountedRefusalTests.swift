import CairnConfiguration
import CairnFeatures
import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// Invariant 10: what is refused shows in `/metrics` under its reason, once.
@Suite("Server: refusals of placements are counted", .serialized, .timeLimit(.minutes(10)))
struct CountedRefusalTests {
    @Test func refusalsOfRules_areCountedByCode() async throws {
        let change: (inout Configuration) -> Void = { configuration in
            configuration.features.placements.areaQuota = 3
            configuration.features.placements.perMinute = 4
        }
        try await ServerBench.serving(loops: 2, change) { server in
            let person = try await server.client("person")
            var seen: [String: Int] = [:]
            func refused(_ body: WireClientMessage.OneOf_Body, key: String? = nil) async throws {
                seen[try await person.refusal(of: body, key: key).code, default: 0] += 1
            }
            try await refused(.placing())
            try await person.stand(at: Ground.here.centre)
            try await refused(.placing("preset:unheard-of"))
            try await refused(.placing("preset:flag", .make(scale: 0)))
            try await refused(.placing("preset:flag", .make(at: Ground.here.at(north: 150))))
            let instance = try await person.place(at: Ground.here.centre, key: "one")
            try await refused(.placing("preset:star"), key: "one")
            try await refused(.editing(instance, to: .make(), version: 9))
            _ = try await person.place(at: Ground.here.centre)
            _ = try await person.place(at: Ground.here.centre)
            try await refused(.placing())
            _ = try await person.place(at: Ground.here.between(0.7))
            try await refused(.placing("preset:flag", .make(at: Ground.here.between(0.7))))
            let other = try await server.client("other", at: Ground.here.centre)
            seen[try await other.refusal(of: .removing(instance)).code, default: 0] += 1
            _ = try await person.ask(.removing(instance))
            try await refused(.selecting(instance))
            #expect(
                seen == [
                    "position_required": 1, "object_not_owned": 1, "bad_pose": 1, "too_far": 1, "key_reused": 1,
                    "version_conflict": 1, "quota_area": 1, "quota_period": 1, "forbidden": 1, "not_found": 1,
                ])
            try await server.expect(refusals: seen)
        }
    }
}

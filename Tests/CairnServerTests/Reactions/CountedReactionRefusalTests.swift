import CairnConfiguration
import CairnFeatures
import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// Invariant 10: what is refused shows in `/metrics` under its reason, once.
@Suite("Server: refusals of reactions are counted", .serialized, .timeLimit(.minutes(10)))
struct CountedReactionRefusalTests {
    @Test func refusalsOfRules_areCountedByCode() async throws {
        try await ServerBench.serving(loops: 2, { $0.features.reactions.perMinute = 2 }) { server in
            let person = try await server.client("person", at: Ground.here.centre)
            let instance = try await person.place(at: Ground.here.centre)
            var seen: [String: Int] = [:]
            seen[try await person.refusal(of: .reacting("shrug", to: instance)).code, default: 0] += 1
            _ = try await person.ask(.reacting("like", to: instance))
            _ = try await person.ask(.reacting("wow", to: instance))
            seen[try await person.refusal(of: .reacting("love", to: instance)).code, default: 0] += 1
            #expect(seen == ["unknown_reaction": 1, "rate_limited": 1])
            try await server.expect(refusals: seen)
        }
    }
}

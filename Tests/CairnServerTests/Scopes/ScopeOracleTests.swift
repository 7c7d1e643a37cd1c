import CairnConfiguration
import CairnCore
import CairnGeo
import CairnTesting
import CairnWire
import Foundation
import Testing

@testable import CairnServer

/// Invariant 7: no byte of a scope reaches a connection that has no right to it.
///
/// `CAIRN_SCOPE_STEPS` things happen (3,000 unless it says otherwise).
@Suite("Scopes: an oracle that sees everything", .serialized, .timeLimit(.minutes(30)))
struct ScopeOracleTests {
    private static let steps = ProcessInfo.processInfo.environment["CAIRN_SCOPE_STEPS"].flatMap { Int($0) } ?? 3_000

    @Test func joinsLeavesRevokesMovesCutsAndResumes_leakNothing() async throws {
        let bench = try await ServerBench.start(loops: 2, register: Notes.register) {
            $0.storage.synchronous = .normal
        }
        let crowd = ScopeCrowd(server: bench.server)
        try await crowd.run(people: 24, steps: Self.steps, seed: 7)
        let (items, scoped) = crowd.oracle.counts
        print("\(Self.steps) steps, \(items) items seen, \(scoped) of them for groups")
        #expect(crowd.oracle.leaks.isEmpty, "\(crowd.oracle.leaks.prefix(5))")
        #expect(scoped > Self.steps / 10)
        await bench.stop()
    }

    // MARK: The oracle itself

    private static func entered(_ text: String, in topic: String) -> WireItem {
        var item = WireItem()
        item.event.topic = topic
        item.event.entered.instance.id = "id of \(text)"
        item.event.entered.instance.text = text
        return item
    }

    private static let topic = Topic(.cell(Ground.here.cell), .group(1)).name

    @Test func oracle_catchesWhatIsSentToSomebodyWhoNeverHadTheRight() {
        let oracle = ScopeOracle()
        oracle.places("secret", for: [1])
        oracle.saw([Self.entered("secret", in: Self.topic)], account: 1, connection: 1)
        #expect(oracle.leaks.count == 2)
    }

    @Test func oracle_catchesWhatIsSentInAnotherTopic() {
        let oracle = ScopeOracle()
        oracle.places("secret", for: [1])
        oracle.saw([Self.entered("secret", in: Ground.here.cell.token)], account: 1, connection: 1)
        #expect(oracle.leaks.map(\.what) == ["secret"])
    }

    @Test func oracle_allowsWhatWasUnderWayWhenTheRightEnded() {
        let oracle = ScopeOracle()
        oracle.grants(.group(1), to: 1)
        oracle.places("early", for: [1])
        oracle.revoked(.group(1), of: 1, connections: [1])
        oracle.places("late", for: [1])
        oracle.saw([Self.entered("early", in: Self.topic)], account: 1, connection: 1)
        #expect(oracle.leaks.isEmpty)
        oracle.saw([Self.entered("late", in: Self.topic)], account: 1, connection: 1)
        #expect(oracle.leaks.map(\.what) == ["late"])
    }

    @Test func oracle_allowsNothingOnceTheConnectionHasAnsweredAfterwards() {
        let oracle = ScopeOracle()
        oracle.grants(.group(1), to: 1)
        oracle.places("early", for: [1])
        oracle.revoked(.group(1), of: 1, connections: [1])
        oracle.fenced(.group(1), of: 1, connection: 1)
        oracle.saw([Self.entered("early", in: Self.topic)], account: 1, connection: 1)
        #expect(oracle.leaks.count == 2)
    }
}

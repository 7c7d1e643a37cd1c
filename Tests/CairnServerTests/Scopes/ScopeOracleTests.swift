import CairnConfiguration
import CairnCore
import CairnGeo
import CairnTesting
import CairnWire
import Foundation
import Testing

/// Invariant 7: no byte of a scope reaches a connection that has no right to it.
///
/// `CAIRN_SCOPE_STEPS` things happen (3,000 unless it says otherwise), drawn from `CAIRN_SCOPE_SEED`. With a fault
/// built in as many happen, 200,000 at most, and one event in 10,000 leaks, or in the short form one in 200.
@Suite("Scopes: an oracle that sees everything", .serialized, .timeLimit(.minutes(180)))
struct ScopeOracleTests {
    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

    private static let steps = number("CAIRN_SCOPE_STEPS") ?? 3_000
    private static let seed = UInt64(number("CAIRN_SCOPE_SEED") ?? 7)

    private static func run(steps: Int, fault: LeakyFanOut? = nil) async throws -> ScopeOracle {
        // Both ways to a right, and no kind of home that came later has taken the groups' letter.
        #expect(ScopeCrowd.groups.allSatisfy { $0.home == nil } && ScopeCrowd.clubs.allSatisfy { $0.home != nil })
        let bench = try await ServerBench.start(loops: 2, register: ScopeCrowd.register) {
            $0.storage.synchronous = .normal
        }
        let crowd = ScopeCrowd(server: bench.server, fault: fault)
        try await crowd.run(people: 24, steps: steps, seed: seed)
        await bench.stop()
        let (items, scoped) = crowd.oracle.counts
        let leaks = crowd.oracle.leaks.count
        print("\(steps) steps, seed \(seed): \(items) items seen, \(scoped) for groups, \(leaks) leaks")
        #expect(scoped > steps / 10)
        #expect(crowd.oracle.scopes == Set([.everyone] + ScopeCrowd.groups + ScopeCrowd.clubs))
        return crowd.oracle
    }

    @Test func joinsLeavesRevokesMovesCutsAndResumes_leakNothing() async throws {
        let oracle = try await Self.run(steps: Self.steps)
        #expect(oracle.leaks.isEmpty, "\(oracle.words)")
    }

    @Test func fanOutThatForgetsTheScopeOfOneEventInMany_isCaughtEachTime() async throws {
        let steps = min(Self.steps, 200_000)
        let fault = LeakyFanOut(oneIn: steps < 100_000 ? 200 : 10_000)
        let oracle = try await Self.run(steps: steps, fault: fault)
        print("\(fault.leaked.count) of \(fault.events) events leaked")
        #expect(!fault.leaked.isEmpty)
        #expect(Set(oracle.leaks.map(\.what)).isSuperset(of: fault.leaked))
    }

    // MARK: The oracle itself

    private static func entered(_ text: String, in topic: String) -> WireItem {
        var item = WireItem()
        item.event.topic = topic
        item.event.entered.instance.id = text.filter { $0 != " " }
        item.event.entered.instance.text = text
        return item
    }

    private static let topic = Topic(.cell(Ground.here.cell), .group(1)).name

    @Test func oracle_catchesWhatIsSentToSomebodyWhoNeverHadTheRight() {
        let oracle = ScopeOracle()
        oracle.places("secret", for: [.group(1)])
        oracle.saw([Self.entered("secret", in: Self.topic)], account: 1, connection: 1)
        #expect(oracle.leaks.count == 2)
    }

    @Test func oracle_catchesWhatIsSentInAnotherTopic() {
        let oracle = ScopeOracle()
        oracle.places("secret", for: [.group(1)])
        oracle.saw([Self.entered("secret", in: Ground.here.cell.token)], account: 1, connection: 1)
        #expect(oracle.leaks.map(\.what) == ["secret"])
    }

    @Test func oracle_catchesBytesThatItDoesNotRead() {
        let oracle = ScopeOracle()
        var message = WireServerMessage()
        message.items = [Self.entered("note 1", in: Ground.here.cell.token)]
        let items = message.items.map { ServerItemEncoder.encode($0, format: .proto) }
        let bytes = ServerItemEncoder.message(items, format: .proto)
        oracle.saw(bytes, message, account: 1, connection: 1)
        #expect(oracle.leaks.isEmpty)
        oracle.saw(bytes + Array("note 2".utf8), message, account: 1, connection: 1)
        #expect(oracle.leaks.count == 1)
        message.items[0].event.entered.instance.text = ""
        oracle.saw(bytes, message, account: 1, connection: 1)
        #expect(oracle.leaks.count == 2)
    }

    @Test func oracle_allowsWhatWasUnderWayWhenTheRightEnded() {
        let oracle = ScopeOracle()
        oracle.grants(.group(1), to: 1)
        oracle.places("early", for: [.group(1)])
        oracle.revoked(.group(1), of: 1, connections: [1])
        oracle.places("late", for: [.group(1)])
        oracle.saw([Self.entered("early", in: Self.topic)], account: 1, connection: 1)
        #expect(oracle.leaks.isEmpty)
        oracle.saw([Self.entered("late", in: Self.topic)], account: 1, connection: 1)
        #expect(oracle.leaks.map(\.what) == ["late"])
    }

    @Test func oracle_allowsNothingOnceTheConnectionHasAnsweredAfterwards() {
        let oracle = ScopeOracle()
        oracle.grants(.group(1), to: 1)
        oracle.places("early", for: [.group(1)])
        oracle.revoked(.group(1), of: 1, connections: [1])
        oracle.fenced(.group(1), of: 1, connection: 1)
        oracle.saw([Self.entered("early", in: Self.topic)], account: 1, connection: 1)
        #expect(oracle.leaks.count == 2)
    }
}

import CairnCore
import CairnTesting
import CairnWire
import Testing

@testable import CairnFeatures

/// A start is refused with `try_again`, and its client sends the same key once more (SYN-2).
@Suite("Tours: starts that are asked for once more")
struct StartRetryTests {
    private static let walker = Sender.make(7)

    private static func starting(_ id: UInt32, _ key: String, in town: TownBench) -> Request {
        var body = WireStartTour()
        body.tour = town.identifiers.name(of: TourTown.tour)
        return .make(.startTour(body), id: id, key: key, from: walker)
    }

    /// A town in which the home of a run could not read the store, so that it has not begun.
    private static func make() throws -> TownBench {
        var town = try TourTown.make()
        let (first, store) = (starting(1, "first", in: town), town.store)
        town.push(first)
        for _ in 0..<10 where !town.asked.contains(where: { $0.home.kind == .space }) {
            town.deliver()
            town.commit()
        }
        town.store = { _ in nil }
        town.runUntilIdle()
        #expect(town.answer(to: first)?.refusal?.code == .tryAgain)
        town.store = store
        return town
    }

    @Test func startThatFailed_beginsTheRun_byTheSameKeyAtOnce() throws {
        var town = try Self.make()
        guard case .run = try town.ask(Self.starting(2, "first", in: town)).result else { throw BenchError("no run") }
    }

    /// Whether the store has a run of it is not known for a while.
    @Test func startWithAnotherKey_waits() throws {
        var town = try Self.make()
        #expect(try town.ask(Self.starting(2, "other", in: town)).refusal?.code == .tourInProgress)
    }
}

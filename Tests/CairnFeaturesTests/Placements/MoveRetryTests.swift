import CairnCore
import CairnFeatures
import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// A move goes on over a crash, and its client sends the key again while it ends (SYN-2).
@Suite("Placements: moves that are asked for once more")
struct MoveRetryTests {
    private static let here = Ground.here.cell
    private static let there = Ground.here.neighbour
    /// The mover, in whose view neither of the cells is.
    private static let afar = Sender(
        participant: .make(), account: .make(), name: "person-1",
        position: GeoPoint(coordinate: Ground.here.at(north: 5_000), altitudeMetres: 0))

    /// A town in which a move has ended after a crash, its disk, and the move as it is asked for once more. The account
    /// knows no key: it has looked for a stored reply before there was one.
    private static func make(
        inView: Bool
    ) async throws -> (town: TownBench, disk: TemporaryStore, again: Request) {
        var town = TownBench()
        let instance = try town.place(1)
        let body = WireClientMessage.OneOf_Body.editing(instance, to: .make(at: Ground.here.between(0.6)))
        town.push(.make(body, id: 2, key: "move"))
        var (revived, disk) = try await town.revived()
        // The ids of this life are of a millisecond of their own.
        revived.time.advance(.milliseconds(10))
        revived.fireTimers(of: .cell(here))
        revived.runUntilIdle()
        try await disk.commit(revived.kept)
        return (revived, disk, .make(body, id: 3, key: "move", from: inView ? .make() : afar))
    }

    /// Asks, with the disk answering what homes ask of it.
    private static func ask(
        _ request: Request, in town: inout TownBench, _ disk: TemporaryStore
    ) async throws -> Refusal? {
        town.push(request)
        try await town.answerQuestions(from: disk)
        town.runUntilIdle()
        return try #require(town.answer(to: request)).refusal
    }

    @Test(arguments: [true, false])
    func moveThatHasEndedMeanwhile_isToTryAgain_andIsAnsweredThen(inView: Bool) async throws {
        var (town, disk, again) = try await Self.make(inView: inView)
        let refusal = try await Self.ask(again, in: &town, disk)
        #expect(refusal?.code == .tryAgain && refusal?.retryAfter != nil)
        #expect(town[Self.here].instances.isEmpty && town[Self.there].instances.map(\.version) == [2])
        let rows = try await disk.read(StoredReply.answer(to: again.key, of: .make()))[0]
        let answer = try StoredReply.answer(for: again, in: try #require(rows.first))
        guard case .edited(let edited) = try answer.result else { throw BenchError("another answer") }
        #expect(edited.instance.cell == Self.there.token && edited.instance.version == 2)
        await disk.close()
    }

    @Test(arguments: [true, false])
    func anotherKey_isToldWhereTheInstanceIs(inView: Bool) async throws {
        var (town, disk, again) = try await Self.make(inView: inView)
        let other = Request.make(
            .editing(town[Self.there].instances[0].claimed(in: Self.here), to: .make()), id: 4, from: again.sender)
        let refusal = try await Self.ask(other, in: &town, disk)
        #expect(refusal?.code == .notFound && refusal?.details["cell"] == Self.there.token)
        await disk.close()
    }

    /// A key lives for a day: after that the same request is a new one, and is not to be tried for ever.
    @Test(arguments: [true, false])
    func keyThatHasExpired_isToldWhereTheInstanceIs(inView: Bool) async throws {
        var (town, disk, again) = try await Self.make(inView: inView)
        town.time.advance(.seconds(86_401))
        let refusal = try await Self.ask(again, in: &town, disk)
        #expect(refusal?.code == .notFound && refusal?.details["cell"] == Self.there.token)
        await disk.close()
    }

    @Test(arguments: [true, false])
    func storeThatCannotBeRead_isToTryAgain(inView: Bool) async throws {
        var (town, disk, again) = try await Self.make(inView: inView)
        town.store = { _ in nil }
        town.push(again)
        town.runUntilIdle()
        #expect(town.answer(to: again)?.refusal?.code == .tryAgain)
        await disk.close()
    }
}

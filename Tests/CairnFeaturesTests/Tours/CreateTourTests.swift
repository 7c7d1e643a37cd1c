import CairnCore
import CairnTesting
import CairnWire
import Testing

@testable import CairnFeatures

/// Tours that are made at the same moment, and what a crash leaves of them (TRM-1, SYN-2).
@Suite("Tours: making")
struct CreateTourTests {
    private static let organisation = OrganisationID(rawValue: 5)
    private static let requests = (UInt32(1)...2).map { Request.make(.createTour(body), id: $0) }

    private static let body: WireCreateTour = {
        var words = WireTourWords()
        (words.language, words.text) = ("en", "Walls")
        var body = WireCreateTour()
        body.facts.name.words = [words]
        body.facts.description_p.words = [words]
        return body
    }()

    /// A town in which two tours were asked for, of an organisation that may have one: both have written their rows,
    /// and neither knows yet what the store has taken. The disk has the rows.
    private static func make() async throws -> (town: TownBench, disk: TemporaryStore) {
        var town = TownBench(settings: .make { $0.tours.perOrganisationMax = 1 })
        town.names.organisations.set(organisation, to: "Walls Ltd")
        town.names.organisations.set(organisation, of: .make())
        town.store = { query in
            query.sql.text.contains("count(*) FROM tours") ? [Row([.integer(0), .integer(0)])] : []
        }
        for request in requests { town.push(request) }
        town.deliver()
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        return (town, disk)
    }

    @Test func crash_leavesNoTourWhoseKeyHasNoAnswer_andNoAnswerWithoutATour() async throws {
        let (_, disk) = try await Self.make()
        var results: [Request.Result?] = []
        for request in Self.requests {
            let row = try await disk.read(StoredReply.answer(to: request.key, of: .make()))[0].first
            results.append(try row.map { try StoredReply.answer(for: request, in: $0).result })
        }
        #expect(results.map { $0 != nil } == [true, false])
        let tours = try await disk.read(Query("SELECT id FROM tours"))[0]
        #expect(tours.count == 1)
        guard case .tourEdited(let edited)?? = results.first else { throw BenchError("another answer") }
        let id = try #require(IdentifierIssuer().identifier(named: edited.tour, TourTag.self))
        #expect(try tours[0].integer(0) == Int64(bitPattern: id.rawValue))
        await disk.close()
    }

    @Test func answers_areThoseOfTheStore_andStoredOnce() async throws {
        var (town, disk) = try await Self.make()
        try await town.answerQuestions(from: disk)
        town.runUntilIdle()
        guard case .tourEdited? = try town.answer(to: Self.requests[0])?.result else { throw BenchError("not made") }
        #expect(town.answer(to: Self.requests[1])?.refusal?.code == .limitReached)
        #expect(town.kept.count { $0.sql.text.hasPrefix("INSERT INTO kept_answers") } == 2)
        await disk.close()
    }

    /// It cannot be known whether the tour is there: a next try makes another.
    @Test func storeThatCannotBeRead_leavesNoTourAndNoAnswer() async throws {
        var (town, disk) = try await Self.make()
        town.store = { _ in nil }
        town.runUntilIdle()
        #expect(town.answer(to: Self.requests[0])?.refusal?.code == .tryAgain)
        for text in ["DELETE FROM tours WHERE id = ?", "DELETE FROM kept_answers WHERE id = ?"] {
            let deletions = town.kept.filter { $0.sql.text == text }
            #expect(deletions.count == 2)
            try await disk.commit(deletions)
        }
        #expect(try await disk.read(Query("SELECT id FROM tours"))[0].isEmpty)
        #expect(try await disk.read(Query("SELECT id FROM kept_answers"))[0].isEmpty)
        await disk.close()
    }

    /// TRM-1, TRM-6: what everybody sees is another organisation's; a draft is as good as none. Who makes no tours is
    /// refused whatever the tour.
    @Test func tourOfAnotherOrganisation_isForbiddenWhereItIsOffered_andElseAbsent() async throws {
        var (town, disk) = try await Self.make()
        try await town.answerQuestions(from: disk)
        town.runUntilIdle()
        guard case .tourEdited(let made)? = try town.answer(to: Self.requests[0])?.result else {
            throw BenchError("not made")
        }
        let (bea, other) = (Sender.make(9), OrganisationID(rawValue: 6))
        town.names.organisations.set(other, to: "Harbour Ltd")
        town.names.organisations.set(other, of: bea.account)
        var (deleting, reading) = (WireDeleteTour(), WireGetTour())
        deleting.tour = made.tour
        (reading.tour, reading.draft) = (made.tour, true)
        #expect(try town.refusal(.deleteTour(deleting), id: 11, from: bea)?.code == .notFound)
        let id = try #require(town.identifiers.identifier(named: made.tour, TourTag.self))
        let known = try #require(try TourTown.make().names.tours.index.tour(TourTown.tour))
        town.names.tours.set(
            id,
            to: OfferedTour(
                id: id, version: 1, organisation: Self.organisation, code: "ABCDEFGK", facts: WireTourFacts(),
                distanceMetres: 1, seconds: 1, start: known.start, area: known.area))
        #expect(try town.refusal(.deleteTour(deleting), id: 12, from: bea)?.code == .forbidden)
        #expect(try town.refusal(.getTour(reading), id: 13, from: bea)?.code == .notFound)
        for (number, name) in [made.tour, "x"].enumerated() {
            reading.tour = name
            let refusal = try town.refusal(.getTour(reading), id: UInt32(14 + number), from: .make(10))
            #expect(refusal?.code == .forbidden && refusal?.details["role"] == "organisation")
        }
        await disk.close()
    }
}

import CairnCore
import CairnTesting
import CairnWire
import Synchronization
import Testing

@testable import CairnFeatures

/// What starting, pausing and leaving tours may cost, and quotas that outlive connections. The rest is in
/// test_keeping.py.
@Suite("Tours: bounds of walking")
struct WalkBoundsTests {
    /// Counts how often a version is asked for.
    private final class Readings: Sendable {
        let shelf = TourShelf()
        private let part: String
        private let made = Mutex(0)
        var count: Int { made.withLock { $0 } }

        init(_ part: String = "FROM tour_versions WHERE tour = ? AND version = ?") { self.part = part }

        @Sendable func answer(_ query: Query) -> [Row]? {
            if query.sql.text.contains(part) { made.withLock { $0 += 1 } }
            return shelf.answer(query)
        }
    }

    @Test func completedRunsOfAPerson_areTheNewest() async throws {
        let disk = try await TemporaryStore.open()
        let count = Int64(CompletedRun.keptMax)
        var rows: [Statement] = []
        for number in 1...(count + 2) {
            for account: Int64 in [7, 8] {
                rows.append(
                    Statement(
                        "INSERT INTO tour_walks (id, account, sealed) VALUES (?, ?, ?)",
                        .integer(number * 10 + account), .integer(account), .blob([1])))
            }
        }
        try await disk.commit(rows)
        try await disk.commit([CompletedRun.surplus(of: .make(7))])
        let oldest = Query("SELECT count(*), min(id) FROM tour_walks WHERE account = ?")
        let kept = try await disk.read(oldest.about(.integer(7)))[0]
        #expect(kept.first?.values == [.integer(count), .integer(37)])
        let others = try await disk.read(oldest.about(.integer(8)))[0]
        #expect(others.first?.values == [.integer(count + 2), .integer(18)])
        await disk.close()
    }

    private static func starting(_ tour: TourID = TourTown.tour, in town: TownBench) -> WireClientMessage.OneOf_Body {
        var body = WireStartTour()
        body.tour = town.identifiers.name(of: tour)
        return .startTour(body)
    }

    /// Starts; the walker is in the run's space from now on.
    private static func start(_ account: UInt64, id: UInt32, in town: inout TownBench) throws -> Sender {
        guard case .run(let run) = try town.ask(.make(starting(in: town), id: id, from: .make(account))).result,
            let space = town.identifiers.identifier(named: run.id, SpaceTag.self)
        else { throw BenchError("not started") }
        return .make(account, scopes: [.members(of: .space(space))])
    }

    @Test func version_isReadOnce_whoeverStarts() throws {
        var town = try TourTown.make()
        let readings = Readings()
        town.store = readings.answer
        var walker = try Self.start(7, id: 1, in: &town)
        #expect(readings.count == 1)
        for id in UInt32(1)...3 {
            #expect(try town.refusal(.leaveRun(WireLeaveRun()), id: 10 * id, from: walker) == nil)
            walker = try Self.start(7, id: 10 * id + 1, in: &town)
        }
        _ = try Self.start(8, id: 50, in: &town)
        #expect(readings.count == 1)
    }

    @Test func startsAtOnce_beginOneRun() throws {
        var town = try TourTown.make()
        let readings = Readings()
        town.store = readings.answer
        for id in UInt32(1)...4 { town.push(.make(Self.starting(in: town), id: id, from: .make(7))) }
        town.runUntilIdle()
        let refusals = town.answers.compactMap { $0.answer.refusal?.code }
        #expect(town.answers.count == 4 && refusals == Array(repeating: .tourInProgress, count: 3))
        #expect(readings.count == 1)
    }

    @Test func whatStartsHaveRead_countsAsALook() throws {
        var town = try TourTown.make(settings: .make { $0.tours.lookBytesPerMinute = 1 })
        let offered = try #require(town.names.tours.index.tour(TourTown.tour))
        let other = OfferedTour(
            id: TourID(rawValue: 78), version: 1, organisation: offered.organisation, code: "ABCDEFGK",
            facts: WireTourFacts(), distanceMetres: 1, seconds: 1, start: offered.start, area: offered.area)
        town.names.tours.set(other.id, to: other)
        let walker = try Self.start(7, id: 1, in: &town)
        #expect(try town.refusal(.leaveRun(WireLeaveRun()), id: 2, from: walker) == nil)
        let refusal = try town.refusal(Self.starting(other.id, in: town), id: 3, from: .make(7))
        #expect(refusal?.code == .rateLimited && refusal?.retryAfter == .seconds(60))
        // What is in memory costs nothing.
        _ = try Self.start(7, id: 4, in: &town)
    }

    /// To see whether the run can be walked, if nobody has its version in memory.
    @Test func whoIsOnATour_hasItsVersionReadOnce() throws {
        var town = try TourTown.make()
        let run = RunFacts(
            id: SpaceID(rawValue: 9), account: AccountID(rawValue: 7), tour: TourTown.tour, version: 3, started: .epoch,
            stops: 3, active: .epoch)
        let readings = Readings("FROM tour_versions")
        readings.shelf["tour_runs WHERE account"] = [Row(run.insertion.arguments)]
        town.store = readings.answer
        for id in UInt32(1)...3 {
            #expect(try town.refusal(Self.starting(in: town), id: id, from: .make(7))?.code == .tourInProgress)
            town.time.advance(.seconds(11))
        }
        #expect(readings.count == 1)
    }

    @Test func startsAndPauses_haveOneQuotaOfAMinute() throws {
        var town = try TourTown.make(settings: .make { $0.runs.runChangesPerMinute = 4 })
        let walker = try Self.start(7, id: 1, in: &town)
        #expect(try town.refusal(.pauseRun(WirePauseRun()), id: 2, from: walker) == nil)
        #expect(try town.refusal(.resumeRun(WireResumeRun()), id: 3, from: walker) == nil)
        #expect(try town.refusal(.leaveRun(WireLeaveRun()), id: 4, from: walker) == nil)
        let refusal = try town.refusal(Self.starting(in: town), id: 5, from: .make(7))
        #expect(refusal?.code == .rateLimited && refusal?.details["limit"] == "4")
        _ = try Self.start(8, id: 6, in: &town)
        town.time.advance(.seconds(60))
        _ = try Self.start(7, id: 7, in: &town)
    }

    /// The home of an account sleeps a minute after the last connection, and forgets what is in memory alone.
    @Test func codesThatWereTried_areCountedWhileNobodyIsConnected() throws {
        var town = try TourTown.make(settings: .make { $0.groups.codesPerHour = 2 })
        let walker = try Self.start(7, id: 1, in: &town)
        var body = WireJoinGroup()
        body.code = "AAAAAAAA"
        for id in UInt32(2)...3 {
            #expect(try town.refusal(.joinGroup(body), id: id, from: walker)?.code == .notFound)
        }
        town.wake(.account(walker.account), [])
        town.wake(account: walker.account, [], hasKeys: false)
        let refusal = try town.refusal(.joinGroup(body), id: 4, from: walker)
        #expect(refusal?.code == .tooManyAttempts && refusal?.retryAfter == .seconds(3_600))
        town.time.advance(.seconds(3_600))
        #expect(try town.refusal(.joinGroup(body), id: 5, from: walker)?.code == .notFound)
    }

    /// An account sleeps a minute after the last connection: what counts for longer is on disk. Quotas of addresses
    /// are the server's.
    @Test func quotasOfMoreThanAMinute_areStored() {
        let quotas = Features.features.flatMap { $0.quotas } + [ChangeQuota.quota(of: Features.features, sharing: [])]
        for quota in quotas where !quota.isOfAddress {
            let long = quota.windows.filter { $0.span.length > .seconds(60) }
            #expect(long.allSatisfy(\.isStored) && (long.isEmpty || quota.stored != nil), "\(quota.what)")
        }
    }
}

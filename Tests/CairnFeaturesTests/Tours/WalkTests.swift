import CairnCore
import CairnGeo
import CairnTesting
import CairnWire
import Synchronization
import Testing

@testable import CairnFeatures

/// What is written before it is told, and what is held once (TRT-9, TRT-13). The rest is in test_runs.py.
@Suite("Tours: runs")
struct WalkTests {
    private static let tour = TourTown.tour
    var town: TownBench
    private let walker = Sender.make(7)

    private static func at(_ north: Double) -> Coordinate { TourTown.at(north) }

    init() throws { town = try TourTown.make() }

    mutating func start(_ sender: Sender? = nil, id: UInt32 = 1) throws -> (id: SpaceID, scope: Scope) {
        var body = WireStartTour()
        body.tour = town.identifiers.name(of: Self.tour)
        let sender = sender ?? walker
        guard case .run(let run) = try town.ask(.make(.startTour(body), id: id, from: sender)).result,
            let space = town.identifiers.identifier(named: run.id, SpaceTag.self)
        else { throw BenchError("not started") }
        return (space, .members(of: .space(space)))
    }

    private mutating func stand(_ north: Double, in space: SpaceID, for seconds: Int = 1, accuracy: Float? = nil) {
        for _ in 0..<seconds {
            town.time.advance(.seconds(1))
            town.move(
                Movement(account: walker.account, place: Self.at(north), accuracyMetres: accuracy, at: 0), in: space)
        }
    }

    private mutating func changes(in space: SpaceID) -> [String] {
        town[.space(space)].events.compactMap { $0.change.flatMap { Mirror(reflecting: $0).children.first?.label } }
    }

    private mutating func follow(_ space: SpaceID, _ scope: Scope) {
        town.open(scope, of: .space(space))
    }

    @Test mutating func walkerHasTheRight_untilTheyLeave() throws {
        let (_, scope) = try start()
        #expect(town.rights[walker.account] == [scope])
        let leaving = WireClientMessage.OneOf_Body.leaveRun(WireLeaveRun())
        let refusal = try town.refusal(leaving, id: 2, from: .make(7, scopes: [scope]))
        #expect(refusal == nil)
        #expect(town.rights[walker.account] == [])
        // The account knows at once that another one may begin.
        _ = try start(id: 3)
    }

    @Test mutating func stops_areReachedInOrder_eachOnce() throws {
        let (space, scope) = try start()
        follow(space, scope)
        stand(200, in: space, for: 15)
        let early = changes(in: space)
        #expect(early == [])
        stand(100, in: space, for: 15)
        stand(100, in: space, for: 5)
        let first = changes(in: space)
        #expect(first == ["stopReached"])
        stand(200, in: space, for: 15)
        stand(300, in: space, for: 15)
        stand(100, in: space, for: 15)
        let count = changes(in: space).filter { $0 == "stopReached" }.count
        #expect(count == 3)
        #expect(town.kept.contains { $0.sql.text.hasPrefix("INSERT INTO tour_walks") })
        #expect(town.kept.contains { $0.sql.text.hasPrefix("DELETE FROM tour_walks") })
    }

    @Test mutating func badFixes_doNotArrive() throws {
        let (space, scope) = try start()
        follow(space, scope)
        stand(100, in: space, for: 15, accuracy: 50.5)
        // The device calls the place invalid.
        stand(100, in: space, for: 15, accuracy: .infinity)
        let early = changes(in: space)
        #expect(early == [])
        stand(100, in: space, accuracy: 50)
        let later = changes(in: space)
        #expect(later == ["stopReached"])
    }

    @Test mutating func popup_isShownOnce() throws {
        let (space, scope) = try start()
        follow(space, scope)
        stand(150, in: space, for: 15)
        stand(0, in: space, for: 15)
        stand(150, in: space, for: 15)
        let shown = changes(in: space)
        #expect(shown == ["popupShown"])
    }

    /// Invariant 4: what is told is on disk.
    @Test mutating func arrival_isToldWhenItIsOnDisk() throws {
        town.disk = .now
        let (space, scope) = try start()
        var home = town[.space(space)]
        home.open(scope)
        home.disk = .later
        home.time.advance(.seconds(20))
        home.move(Movement(account: walker.account, place: Self.at(100), accuracyMetres: nil, at: 0))
        #expect(home.events.isEmpty && home.pending.count == 1)
        #expect(home.core.addendum(for: walker.account).first?.run.reached == 0)
        home.commit()
        #expect(home.events.count == 1)
        #expect(home.core.addendum(for: walker.account).first?.run.reached == 1)
    }

    /// Each device of the walker sends its last position when the run begins, a tablet at home also.
    @Test(arguments: [true, false])
    mutating func positionOfADeviceAtHome_givesWayToTheNewestOne(isFirst: Bool) throws {
        let (space, _) = try start()
        let home = Movement(account: walker.account, place: Self.at(-400), accuracyMetres: nil, at: 1_000_000)
        let phone = Movement(account: walker.account, place: Self.at(100), accuracyMetres: nil, at: 3_600_000_000)
        town.time.advance(.seconds(20))
        for movement in isFirst ? [home, phone] : [phone, home] { town.move(movement, in: space) }
        town.runUntilIdle()
        let run = try #require(town[.space(space)].core.addendum(for: walker.account).first?.run)
        #expect(run.reached == 1 && run.metres == 0)
        // Also where the walker stood during a pause is what the newest one says.
        let sender = Sender.make(7, scopes: [.members(of: .space(space))])
        _ = try town.ask(.make(.pauseRun(WirePauseRun()), id: 10, from: sender))
        town.time.advance(.seconds(60))
        let there = Movement(account: walker.account, place: Self.at(200), accuracyMetres: nil, at: 3_700_000_000)
        for movement in isFirst ? [home, there] : [there, home] { town.move(movement, in: space) }
        guard case .run(let goingOn) = try town.ask(.make(.resumeRun(WireResumeRun()), id: 11, from: sender)).result
        else { throw BenchError("not resumed") }
        #expect(goingOn.reached == 2)
    }

    /// TRT-9: a pause is no way to be at the next stop at once; whoever can have walked there is there.
    @Test mutating func firstFixAfterAPause_countsAtOnce_onlyWhereTheWalkerCanBe() throws {
        let (space, scope) = try start()
        follow(space, scope)
        stand(100, in: space, for: 15)
        let sender = Sender.make(7, scopes: [scope])
        func pauseAndGoOn(_ id: UInt32, for time: Duration) throws {
            _ = try town.ask(.make(.pauseRun(WirePauseRun()), id: id, from: sender))
            town.time.advance(time)
            _ = try town.ask(.make(.resumeRun(WireResumeRun()), id: id + 1, from: sender))
        }
        try pauseAndGoOn(10, for: .zero)
        stand(200, in: space)
        let jumped = changes(in: space).filter { $0 == "stopReached" }.count
        #expect(jumped == 1)
        stand(200, in: space, for: 12)
        let settled = changes(in: space).filter { $0 == "stopReached" }.count
        #expect(settled == 2)
        try pauseAndGoOn(20, for: .seconds(60))
        stand(300, in: space)
        let walked = changes(in: space).filter { $0 == "stopReached" }.count
        #expect(walked == 3)
    }

    /// TRT-9: a walker who has come to the next stop during a pause stands there when they go on, and sends no other
    /// position. What was no way to get there in that time is none afterwards.
    @Test mutating func positionDuringAPause_countsWhenTheWalkerGoesOn() throws {
        let (space, scope) = try start()
        follow(space, scope)
        stand(100, in: space, for: 15)
        let sender = Sender.make(7, scopes: [scope])
        func paused(_ id: UInt32, for time: Duration, standingAt north: Double) throws -> UInt32? {
            _ = try town.ask(.make(.pauseRun(WirePauseRun()), id: id, from: sender))
            town.time.advance(time)
            stand(north, in: space)
            let count = changes(in: space).filter { $0 == "stopReached" }.count
            #expect(count == id / 10, "nothing is reached in a pause")
            guard case .run(let run) = try town.ask(.make(.resumeRun(WireResumeRun()), id: id + 1, from: sender)).result
            else { return nil }
            return run.reached
        }
        let walked = try paused(10, for: .seconds(60), standingAt: 200)
        #expect(walked == 2)
        let jumped = try paused(20, for: .zero, standingAt: 300)
        #expect(jumped == 2)
        let told = changes(in: space).filter { $0 == "stopReached" }.count
        #expect(told == 2)
    }

    /// A position that leads to nothing costs no statement.
    @Test mutating func positions_areNotWritten() throws {
        let (space, _) = try start()
        stand(0, in: space)
        let before = town.kept.count
        stand(1, in: space, for: 60)
        #expect(town.kept.count == before)
    }

    @Test mutating func distance_isWrittenOnTheWay_andGoesOnFromThere() throws {
        let (space, _) = try start()
        for step in 0..<300 { stand(-Double(step) * 1.4, in: space) }
        guard let update = town.kept.last(where: { $0.sql.text.hasPrefix("UPDATE tour_runs") }),
            case .sealed? = update.arguments.first
        else { throw BenchError("not written") }
        let facts = try Self.facts(of: update, id: space, account: walker.account)
        #expect(facts.metres > 290 && facts.metres < 430 && facts.place != nil)
    }

    private static func facts(of update: Statement, id: SpaceID, account: AccountID) throws -> RunFacts {
        try RunFacts(
            stored: Row([
                Runs.integer(id), Runs.integer(account), Runs.integer(tour), .integer(3), update.arguments[0],
            ]))
    }

    /// A thousand runs on a version hold it once.
    @Test mutating func version_isHeldOnce() throws {
        for number in 0..<20 { _ = try start(.make(UInt64(100 + number)), id: UInt32(100 + number)) }
        #expect(town.names.contents.count == 1)
    }

    @Test mutating func clock_standsStillWhilePaused() throws {
        let (_, scope) = try start()
        let sender = Sender.make(7, scopes: [scope])
        town.time.advance(.seconds(60))
        _ = try town.ask(.make(.pauseRun(WirePauseRun()), id: 2, from: sender))
        town.time.advance(.seconds(600))
        _ = try town.ask(.make(.resumeRun(WireResumeRun()), id: 3, from: sender))
        town.time.advance(.seconds(30))
        guard case .run(let run) = try town.ask(.make(.getRun(WireGetRun()), id: 4, from: sender)).result else {
            throw BenchError("no run")
        }
        #expect(run.milliseconds == 90_000)
    }

    /// TRT-11: a run that is complete is over. Another one begins without leaving it, and takes its place.
    @Test mutating func completedRun_isOver_andAnotherOneBegins() throws {
        let (space, _) = try start()
        for north in [100.0, 200, 300] { stand(north, in: space, for: 15) }
        let insertion = try #require(town.kept.last { $0.sql.text.contains("INTO tour_runs") })
        let update = try #require(town.kept.last { $0.sql.text.hasPrefix("UPDATE tour_runs") })
        let row = Row(insertion.arguments.dropLast() + [update.arguments[0]])
        #expect(try RunFacts(stored: row).isCompleted)
        let shelf = TourShelf()
        shelf["tour_runs WHERE account"] = [row]
        town.store = shelf.answer
        let (next, scope) = try start(id: 2)
        #expect(next != space && town.rights[walker.account] == [scope])
        #expect(town.kept.contains { $0.sql.text == "DELETE FROM tour_runs WHERE id = ? AND account = ?" })
        #expect(town[.space(space)].core.addendum(for: walker.account).isEmpty)
    }

    /// A word about an earlier run that is late says nothing of the one that has begun since (TRT-5).
    @Test mutating func lateWordOfAnEarlierRun_doesNotLetASecondOneBegin() throws {
        let (space, _) = try start()
        town.tell(.account(walker.account), RunOver(SpaceID(rawValue: space.rawValue - 1)))
        town.runUntilIdle()
        var body = WireStartTour()
        body.tour = town.identifiers.name(of: Self.tour)
        let second = try town.refusal(.startTour(body), id: 2, from: walker)
        #expect(second?.code == .tourInProgress)
        town.tell(.account(walker.account), RunOver(space))
        town.runUntilIdle()
        _ = try start(id: 3)
    }

    private final class Asked: Sendable {
        let texts = Mutex<[String]>([])
    }

    /// Versions have up to several hundred kilobytes, and the one that is walked is in memory.
    @Test mutating func whoIsOnATour_isRefused_andNoVersionIsRead() throws {
        _ = try start()
        let row = try #require(town.kept.last { $0.sql.text.contains("INTO tour_runs") })
        let (shelf, asked) = (TourShelf(), Asked())
        shelf["tour_runs WHERE account"] = [Row(row.arguments)]
        town.store = { query in
            asked.texts.withLock { $0.append(query.sql.text) }
            return shelf.answer(query)
        }
        town.time.advance(.seconds(11))
        var body = WireStartTour()
        body.tour = town.identifiers.name(of: Self.tour)
        for id in UInt32(2)...4 {
            let refusal = try town.refusal(.startTour(body), id: id, from: walker)
            #expect(refusal?.code == .tourInProgress)
        }
        let versions = asked.texts.withLock { texts in texts.count { $0.contains("tour_versions") } }
        #expect(versions == 0)
    }

    @Test mutating func withdrawnTour_endsTheRunWithNotice() throws {
        let (space, _) = try start()
        town.names.tours.set(Self.tour, to: nil)
        town.tell(.space(space), TourWithdrawn())
        town.runUntilIdle()
        #expect(town.rights[walker.account] == [] && town.notified == [walker.account])
    }

    @Test mutating func tourThatIsOfferedAgain_keepsItsRuns_unlessTheRightToOneEnds() throws {
        let (space, _) = try start()
        town.tell(.space(space), TourWithdrawn())
        town.runUntilIdle()
        #expect(town.notified.isEmpty)
        town.tell(.space(space), RunRevoked())
        town.runUntilIdle()
        #expect(town.rights[walker.account] == [] && town.notified == [walker.account])
    }

    /// Its row or its version is damaged: it is no run, and the walker gets out of it.
    @Test mutating func runThatCannotBeRead_canBeLeft() throws {
        let scope = Scope.members(of: .space(SpaceID(rawValue: 9)))
        let sender = Sender.make(7, scopes: [scope])
        let refusal = try town.refusal(.getRun(WireGetRun()), id: 2, from: sender)
        #expect(refusal?.code == .notFound)
        let isAbsent = try town.refusal(.leaveRun(WireLeaveRun()), id: 3, from: sender)
        #expect(isAbsent?.code == .notFound, "there is no row")
        town.store = { $0.sql.text.contains("tour_runs") ? [Row([.integer(9)])] : [] }
        let second = try town.refusal(.leaveRun(WireLeaveRun()), id: 4, from: sender)
        #expect(second == nil)
        #expect(town.kept.contains { $0.sql.text.hasPrefix("DELETE FROM tour_runs") })
    }

    @Test func damagedRow_isAFault_andNoRun() throws {
        let facts = RunFacts(
            id: SpaceID(rawValue: 9), account: .make(7), tour: Self.tour, version: 3, started: 1_000_000, stops: 3,
            active: 1_000_000)
        let sound = facts.insertion.arguments
        #expect(try RunFacts(stored: Row(sound)) == facts)
        guard case .sealed(let values, let seal, let row, let bound) = sound[4] else { throw BenchError("not sealed") }
        for index in values.indices {
            for wrong in [SQLValue.text("x"), .integer(-1), .blob([]), .real(.nan)] {
                var damaged = values
                damaged[index] = wrong
                _ = try? RunFacts(stored: Row(sound.dropLast() + [.sealed(damaged, seal, row: row, bound: bound)]))
            }
            // Rows of before have one value less.
            guard index < values.count - 1 else { continue }
            let short = SQLValue.sealed(Array(values.prefix(index)), seal, row: row, bound: bound)
            #expect(throws: ColumnFault.self) { try RunFacts(stored: Row(sound.dropLast() + [short])) }
        }
    }
}

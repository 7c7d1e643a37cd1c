import CairnConfiguration
import CairnCore
import CairnGeo
import CairnStore
import CairnTesting
import CairnWire
import Foundation
import Testing

@testable import CairnRoot
@testable import CairnServer

/// Timers with a real store: sleeping homes are woken, over restarts and `kill -9`, and each timer does its work once.
@Suite("Server: timers", .serialized, .timeLimit(.minutes(10)))
struct TimerTests {
    private static let home = HomeAddress.cell(Ground.here.cell)

    /// Each of these bells has rung once.
    private static func once(_ numbers: Range<UInt64>) -> [String: Int64] {
        Dictionary(uniqueKeysWithValues: numbers.map { ("bell \($0)", 1) })
    }

    /// Another bell, which is due later, tells that this one was not late.
    @Test func sleepingHome_isWokenAtItsTime_andNotAtTheNext() async throws {
        let bench = try await ServerBench.start(register: Bells.register) { $0.cells.sleepSeconds = 0 }
        await bench.tell(Self.home, SetBells(1..<3, after: 3_000, apart: 30_000))
        let set = ContinuousClock.now
        try await bench.wait(for: 2) { try await bench.timers() }
        try await bench.figures(until: "the cell to sleep") { $0["cairn_cells_awake"] == 0 }
        #expect(try await bench.rings().isEmpty)
        try await bench.wait(for: Self.once(1..<2)) { try await bench.rings() }
        #expect(ContinuousClock.now - set >= .seconds(3))
        #expect(try await bench.timers() == 1)
        await bench.stop()
    }

    @Test func timer_survivesARestart() async throws {
        let first = try await ServerBench.start(register: Bells.register)
        await first.tell(Self.home, SetBells(1..<3, after: 1_000, apart: 86_400_000))
        try await first.wait(for: 2) { try await first.timers() }
        await first.stop()
        let second = try await ServerBench.start(in: first.folder, register: Bells.register)
        try await second.wait(for: Self.once(1..<2)) { try await second.rings() }
        #expect(try await second.timers() == 1, "the second bell rings tomorrow")
        await second.stop()
    }

    @Test func timersOfManyHomes_eachFireOnce() async throws {
        let bench = try await ServerBench.start(loops: 2, register: Bells.register) { $0.cells.sleepSeconds = 0 }
        for number in 0..<500 as Range<UInt64> {
            await bench.tell(.space(SpaceID(rawValue: number)), SetBells(number..<number + 1, after: 500))
        }
        try await bench.wait(for: Self.once(0..<500)) { try await bench.rings() }
        try await bench.wait(for: 0) { try await bench.timers() }
        await bench.stop()
    }

    @Test(arguments: [1, 100, 300])
    func kill9AmidFirings_losesNoneAndDoublesNone(rings: Int) async throws {
        let folder = try TemporaryFolder()
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = folder.path as String, rings = rings as Int] in
            let bench = try await ServerBench.start(in: TemporaryFolder(at: path), register: Bells.register)
            await bench.tell(TimerTests.home, SetBells(0..<400, after: 500, apart: 1))
            try await bench.wait(for: 400) { try await bench.timers() }
            try await bench.wait(until: "some rings") {
                try await bench.rings().count
            } _: {
                $0 >= rings
            }
            kill(getpid(), SIGKILL)
        }
        let bench = try await ServerBench.start(in: folder, register: Bells.register)
        try await bench.wait(for: Self.once(0..<400)) { try await bench.rings() }
        try await bench.wait(for: 0) { try await bench.timers() }
        await bench.stop()
    }

    /// `CAIRN_TIMERS` timers wait (5,000 unless it says otherwise), and one among them is due.
    @Test(.timeLimit(.minutes(30)))
    func manyTimers_takeNoMemoryWhileTheyWait_andOneOfThemIsInTime() async throws {
        let count = ProcessInfo.processInfo.environment["CAIRN_TIMERS"].flatMap(UInt64.init) ?? 5_000
        let bench = try await ServerBench.start(register: Bells.register) {
            $0.cells.sleepSeconds = 0
            $0.storage.synchronous = .normal
        }
        for number in stride(from: 0, to: count, by: 1_000) {
            let bells = number..<min(number + 1_000, count)
            await bench.tell(.space(SpaceID(rawValue: number)), SetBells(bells, after: 86_400_000))
        }
        try await bench.wait(until: "all to be set", patience: .seconds(1_500)) {
            try await bench.timers()
        } _: {
            $0 == count
        }
        await bench.tell(Self.home, SetBells(count..<count + 1, after: 2_000))
        let set = ContinuousClock.now
        try await bench.wait(for: Self.once(count..<count + 1)) { try await bench.rings() }
        let waited = ContinuousClock.now - set
        print("\(count) timers wait; one was done \(waited) after it was set for 2 s later")
        #expect(waited >= .seconds(2))
        #expect(await bench.server.shards[0].timers.count == 0, "what is due tomorrow is not in memory")
        try await bench.wait(for: 0) { await bench.server.shards[0].homes.counts[.space] ?? 0 }
        #expect(try await bench.timers() == count)
        await bench.stop()
    }

    @Test func timerWhoseTimeAnotherHandChanged_doesNotOpen() async throws {
        let bench = try await ServerBench.start(register: Bells.register)
        await bench.tell(Self.home, SetBells(1..<2, after: 86_400_000))
        try await bench.wait(for: 1) { try await bench.timers() }
        let store = await bench.server.store
        let rows = try await store.read([TimerRow.table.all])[0]
        let row = try #require(rows.first)
        #expect(try TimerRow.table.check(row).map(\.column) == [0])
        try await store.commit([Statement("UPDATE timers SET due = due - 1")])
        let others = try await store.read([TimerRow.table.all])[0]
        let changed = try #require(others.first)
        #expect(throws: DamagedRow.self) { try TimerRow.table.check(changed) }
        await bench.stop()
    }
}

import CairnCore
import CairnFeatures
import CairnTesting
import CairnWire
import Testing

/// STA-4.
@Suite("Engagement")
struct EngagementTests {
    private static let day: Int64 = 86_400_000
    private static let today: Int64 = 20_000

    /// A time of that day.
    private static func time<Time: Timestamp>(_ day: Int64, _ milliseconds: Int64 = 0) -> Time {
        Time(milliseconds: day * Self.day + milliseconds)
    }

    private static func read(_ disk: TemporaryStore, _ days: ClosedRange<Int64>) async throws -> Engagement {
        let queries = Engagement.queries(days)
        return Engagement(days: days, answers: try await disk.read(queries[0], queries[1], queries[2]))
    }

    @Test func counts_addUpOnDiskOverShardsAndDays() async throws {
        let disk = try await TemporaryStore.open()
        for _ in 0..<2 {
            var tally = EngagementTally()
            for _ in 0..<3 { tally.count("things", at: Self.time(Self.today)) }
            tally.count("likes", at: Self.time(Self.today + 1, -1))
            tally.count("things", at: Self.time(Self.today + 1))
            try await disk.commit(tally.take())
            #expect(tally.isEmpty && tally.take().isEmpty)
        }
        let engagement = try await Self.read(disk, Self.today...(Self.today + 1))
        #expect(engagement.byDay[Self.today]?.counts == ["things": 6, "likes": 2])
        #expect(engagement.byDay[Self.today + 1]?.counts == ["things": 2])
        #expect(engagement.total("things") == 8 && engagement.total("orders") == 0)
        #expect(try await Self.read(disk, 0...1).byDay.isEmpty)
        await disk.close()
    }

    @Test func activeUsers_areCountedOnceADayAndOnceAPeriod() async throws {
        let disk = try await TemporaryStore.open()
        for shard in 0..<2 {
            var tally = EngagementTally()
            for hour in 0..<30 {
                tally.note(.make(1), at: Self.time(Self.today, Int64(hour) * 3_600_000))
                tally.note(.make(UInt64(10 + shard)), at: Self.time(Self.today))
            }
            try await disk.commit(tally.take())
        }
        let engagement = try await Self.read(disk, (Self.today - 5)...(Self.today + 5))
        #expect(engagement.byDay[Self.today]?.activeUsers == 3)
        #expect(engagement.byDay[Self.today + 1]?.activeUsers == 1)
        #expect(engagement.activeUsers == 3)
        await disk.close()
    }

    @Test func tally_writesEachAccountOnceADay() {
        var tally = EngagementTally()
        for second in 0..<100 { tally.note(.make(1), at: Self.time(Self.today, Int64(second))) }
        #expect(tally.take().count == 1)
        tally.note(.make(1), at: Self.time(Self.today, 500))
        #expect(tally.isEmpty)
        tally.note(.make(1), at: Self.time(Self.today + 1))
        #expect(!tally.isEmpty)
    }

    @Test func whoWasThere_isForgottenInTime_andWhatWasDoneIsNot() async throws {
        let disk = try await TemporaryStore.open()
        var tally = EngagementTally()
        tally.note(.make(1), at: Self.time(Self.today))
        tally.count("things", at: Self.time(Self.today))
        try await disk.commit(tally.take())
        try await disk.expire(Engagement.expiries(now: Self.time(Self.today + 401)))
        let engagement = try await Self.read(disk, Self.today...Self.today)
        #expect(engagement.activeUsers == 0 && engagement.total("things") == 1)
        await disk.close()
    }

    @Test func everyCount_hasANameOfItsOwn() {
        let names = Features.register.counts.map(\.name.text)
        #expect(names.count > 1 && Set(names).count == names.count)
    }
}

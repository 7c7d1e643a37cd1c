import CairnCore
import Testing

@testable import CairnStore

/// The store's decisions that need no disk.
@Suite("Rules of the store")
struct RuleTests {
    private func entry(_ changes: Int) -> Backlog.Entry {
        Backlog.Entry(
            statements: (0..<changes).map { mark(Int64($0)) }, completion: .ticket(ticket(1)), since: .now)
    }

    @Test func backlog_givesAtLeastOneEntryAndAtMostTheBound() {
        var backlog = Backlog(changesMax: 1_000)
        for changes in [7, 2, 3, 3, 20, 1] { backlog.append(entry(changes)) }
        let batches = (0..<5).map { _ in backlog.take(changesMax: 6).map(\.statements.count) }
        #expect(batches == [[7], [2, 3], [3], [20], [1]])
        #expect(backlog.isEmpty)
    }

    @Test func backlog_countsWhatIsTakenUntilItIsSettled() {
        var backlog = Backlog(changesMax: 10)
        for _ in 1...10 { backlog.append(entry(1)) }
        #expect(!backlog.accepts)
        _ = backlog.take(changesMax: 100)
        #expect(backlog.changes == 10 && !backlog.accepts)
        backlog.decided(changes: 1, rest: .now)
        #expect(!backlog.accepts, "9 is not below 90 %")
        backlog.decided(changes: 1, rest: .now)
        #expect(backlog.accepts)
        backlog.decided(changes: 8, rest: nil)
        #expect(backlog.changes == 0 && backlog.oldest == nil)
    }

    @Test func backlog_knowsItsOldestChange() {
        var backlog = Backlog(changesMax: 10)
        let first = entry(1)
        backlog.append(first)
        backlog.append(entry(1))
        #expect(backlog.oldest == first.since)
        _ = backlog.take(changesMax: 1)
        #expect(backlog.oldest == first.since, "taken is not saved")
    }

    @Test func backlog_keepsTheOrderOverManyRounds() {
        var backlog = Backlog(changesMax: 1_000_000)
        var taken = 0
        for round in 0..<50 {
            for _ in 0..<100 { backlog.append(entry(1)) }
            taken += backlog.take(changesMax: round % 2 == 0 ? 30 : 170).count
        }
        #expect(taken == 5_000)
        #expect(backlog.isEmpty)
    }

    @Test func pauses_doubleUpToTheLongest() {
        var pause = RetryPause(first: .milliseconds(100), longest: .milliseconds(700))
        #expect((1...5).map { _ in pause.next() } == [100, 200, 400, 700, 700].map { .milliseconds($0) })
        pause.reset()
        #expect(pause.next() == .milliseconds(100))
    }

    @Test func log_isCopiedWhenItHasGrown_andSoonerWhenNothingIsToDo() {
        var rule = CheckpointRule(pages: 160, walBytesMax: 400 * 4_096, pageSize: 4_096)
        #expect(rule.due(pages: 159, idle: .zero) == nil)
        #expect(rule.due(pages: 160, idle: .zero) == .copy)
        rule.done(pages: 160)
        #expect(rule.due(pages: 200, idle: .zero) == nil)
        #expect(rule.due(pages: 200, idle: .seconds(1)) == .copy)
        #expect(rule.due(pages: 320, idle: .zero) == .copy)
        #expect(rule.due(pages: 400, idle: .zero) == .empty)
        #expect(rule.due(pages: 5, idle: .zero) == nil, "begun anew")
        #expect(rule.due(pages: 160, idle: .zero) == .copy)
    }

    @Test func logOfLargeTransactions_growsLargerBeforeItIsCopied() {
        var rule = CheckpointRule(pages: 160, walBytesMax: 4_000 * 4_096, pageSize: 4_096)
        rule.saved(units: 30)
        #expect(rule.due(pages: 299, idle: .zero) == nil && rule.due(pages: 300, idle: .zero) == .copy)
        rule.saved(units: 1_000)
        #expect(rule.due(pages: 639, idle: .zero) == nil && rule.due(pages: 640, idle: .zero) == .copy)
        #expect(rule.due(pages: 10, idle: .seconds(1)) == .copy, "an idle writer does not wait for more")
        rule.saved(units: 1)
        #expect(rule.due(pages: 160, idle: .zero) == .copy)
    }

    /// A few units never wait for more; many wait for as many again, and not for longer than the rule says.
    @Test func gathering_waitsForAsManyUnitsAsWereSaved() throws {
        let now = ContinuousClock.now
        #expect(GatherRule(after: 15, at: now) == nil)
        let few = try #require(GatherRule(after: 16, at: now))
        #expect(few.units == 16 && few.until == now + .microseconds(800))
        let many = try #require(GatherRule(after: 1_000, at: now))
        #expect(many.units == 1_000 && many.until == now + .milliseconds(20))
    }

    @Test func histogram_bucketsByPowersOfTwo() {
        var histogram = LogHistogram()
        for value in [0, 1, 2, 3, 900, 1_000, 1_100] { histogram.record(.microseconds(value)) }
        #expect(histogram.count == 7 && histogram.sum == 3_006 && histogram.max == 1_100)
        #expect(histogram.buckets[0] == 1 && histogram.buckets[1] == 1 && histogram.buckets[2] == 2)
        #expect(histogram.buckets[10] == 2 && histogram.buckets[11] == 1)
        #expect(histogram.quantile(0.5) == 4)
        #expect(histogram.quantile(1) == 1_100)
        #expect(LogHistogram().quantile(0.99) == 0)
    }
}

import CairnTesting
import CairnWire
import Foundation
import Testing

@testable import CairnCore

/// Messages between two homes that crash, over a real store. `CAIRN_MESSAGE_RUNS=100000` is the long form.
@Suite("Messages between homes that die")
struct MessageModelTests {
    private static let runs = ProcessInfo.processInfo.environment["CAIRN_MESSAGE_RUNS"].flatMap { UInt64($0) } ?? 100
    private static let steps = 60

    private static func open() async throws -> TemporaryStore {
        try await TemporaryStore.open(
            Purses.register,
            migrations: Purses.register.migrations + StoredReply.migrations + Engagement.migrations
                + TimerRow.migrations + HeardMessage.migrations)
    }

    @Test func coinsAreNeitherLostNorMade_whateverDies_andEveryMessageComesToItsEnd() async throws {
        let disk = try await Self.open()
        let first = UInt64.random(in: 0..<1 << 32)
        var deaths = 0
        for number in 0..<Self.runs {
            var model = MessageModel(number: number, seed: first + number, disk: disk)
            let complaint = try await model.run(steps: Self.steps)
            #expect(complaint == nil, "seed \(first + number)")
            deaths += model.deaths
            if complaint != nil { break }
        }
        #expect(deaths > Self.runs / 2)
        #expect(try await disk.read(HeardMessage.table.all)[0].isEmpty, "no row is left of what was decided")
        if Self.runs > 1_000 { print("\(Self.runs) runs from seed \(first), \(deaths) deaths") }
        await disk.close()
    }

    /// Runs from consecutive seeds are independent.
    @Test func neighbouringSeeds_haveNoNumbersInCommon() {
        let streams = (0..<50 as Range<UInt64>).map { seed in
            var random = SeededRandom(seed)
            return (0..<200).map { _ in random.next() }
        }
        #expect(Set(streams.joined()).count == 50 * 200)
    }

    @Test(arguments: [MessageModel.Fault.outboxIsNotWritten, .inboxIsNotWritten])
    func rowThatIsNotWritten_isNoticed(fault: MessageModel.Fault) async throws {
        let disk = try await Self.open()
        for number in 0..<200 as Range<UInt64> {
            var model = MessageModel(number: number, seed: 1 + number, disk: disk, fault: fault)
            if try await model.run(steps: Self.steps) != nil { return await disk.close() }
        }
        Issue.record("200 runs noticed nothing")
        await disk.close()
    }
}

import CairnCore
import CairnFeatures
import CairnTesting
import CairnWire
import Testing

/// What operators read of what somebody left (MOD-4).
@Suite("Pages of what somebody left")
struct WithdrawalTests {
    /// One row more tells that there is another page; any further one would be read for nothing.
    @Test func pages_areReadWithOneRowMore() async throws {
        var town = TownBench(settings: .unlimited)
        for id in 1...5 {
            _ = try town.place(UInt32(id), by: .make(1))
            town.time.advance(.seconds(1))
        }
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        for count in [1, 3, InstancePage.countMax] {
            let page = InstancePage(below: nil, now: .epoch, count: count)
            var rows = 0
            for withdrawal in Features.register.withdrawals {
                let query = withdrawal.owned(.make(1), page)
                #expect(query.arguments.last == .integer(Int64(count) + 1), "\(withdrawal.kind)")
                rows += try await disk.read(query).reduce(0) { $0 + $1.count }
            }
            #expect(rows == min(5, count + 1))
        }
        await disk.close()
    }
}

import CairnCore
import CairnFeatures
import CairnTesting
import CairnWire
import Testing

/// What operators read of what somebody left (MOD-4).
@Suite("Pages of what somebody left")
struct WithdrawalTests {
    /// One row more tells that there is another page. Further ones are bounded, however much there is.
    @Test func pages_areReadWithARowMore_andNoMoreThanTheLargestPageNeeds() async throws {
        var town = TownBench(settings: .unlimited)
        for id in 1...(InstancePage.countMax + 3) {
            _ = try town.place(UInt32(id), by: .make(1))
            town.time.advance(.seconds(1))
        }
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        for count in [1, InstancePage.countMax] {
            let page = InstancePage(below: nil, now: .epoch, count: count)
            var rows = 0
            for withdrawal in Features.register.withdrawals {
                rows += try await disk.read(withdrawal.owned(.make(1), page)).reduce(0) { $0 + $1.count }
            }
            #expect(rows > count && rows <= InstancePage.countMax + 1)
        }
        await disk.close()
    }
}

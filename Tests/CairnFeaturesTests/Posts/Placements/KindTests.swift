import CairnCore
import CairnFeatures
import CairnTesting
import CairnWire
import Testing

@Suite("Posts: beside instances of other kinds")
struct KindTests {
    @Test func post_takesNoneOfTheRoomForThings() throws {
        var town = TownBench(settings: .make { $0.placements.areaQuota = 1 })
        _ = try town.post(1)
        #expect(try town.refusal(.placing(), id: 2) == nil)
        #expect(try town.refusal(.placing(), id: 3)?.code == .quotaArea)
    }
}

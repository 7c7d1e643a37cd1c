import CairnGeo
import CairnTesting
import CairnTime
import CairnWire
import Testing

@testable import CairnServer

@Suite("Stats: the last refusals")
struct RecentRefusalsTests {
    private let cell = CellID(.make(latitude: 45.5, longitude: -73.57), level: 16)
    private let other = CellID(.make(latitude: 48.85, longitude: 2.35), level: 16)

    private func refusal(_ code: Refusal.Code = .notFound) -> Refusal {
        Refusal(code, "a text that may name somebody", component: "things")
    }

    @Test func refusal_isKeptForItsCell() {
        var recent = RecentRefusals()
        recent.add(refusal(), in: cell, at: 7)
        recent.add(refusal(), in: nil, at: 8)
        #expect(recent.of(cell).map(\.at) == [7])
        #expect(recent.of(cell).map(\.code) == ["not_found"])
        #expect(recent.of(other).isEmpty)
    }

    @Test func newestReplaceTheOldest() {
        var recent = RecentRefusals()
        for time in 0..<UInt64(2_000) {
            recent.add(refusal(), in: time % 2 == 0 ? cell : other, at: MonotonicTime(microseconds: time))
        }
        let kept = (recent.of(cell) + recent.of(other)).map(\.at.microseconds).sorted()
        #expect(kept == Array(1_488..<2_000))
    }
}

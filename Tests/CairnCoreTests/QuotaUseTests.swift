import CairnTesting
import CairnWire
import Testing

@testable import CairnCore

/// A limit of several windows (PLC-6, PLC-7).
@Suite("Quota")
struct QuotaUseTests {
    private struct Limits: FeatureSettings {
        static let section = "limits"
        static let meaning = "Limits."
        static let keys: [SettingKey<Self>] = []

        var perSecond = 2
        var perMinute = 3
    }

    private static let quota = Quota(
        "things", of: "test", code: .rateLimited, counting: [SetThing.self],
        windows: [
            Quota.Window(Quota.Span("second", length: .seconds(1)), isStored: false) { $0[Limits.self].perSecond },
            Quota.Window(.minute) { $0[Limits.self].perMinute },
        ],
        stored: Quota.Stored(
            query: { _, _ in Query("TIMES") }, times: { rows, _ in rows.map { (try? $0.lastingTime(0)) ?? 0 } }))

    private var use = QuotaUse(of: quota, settings: Settings())

    private mutating func spend(_ count: Int, at now: LastingTime) throws {
        for _ in 0..<count {
            guard case .granted = use.reserve(now: now) else { throw BenchError("no place is left") }
            use.settle(granted: true, now: now)
        }
    }

    private mutating func refusal(at now: LastingTime) -> Refusal? {
        if case .refused(let refusal) = use.reserve(now: now) { refusal } else { nil }
    }

    @Test mutating func windowThatTakesLongest_speaks() throws {
        try spend(2, at: 0)
        #expect(refusal(at: 10)?.message == "2 things in the last second, the limit is 2")
        #expect(refusal(at: 10)?.retryAfter == .milliseconds(990))
        try spend(1, at: 1_000)
        #expect(refusal(at: 2_500)?.message == "3 things in the last minute, the limit is 3")
        #expect(refusal(at: 2_500)?.details == ["count": "3", "limit": "3", "period": "minute"])
        #expect(refusal(at: 2_500)?.retryAfter == .milliseconds(57_500))
    }

    @Test mutating func reservedPlaces_areWaitedFor_andFreeAgainWhenRefused() throws {
        for _ in 0..<2 { guard case .granted = use.reserve(now: 0) else { throw BenchError("two are free") } }
        guard case .wait = use.reserve(now: 0) else { throw BenchError("both are reserved") }
        use.settle(granted: false, now: 0)
        guard case .granted = use.reserve(now: 0) else { throw BenchError("one is free again") }
    }

    @Test mutating func whatIsStored_countsOnlyInWindowsThatAreStored() {
        _ = use.restore([0, 1, 2].map { Row([.integer($0)]) })
        #expect(refusal(at: 2)?.details["period"] == "minute")
        #expect(refusal(at: 60_000) == nil, "the first of three is a minute old")
    }

    @Test mutating func limitThatWasLowered_countsWhatWasUsedBefore() throws {
        try spend(2, at: 0)
        var settings = Settings()
        settings[Limits.self].perMinute = 1
        use.apply(settings)
        #expect(refusal(at: 2_000)?.message == "2 things in the last minute, the limit is 1")
        #expect(refusal(at: 60_000) == nil)
    }

    @Test func oneAfterAnother_letsTheNextWaitUntilTheOneBeforeIsDecided() {
        var use = QuotaUse(of: .oneAfterAnother([SetThing.self], of: "test"), settings: Settings())
        for _ in 0..<3 {
            guard case .granted = use.reserve(now: 0) else { return #expect(Bool(false), "it never refuses") }
            guard case .wait = use.reserve(now: 0) else { return #expect(Bool(false), "the next does not wait") }
            use.settle(granted: true, now: 0)
        }
    }
}

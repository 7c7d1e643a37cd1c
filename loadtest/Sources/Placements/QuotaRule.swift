import CairnTime
import CairnWire

/// Never more accepted than allowed (PLC-5, PLC-6, PLC-7).
///
/// A bot knows when it asked and when it was answered, not when the server decided. So only what is certain is judged:
/// placements whose first was asked for and whose last was answered within the period all fall into it.
struct QuotaRule {
    let perMinute: Int
    let perDay: Int
    let perArea: Int

    init(perMinute: Int = .max, perDay: Int = .max, perArea: Int = .max) {
        self.perMinute = perMinute
        self.perDay = perDay
        self.perArea = perArea
    }

    /// As a server says in its welcome.
    init(_ limits: WireLimits) {
        self.init(
            perMinute: Int(limits.placementsPerMinute), perDay: Int(limits.placementsPerDay),
            perArea: Int(limits.areaQuota))
    }

    private static let minute: Duration = .seconds(60)
    private static let day: Duration = .seconds(86_400)

    func judge(_ placements: [InstanceID: PlacementLedger.Placement], _ broken: inout Broken) {
        for (bot, own) in Dictionary(grouping: placements.values, by: \.placer) {
            judgePeriod(own, limit: perMinute, length: Self.minute, "minute", bot, &broken)
            judgePeriod(own, limit: perDay, length: Self.day, "day", bot, &broken)
            for (cell, here) in Dictionary(grouping: own, by: \.placedIn) { judgeArea(here, cell, bot, &broken) }
        }
    }

    private func judgePeriod(
        _ own: [PlacementLedger.Placement], limit: Int, length: Duration, _ period: String, _ bot: Int,
        _ broken: inout Broken
    ) {
        guard own.count > limit else { return }
        // By the answer: of those up to the last one, the `limit` asked for latest are the hardest to tell apart.
        let asked = own.map(\.requestedAt).sorted()
        let answered = own.map(\.acknowledgedAt).sorted()
        for last in limit..<own.count where answered[last] - asked[last - limit] < length {
            broken.add("quota_period", "bot \(bot) placed \(limit + 1) in one \(period), allowed are \(limit)")
        }
    }

    /// Those that are certainly there at a time: answered, not asked to be removed, not asked to be moved away.
    private func judgeArea(_ here: [PlacementLedger.Placement], _ cell: String, _ bot: Int, _ broken: inout Broken) {
        guard here.count > perArea else { return }
        var steps: [(at: MonotonicTime, by: Int)] = []
        for placement in here {
            steps.append((placement.acknowledgedAt, 1))
            let ends = [placement.removingAt, placement.movedTo.first?.requestedAt].compactMap(\.self)
            if let end = ends.min() { steps.append((max(end, placement.acknowledgedAt), -1)) }
        }
        var count = 0
        var most = 0
        for step in steps.sorted(by: { ($0.at, $0.by) < ($1.at, $1.by) }) {
            count += step.by
            most = max(most, count)
        }
        if most > perArea {
            broken.add("quota_area", "bot \(bot) had \(most) in \(cell), allowed are \(perArea)")
        }
    }
}

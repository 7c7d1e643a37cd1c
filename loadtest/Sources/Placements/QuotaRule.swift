import CairnTime
import CairnWire

/// The server never accepts more than the quotas allow (PLC-5, PLC-6, PLC-7).
///
/// A bot knows the times of its requests and of the answers, but not when the server decided. So only certain cases are
/// judged: if the first of some placements was requested and the last was answered within one period, the server
/// decided all of them in that period.
struct QuotaRule {
    let perMinute: Int
    let perDay: Int
    let perArea: Int

    init(perMinute: Int = .max, perDay: Int = .max, perArea: Int = .max) {
        self.perMinute = perMinute
        self.perDay = perDay
        self.perArea = perArea
    }

    /// The quotas of a server's welcome.
    init(_ limits: WireLimits) {
        self.init(
            perMinute: Int(limits.placementsPerMinute), perDay: Int(limits.placementsPerDay),
            perArea: Int(limits.areaQuota))
    }

    private static let minute: Duration = .seconds(60)
    private static let day: Duration = .seconds(86_400)

    /// - Parameter rights: say when what sub-realms share may be gone with the last member.
    func judge(
        _ placements: [InstanceID: PlacementLedger.Placement], _ rights: RightHistory, _ broken: inout Broken
    ) {
        for (bot, own) in Dictionary(grouping: placements.values, by: \.placer) {
            judgePeriod(own, limit: perMinute, length: Self.minute, "minute", bot, &broken)
            judgePeriod(own, limit: perDay, length: Self.day, "day", bot, &broken)
            for (cell, here) in Dictionary(grouping: own, by: \.placedIn) {
                judgeArea(here, rights, cell, bot, &broken)
            }
        }
    }

    private func judgePeriod(
        _ own: [PlacementLedger.Placement], limit: Int, length: Duration, _ period: String, _ bot: Int,
        _ broken: inout Broken
    ) {
        guard own.count > limit else { return }
        // Both lists are sorted by themselves. `last + 1` placements were answered by `answered[last]`, and at most
        // `last - limit` of them were requested before `asked[last - limit]`. So at least `limit + 1` lie between the
        // two times.
        let asked = own.map(\.requestedAt).sorted()
        let answered = own.map(\.acknowledgedAt).sorted()
        for last in limit..<own.count where answered[last] - asked[last - limit] < length {
            broken.add("quota_period", "bot \(bot) placed \(limit + 1) in one \(period), allowed are \(limit)")
        }
    }

    /// Judges the instances that certainly exist at one time: answered, with no removal and no move to another cell
    /// requested.
    private func judgeArea(
        _ here: [PlacementLedger.Placement], _ rights: RightHistory, _ cell: String, _ bot: Int, _ broken: inout Broken
    ) {
        guard here.count > perArea else { return }
        var steps: [(at: MonotonicTime, by: Int)] = []
        for placement in here {
            steps.append((placement.acknowledgedAt, 1))
            let ends = [placement.removingAt, placement.movedTo.first?.requestedAt, unshared(placement, rights)]
                .compactMap(\.self)
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

    /// When the last of its sub-realms may have ended; nil = it is public, or one of them certainly exists.
    private func unshared(_ placement: PlacementLedger.Placement, _ rights: RightHistory) -> MonotonicTime? {
        let ends = placement.realms.map(rights.mayEnd)
        return ends.contains(nil) ? nil : ends.compactMap(\.self).max()
    }
}

internal import CairnGeo
internal import CairnTime
internal import CairnWire

/// A shard's last refusals of people who were in some cell, for operators who look at that cell. Says what was refused
/// and where, not to whom (STA-3).
struct RecentRefusals: Sendable {
    /// Oldest first until it is full, then a ring.
    private var kept: [Refused] = []
    private var next = 0

    /// Refusals that are kept; each newer one replaces the oldest.
    private static let countMax = 512

    struct Refused: Sendable {
        let cell: CellID
        let at: MonotonicTime
        let code: String
        let component: String
    }

    mutating func add(_ refusal: Refusal, in cell: CellID?, at time: MonotonicTime) {
        guard let cell else { return }
        let refused = Refused(cell: cell, at: time, code: refusal.code.rawValue, component: refusal.component)
        if kept.count < Self.countMax {
            kept.append(refused)
        } else {
            kept[next] = refused
            next = (next + 1) % Self.countMax
        }
    }

    /// The last ones in a cell, in no order.
    func of(_ cell: CellID) -> [Refused] { kept.filter { $0.cell == cell } }
}

/// When a fault happens: once in each `period` occasions, in the middle of them.
struct FaultSchedule: Sendable {
    /// The fault happens on one in this many occasions.
    let period: Int
    private var occasions = 0
    /// How often it has happened.
    private(set) var count = 0

    init(oneIn period: Int) { self.period = period }

    /// An occasion has come.
    /// - Returns: whether the fault happens now.
    mutating func strikes() -> Bool {
        occasions += 1
        guard occasions % period == period / 2 else { return false }
        count += 1
        return true
    }
}

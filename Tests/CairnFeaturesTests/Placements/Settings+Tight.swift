import CairnCore
import CairnFeatures

extension Settings {
    /// One thing a minute, and no more.
    mutating func becomeTight() { placements.perMinute = 1 }
}

import CairnCore
import CairnFeatures
import CairnTesting

extension Settings {
    /// Settings under which people react and vote as often as they like.
    static func gesturing(_ change: (inout Settings) -> Void) -> Settings {
        .make { settings in
            settings.reactions.perMinute = 1_000_000
            change(&settings)
        }
    }
}

internal import CairnCore

/// Whether others may see a person's position, and how exactly they learn where the person is (VIS-9, PRF-8).
///
/// The person's settings hold for all their connections. A connection may say that it shares less: of its own words
/// and of the settings the one that tells less counts.
struct Sharing: Sendable {
    /// The person's saved settings.
    var saved = Wish()
    /// The choice of this connection.
    var said = Wish()

    /// Nil = no word about it.
    struct Wish: Sendable {
        var shares: Bool?
        var accuracy: LocationAccuracy?

        var isEmpty: Bool { shares == nil && accuracy == nil }

        /// The same, with what a newer one says.
        func updated(by newer: Self) -> Self {
            Self(shares: newer.shares ?? shares, accuracy: newer.accuracy ?? accuracy)
        }
    }

    /// Whether others see the person.
    var isOn: Bool { saved.shares != false && said.shares ?? saved.shares ?? false }

    /// Metres of the grid; 0 = exact.
    func gridMetres(initially: LocationAccuracy) -> Double {
        [saved.accuracy, said.accuracy].compactMap { $0?.gridMetres }.max() ?? initially.gridMetres
    }
}

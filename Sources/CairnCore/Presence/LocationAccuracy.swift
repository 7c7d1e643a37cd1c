/// How exactly others learn where a person is (PRF-8).
public enum LocationAccuracy: String, CaseIterable, Sendable {
    case exact
    case tenMetres = "10"
    case hundredMetres = "100"
    case thousandMetres = "1000"

    /// That which tells least.
    public static let coarsest = thousandMetres

    /// Metres of the grid; 0 = none.
    public var gridMetres: Double { Double(rawValue) ?? 0 }

    /// The accuracy of a grid of so many metres; nil = there is none.
    public init?(gridMetres: UInt32) {
        self.init(rawValue: gridMetres == 0 ? Self.exact.rawValue : "\(gridMetres)")
    }
}

/// The messages that belong to the session itself and to no feature, by their field in the envelope. Those that sign up
/// and in are `EntranceCommand`s.
enum SessionMessage: UInt32 {
    case hello = 10
    case position, share, signOut, refresh
    case selectRealm = 17
    case getSnapshot = 28
    case openTour = 154
    case closeTour

    /// As JSON calls them.
    static let names = [
        "hello", "position", "share", "signOut", "refresh", "selectRealm", "getSnapshot", "openTour", "closeTour",
    ]

    /// As the schema calls it.
    static let snapshotName = "get_snapshot"

    init?(field: UInt32) { self.init(rawValue: field) }

    var field: UInt32 { rawValue }
}

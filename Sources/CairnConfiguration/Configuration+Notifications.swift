extension Configuration {
    /// What people are told of what others do (NTF-1, NTF-2).
    public struct Notifications: Sendable, Equatable {
        /// How long a notification is kept, in days.
        public var days = 30
        /// Notifications of one account that are kept.
        public var countMax = 1_000

        /// The shipped defaults.
        public init() {}
    }
}

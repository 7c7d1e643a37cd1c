extension Configuration {
    /// What people are told of when they come near it (PRX-1, PRX-2).
    public struct Nearby: Sendable, Equatable {
        /// Distance in metres from a tour's start within which a client is told of it.
        public var tourStartMetres = 50.0
        /// Distance in metres from a tour's area within which people who asked for it are notified.
        public var tourAreaMetres = 200.0

        /// The shipped defaults.
        public init() {}
    }
}

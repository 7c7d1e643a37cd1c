extension Configuration {
    /// What people are told of when they come near it (PRX-1, PRX-2).
    public struct Nearby: Sendable, Equatable {
        /// Live views tell of tours that begin within so many metres.
        public var tourStartMetres = 50.0

        /// The shipped defaults.
        public init() {}
    }
}

extension Configuration {
    /// What people are told of when they come near it (PRX-1, PRX-2).
    public struct Nearby: Sendable, Equatable {
        /// Live views tell of tours that begin within so many metres.
        public var tourStartMetres = 50.0
        /// Who wants that is told of tours whose area is within so many metres.
        public var tourAreaMetres = 200.0

        /// The shipped defaults.
        public init() {}
    }
}

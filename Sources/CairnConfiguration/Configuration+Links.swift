extension Configuration {
    /// The apps that open links of tours (TRT-3).
    public struct Links: Sendable, Equatable {
        /// Apps on Apple's platforms: team and bundle.
        public var appleApps: [String] = []
        /// Apps on Android: package and SHA-256 fingerprint of its certificate.
        public var androidApps: [String] = []

        /// The shipped defaults.
        public init() {}
    }
}

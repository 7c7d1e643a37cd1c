extension Configuration {
    /// Guests who look at the world without an account (SES-14).
    public struct Guests: Sendable, Equatable {
        /// Whether they may.
        public var look = false
        /// Views at once of one address; 0 = any number.
        public var viewsPerAddress = 5
        /// Views at once of all addresses.
        public var viewsMax = 1_000
        /// Cells that come into the views of one address in a minute; 0 = any number.
        public var cellsPerMinutePerAddress = 20
        /// Cells that come into all views in a minute.
        public var cellsPerMinute = 2_000
        /// Megabytes of such cells that one address is sent in a minute; 0 = any number.
        public var megabytesPerMinutePerAddress = 20
        /// Megabytes of such cells that all are sent in a minute.
        public var megabytesPerMinute = 1_000
        /// Questions of one address in a minute; 0 = any number.
        public var questionsPerMinutePerAddress = 300
        /// Questions of all addresses in a minute.
        public var questionsPerMinute = 30_000

        /// The shipped defaults.
        public init() {}
    }
}

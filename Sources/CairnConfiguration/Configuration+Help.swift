extension Configuration {
    /// What the server tells people who look for help (PRF-10).
    public struct Help: Sendable, Equatable {
        /// A file with the texts; nil = the built-in ones.
        public var file: String?
        /// Telephone number of the support; nil = there is none.
        public var phone: String?
        /// Email address that organisations' forms go to; nil = the form's text says how.
        public var formAddress: String?

        /// The shipped defaults.
        public init() {}
    }
}

extension Refusal {
    /// The reason of a refusal, as a word that never changes its meaning. The list is section 40 of the requirements.
    ///
    /// Codes are compared by `rawValue`; a client may meet one that its build does not know.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// As on the wire, for instance `hello_required`.
        public let rawValue: String
        private let meaning: Meaning

        /// Texts and retry hint of a code; shared by all copies of it.
        private final class Meaning: Sendable {
            let message: String
            let remedy: String
            let retryAfter: Duration?

            init(message: String, remedy: String, retryAfter: Duration?) {
                self.message = message
                self.remedy = remedy
                self.retryAfter = retryAfter
            }
        }

        private static let unknown = Meaning(
            message: "The server refused for a reason that this version does not know.",
            remedy: "Update the client.", retryAfter: nil)

        /// The code of that name, with its texts if it is one of `general`. It equals a feature's code of that name;
        /// the texts of that code come with the refusal.
        public init(rawValue: String) {
            self = Self.byName[rawValue] ?? Self(rawValue: rawValue, meaning: Self.unknown)
        }

        /// A new code.
        /// - Parameters:
        ///   - name: as on the wire: lower case, words joined with `_`.
        ///   - message: one sentence for people who meet it.
        ///   - remedy: what the client or its user does about it, for the documentation.
        ///   - retryAfter: default time to wait, where the same request may succeed later.
        init(_ name: String, _ message: String, remedy: String, retryAfter: Duration? = nil) {
            self.init(rawValue: name, meaning: Meaning(message: message, remedy: remedy, retryAfter: retryAfter))
        }

        private init(rawValue: String, meaning: Meaning) {
            self.rawValue = rawValue
            self.meaning = meaning
        }

        /// One readable English sentence.
        public var message: String { meaning.message }
        /// What the client or its user does about it.
        public var remedy: String { meaning.remedy }
        /// How long to wait when a refusal does not say; nil = waiting does not help.
        public var retryAfter: Duration? { meaning.retryAfter }
        /// Whether the same request may succeed later.
        public var mayRetry: Bool { retryAfter != nil }
        public var description: String { rawValue }

        public static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }
        public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

        /// The codes that belong to no feature, in the order of the requirements. A feature registers its own.
        public static let general: [Self] = protocolCodes + commonCodes + accountCodes + purchaseCodes

        private static let byName = Dictionary(uniqueKeysWithValues: general.map { ($0.rawValue, $0) })
    }
}

/// A rule of the protocol that a server broke towards this client (SES-7): what tests and load bots look for.
public struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// Which rule.
    public enum Rule: String, CaseIterable, Sendable {
        /// An event's number is not the next one: some are missing.
        case gap
        /// An event's number was there already.
        case repeated
        /// An event that was missing came after a later one.
        case reordered
        /// An event of a topic whose snapshot is not complete.
        case eventBeforeSnapshot = "event_before_snapshot"
        /// An event of, or the end of, a topic that is not in view.
        case unknownTopic = "unknown_topic"
        /// Pages of a snapshot that do not belong together, or lead back to an earlier number.
        case brokenSnapshot = "broken_snapshot"
        /// An instance entered a topic that already holds it.
        case enteredTwice = "entered_twice"
        /// A change of an instance that the topic does not hold.
        case unknownInstance = "unknown_instance"
        /// A version that does not follow the one before.
        case versionBack = "version_back"
        /// An id or an epoch that is none.
        case badIdentifier = "bad_identifier"
        /// A reply to a request that is not waiting for one.
        case unknownRequest = "unknown_request"
        /// A pose of a slot without a person.
        case unknownSlot = "unknown_slot"
        /// A message that cannot be read.
        case unreadable
        /// A message that has no place at this point, such as a view before the welcome.
        case outOfPlace = "out_of_place"
    }

    public let rule: Rule
    /// The topic or cell; empty where the rule knows none.
    public let topic: String
    /// For people.
    public let detail: String

    public init(_ rule: Rule, topic: String = "", _ detail: String) {
        self.rule = rule
        self.topic = topic
        self.detail = detail
    }

    public var description: String {
        topic.isEmpty ? "\(rule.rawValue): \(detail)" : "\(rule.rawValue) in \(topic): \(detail)"
    }
}

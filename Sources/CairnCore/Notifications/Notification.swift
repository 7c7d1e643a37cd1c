public import CairnWire

/// Marks the type `NotificationID`; it has no values.
public enum NotificationTag {}
/// Names a notification, for ever: devices recognise a repeat by it.
public typealias NotificationID = Identifier<NotificationTag>

/// What a person is told when it happens or at their next connection, each once per device (NTF-1).
///
/// A notification refers to a person by their account alone: their name is looked up when it is shown, so a new name is
/// shown, and a person who is gone has none.
public struct Notification: Sendable, Hashable {
    public let id: NotificationID
    /// The only account that ever reads it.
    public let recipient: AccountID
    public let kind: NotificationKind
    public let at: LastingTime
    /// The person who has caused it; nil = no person.
    public let person: AccountID?
    public let realm: RealmID?
    public let instance: InstanceID?
    /// What the recipient calls the thing that it is about, for instance the title of a sub-realm. Never the name of a
    /// person.
    public let label: String

    /// A notification that has no id and no time yet.
    public struct Draft: Sendable, Hashable {
        public let recipient: AccountID
        public let kind: NotificationKind
        public let person: AccountID?
        public let realm: RealmID?
        public let instance: InstanceID?
        public let label: String

        /// - Parameter label: as in `Notification.label`. Longer labels are cut to `labelBytesMax`.
        public init(
            to recipient: AccountID, kind: NotificationKind, person: AccountID? = nil, realm: RealmID? = nil,
            instance: InstanceID? = nil, label: String = ""
        ) {
            self.recipient = recipient
            self.kind = kind
            self.person = person
            self.realm = realm
            self.instance = instance
            self.label = label.cut(toBytes: Notification.labelBytesMax)
        }
    }

    /// The longest label, in UTF-8 bytes: a page of notifications then fits a message.
    public static let labelBytesMax = 256

    /// A push follows when no device of the recipient has acknowledged the notification for this long. A connected
    /// device acknowledges within a round trip.
    public static let pushGrace = Duration.seconds(5)

    init(_ draft: Draft, id: NotificationID, at: LastingTime) {
        self.id = id
        recipient = draft.recipient
        kind = draft.kind
        self.at = at
        person = draft.person
        realm = draft.realm
        instance = draft.instance
        label = draft.label
    }
}

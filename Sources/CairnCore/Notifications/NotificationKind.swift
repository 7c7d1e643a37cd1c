/// What a notification is about (NTF-1).
public struct NotificationKind: Hashable, Sendable {
    /// Its name on the wire and on the disk: lower case with underscores, never changed.
    public let name: StaticText

    public init(_ name: StaticText) {
        self.name = name
    }

    /// Whether it warns of somebody who may have got in: it is pushed to every device that has not received it, because
    /// the one that has may be theirs.
    public var isWarning: Bool { self == .newDevice || self == .signInChanged }

    /// Whether a person gets it only after having switched it on (PRX-1).
    public var isOptIn: Bool { self == .tourNearby }

    /// The person's setting that switches the kind on and off (NTF-2).
    public var settingKey: String { "notifications.\(name.text)" }
}

extension NotificationKind {
    public static let friendRequest = NotificationKind("friend_request")
    public static let friendAccepted = NotificationKind("friend_accepted")
    public static let friendRejected = NotificationKind("friend_rejected")
    /// A friend has ended the friendship.
    public static let friendRemoved = NotificationKind("friend_removed")
    public static let realmInvitation = NotificationKind("realm_invitation")
    public static let realmJoinRequest = NotificationKind("realm_join_request")
    public static let realmApproved = NotificationKind("realm_approved")
    public static let realmRefused = NotificationKind("realm_refused")
    /// The person was added to a sub-realm.
    public static let realmAdded = NotificationKind("realm_added")
    public static let realmRemoved = NotificationKind("realm_removed")
    public static let realmDeleted = NotificationKind("realm_deleted")
    /// A run of the person has ended: its tour was withdrawn, or nothing was heard of the person for long.
    public static let tourEnded = NotificationKind("tour_ended")
    /// The person belongs to an organisation now.
    public static let organisationAccepted = NotificationKind("organisation_accepted")
    /// The request for an organisation account was denied; the label is the reason.
    public static let organisationDenied = NotificationKind("organisation_denied")
    /// Another member wants a member removed, and a second one has to agree.
    public static let organisationRemovalAsked = NotificationKind("organisation_removal_asked")
    /// The person was removed from the organisation.
    public static let organisationRemoved = NotificationKind("organisation_removed")
    public static let organisationSuspended = NotificationKind("organisation_suspended")
    public static let organisationReinstated = NotificationKind("organisation_reinstated")
    /// Moderation has taken an instance of the person out of view.
    public static let instanceTakenOut = NotificationKind("instance_taken_out")
    /// The person is near the area of a tour, which `instance` names (PRX-1).
    public static let tourNearby = NotificationKind("tour_nearby")
    /// A purchase of the person was paid back; the label is the name of the tour.
    public static let purchaseRefunded = NotificationKind("purchase_refunded")
    /// The account was signed in to from a new device.
    public static let newDevice = NotificationKind("new_device")

    /// How one gets in to the account was changed; the label names the change (ACC-13).
    public static let signInChanged = NotificationKind("sign_in_changed")

    /// All kinds. A further one is a line here, and a sentence in each file of `CairnServer/Texts`.
    public static let all: [NotificationKind] = [
        friendRequest, friendAccepted, friendRejected, friendRemoved, realmInvitation, realmJoinRequest, realmApproved,
        realmRefused, realmAdded, realmRemoved, realmDeleted, tourEnded, organisationAccepted, organisationDenied,
        organisationRemovalAsked, organisationRemoved, organisationSuspended, organisationReinstated,
        instanceTakenOut, tourNearby, purchaseRefunded, newDevice, signInChanged,
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name.text, $0) })

    /// The kind of this name; nil = this server knows none.
    public static func named(_ name: String) -> NotificationKind? { byName[name] }
}

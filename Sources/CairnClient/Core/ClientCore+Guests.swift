internal import CairnTime
internal import CairnWire

/// Guests who look (SES-14): a client without an account that tells where it looks.
///
/// Where `WireLimits.guestsLook` says so, `move(to:)` of a guest opens a view of what is public. While the budgets of
/// guests are used up, the server puts a position off: the core tells it (`ClientEvent.refused`) and sends the newest
/// position after the pause. When the guest signs in, the topics of its view are unfollowed, and the view of the person
/// opens at the same place.
extension ClientCore {
    /// The component of refusals of guests.
    private static let guests = "guests"

    /// Whether there is a view, or will be one, without an account.
    public var looks: Bool { position != nil && welcome?.role == "guest" && welcome?.limits.guestsLook == true }

    /// A refusal of a message without an id: has the newest position sent again, if it is a guest's that was put off.
    mutating func putOffLooking(_ refusal: Refusal, now: MonotonicTime) {
        guard refusal.component == Self.guests, position != nil, isTemporary(refusal) else { return }
        lookAt = now + pause(after: refusal, delays: 0)
    }

    mutating func lookIfDue(now: MonotonicTime) {
        guard let due = lookAt, due <= now else { return }
        lookAt = nil
        if let position { move(to: position) }
    }

    /// The guest is a person now, on the same connection: the view opens where they have looked.
    mutating func lookAsPerson() {
        lookAt = nil
        if let position { move(to: position) }
    }
}

public import CairnWire

/// Names one request for as long as it is unanswered, however often it has to be sent.
public struct RequestTicket: Hashable, Sendable, Comparable {
    let number: UInt64

    public static func < (a: Self, b: Self) -> Bool { a.number < b.number }
}

/// The one answer to a request.
public enum RequestAnswer: Sendable {
    case success(WireReply.OneOf_Result)
    case refusal(Refusal)
}

/// An event of a client.
public enum ClientEvent: Sendable {
    /// The session is open, or has been taken over after a cut (`resumed`).
    case welcomed(WireWelcome)
    /// The server has made the connection a guest's: the sign-in has expired, or was ended everywhere. To sign in
    /// again, connect with a valid token.
    case signedOut(WireSignedOut)
    /// A request was answered. Temporary refusals, such as `try_again`, are not reported: the request is sent again.
    case answered(RequestTicket, RequestAnswer)
    /// A refusal of a message without a request id, such as an invalid position.
    case refused(Refusal)

    /// An instance came into view.
    case appeared(WireInstance)
    /// A visible instance was moved, turned, resized, reacted to, or is now in another cell.
    case changed(WireInstance, was: WireInstance)
    /// An instance was removed, or is out of view.
    case disappeared(WireInstance)
    /// The view of a topic is complete.
    case followed(topic: String)
    /// A topic is no longer in view.
    case unfollowed(topic: String)
    /// Changes of a topic were dropped because we read too slowly; a fresh snapshot follows (SES-8).
    case resynchronising(topic: String)

    /// People came, went and moved.
    case presence(PresenceChange)

    /// Positions that are sent at a fixed rate are to be sent later by this from now on; negative = sooner (SES-8).
    /// `CairnClient.sendPositions(perSecond:_:)` does so by itself.
    case positionsShifted(by: Duration)

    /// A notice from the server's operators: show it.
    case notice(WireNotice)
    /// Another device of the person has saved settings (PRF-9).
    case settings([WireSetting])
    /// The account has another role, or its organisation has changed (ORG-2).
    case standing(WireStanding)
    /// The sub-realm that was selected is no longer one of the user's: the public instances are shown (VIS-6).
    case selectionReset
    /// One of the user's sub-realms has changed.
    case realmChanged(id: String)
    /// The user's run of a tour as it is now: a stop was reached, it was paused, resumed, or taken up by this device
    /// (TRT-9, TRT-12).
    case run(WireRun)
    /// The user has come near a popup of the tour (TRT-8).
    case popupShown(WireTourPopup)
    /// Where the target is from the user's last position (TRT-8).
    case guidance(WireGuidance)
    /// How many others on the tour have reached how many stops (TRT-12).
    case fellowWalkers(WireFellowWalkers)
    /// The user's group on a tour as it is now (TRM-11).
    case group(WireGroup)
    /// The user is in this group no longer (TRM-11).
    case groupEnded(id: String)
    /// The run is over: the user is back in the world (TRT-11).
    case runEnded(id: String)
    /// A draft that is open has another version of a part; an empty part = read it anew (TRM-9).
    case tourChanged(id: String, part: String, version: UInt32)
    /// The tours that begin near the user are others than before: their ids, the nearest first (PRX-2).
    case nearbyTours(ids: [String])
    /// Notifications that were not reported before, in their order, and the number of unread ones, which is 0 at a
    /// welcome until this says otherwise (NTF-1, NTF-2).
    case notified([WireNotification], unread: Int)
    /// The server is about to close the connection.
    case closing(WireClosing)
    /// The connection is gone.
    case disconnected(Reconnection)
    /// The server broke a rule of the protocol.
    case violation(Violation)
}

/// The client's next step after the end of a connection.
public enum Reconnection: Hashable, Sendable {
    case after(Duration)
    /// An automatic attempt would end the same way; the code of `Closing` or the WebSocket close code says why.
    case never(reason: String)
}

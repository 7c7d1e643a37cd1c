public import CairnWire

/// Identity and privacy of a client, as sent in `Hello`.
public struct ClientProfile: Hashable, Sendable {
    /// "realm", "bubble", "notebook", "furniture" or "bot".
    public var frontEnd: String
    /// BCP 47.
    public var language: String
    public var deviceClass: WireDeviceClass
    /// From an earlier welcome; empty = none. A secret.
    public var token: String
    /// From an earlier sign-in with a password or a provider (`WireWelcome.deviceKey`); empty = none. A secret, which
    /// stays after a sign-out.
    public var deviceKey: String
    /// Name to sign in by, if the server accepts names without a token.
    public var name: String
    /// Whether others may see this user's position (VIS-9); nil = as in the user's settings.
    public var sharesPosition: Bool?
    /// Others see the position on a grid of this many metres: 0, 10, 100 or 1000; nil = as in the user's settings
    /// (PRF-8). Of this and of the settings the coarser counts.
    public var shareAccuracyMetres: UInt32?
    /// The sub-realm whose instances are shown; empty = the public ones (VIS-5). A selection changes it.
    public var realm = ""

    public init(
        name: String = "", token: String = "", frontEnd: String = "realm", language: String = "en",
        deviceClass: WireDeviceClass = .normal, sharesPosition: Bool? = nil, shareAccuracyMetres: UInt32? = nil,
        deviceKey: String = ""
    ) {
        self.name = name
        self.token = token
        self.deviceKey = deviceKey
        self.frontEnd = frontEnd
        self.language = language
        self.deviceClass = deviceClass
        self.sharesPosition = sharesPosition
        self.shareAccuracyMetres = shareAccuracyMetres
    }
}

extension WireDeviceClass {
    /// Most instances that a view shows where the app says nothing else (VIS-8).
    public var shownMax: Int { self == .low ? 50 : 200 }
}

/// How a client handles presence batches.
public enum PresenceMode: Hashable, Sendable {
    /// They update the rosters and are reported as `ClientEvent.presence`.
    case full
    /// They are passed on unchanged, and no roster is kept: for load bots, which read millions of poses a second.
    case raw
}

/// Bounds of a client's queues.
public struct ClientLimits: Hashable, Sendable {
    /// Requests without an answer, sent or not: the next is refused with `limit_reached`. Enough for an hour of placing
    /// at the default quota without a connection.
    public var requestsMax = 1_000
    /// Longest pause between two attempts of a request that the server has put off.
    public var retryPauseMax = Duration.seconds(30)
    /// Longest wait, as the server names it, after which a request is sent again. One that would have to wait longer is
    /// answered with the refusal. The limits of a minute pass within it.
    public var waitMax = Duration.seconds(60)

    public init() {}
}

public import CairnCore

/// Every setting of a server, as plain values. `Configuration()` holds the shipped defaults, and no other place repeats
/// them. `ConfigurationKey.all` holds each key's meaning for operators, its unit and its bounds.
///
/// A key's name is its path: `configuration.listen.port` is `listen.port` in a file, `CAIRN_LISTEN_PORT` in the
/// environment.
public struct Configuration: Sendable, Equatable {
    /// Whether the command line asks for open sign-in and stand-ins; no setting (`Opening`).
    var isOpened = false
    /// Listener for incoming connections.
    public var listen = Listen()
    /// Budget of plain HTTP.
    public var pages = Pages()
    /// What one connection may do.
    public var connections = Connections()
    /// The ground and the view over it.
    public var cells = Cells()
    /// The volatile lane: live positions and counts.
    public var presence = Presence()
    /// Overload: thresholds at which work is left out, and then refused.
    public var overload = Overload()
    /// How fast users may bring new cells into view.
    public var travel = Travel()
    /// Guests who look.
    public var guests = Guests()
    /// The settings of features, by their types.
    public var features = Settings()
    /// Accounts and sign-in.
    public var accounts = Accounts()
    /// What people who look for help are told.
    public var help = Help()
    /// Which apps open links of tours.
    public var links = Links()
    /// Sign-in by an app's own backend.
    public var appTokens = AppTokens()
    /// Sign-in by providers' accounts.
    public var providers = Providers()
    /// What people are told of what others do.
    public var notifications = Notifications()
    /// What people are told of when they come near it.
    public var nearby = Nearby()
    /// What people upload.
    public var assets = Assets()
    /// Storage on disk.
    public var storage = Storage()
    /// Backups.
    public var backup = Backup()
    /// Services outside the server.
    public var adaptors = Adaptors()
    /// Shutdown.
    public var shutdown = Shutdown()
    /// Log.
    public var logging = Logging()
    /// Access for operators.
    public var stats = Stats()
    /// The operators' page in a browser.
    public var console = Console()
    /// The page for players.
    public var play = Play()
    /// Tools for testing the server. All off by default.
    public var debug = Debug()

    /// The shipped defaults.
    public init() {}

    /// Limits of one connection, with how long it may be silent or slow (SES-3 to SES-5, SES-8, SES-11, SES-12).
    public struct Connections: Sendable, Equatable {
        /// Longest incoming message, in bytes.
        public var messageBytesMax = 65_536
        /// Most pieces that one incoming message may arrive in.
        public var messageFragmentsMax = 1_024
        /// Longest time from the first to the last piece of a message, in seconds.
        public var messageSecondsMax = 30
        /// Time between two pings, in seconds.
        public var pingSeconds = 20
        /// Silence after which a connection is dropped, in seconds.
        public var silenceSeconds = 60
        /// Messages a second, on average.
        public var messagesPerSecond = 50
        /// Most messages in a burst.
        public var messagesBurst = 100
        /// Bytes of messages a second, on average.
        public var bytesPerSecond = 65_536
        /// Most bytes of messages in a burst.
        public var bytesBurst = 262_144

        /// Usual size of a message. The limits in bytes are at least this size times `messagesPerSecond` and
        /// `messagesBurst`.
        static let bytesPerMessage = 1_310
        /// Bytes a second that a connection may send: `bytesPerSecond`, or `messagesPerSecond` messages of the usual
        /// size if that is more.
        package var bytesAllowedPerSecond: Int { max(bytesPerSecond, messagesPerSecond * Self.bytesPerMessage) }
        /// Bytes that a connection may send in a burst: `bytesBurst`, or `messagesBurst` messages of the usual size if
        /// that is more.
        package var bytesAllowedAtOnce: Int { max(bytesBurst, messagesBurst * Self.bytesPerMessage) }
        /// Bytes a second that are read from a connection, pings and frame headers included: twice those of its
        /// messages.
        package var inputBytesPerSecond: Int { min(2 * bytesAllowedPerSecond, 1_000_000_000) }
        /// Position updates a second that are processed. Of further ones the newest replaces the others.
        public var positionsPerSecond = 10
        /// Connections that one account may have open.
        public var perAccountMax = 5
        /// Most unanswered requests of one connection. At this number the server stops reading the connection.
        public var requestsInFlightMax = 64
        /// Most bytes waiting to be sent to one connection.
        public var outboxBytesMax = 262_144
        /// How long a connection may read too slowly before it is closed, in seconds.
        public var behindSecondsMax = 30
        /// How long after a cut a session can be resumed, in seconds.
        public var resumeSeconds = 120
        /// Longest time from TCP accept to the open WebSocket, in seconds.
        public var handshakeSeconds = 10
        /// Receive buffer of each connection, in bytes.
        public var receiveBufferBytes = 256

        /// The shipped defaults.
        public init() {}
    }

    /// The ground and the view over it (SES-6, SES-7, SES-10, PLC-15, VIS-1).
    public struct Cells: Sendable, Equatable {
        /// S2 level of a cell.
        public var level = 16
        /// Time without users after which a cell goes to sleep, in seconds.
        public var sleepSeconds = 300
        /// How far a user sees, in metres.
        public var viewRadiusMetres = 100.0
        /// Distance beyond the view radius within which things in view stay in view, as a fraction of the radius.
        public var viewHysteresis = 0.10
        /// How far beyond a cell's border a user must be to belong to the next cell, in metres.
        public var borderHysteresisMetres = 5.0
        /// Most live instances in one cell.
        public var instancesMax = 2_000
        /// Events that each topic holds for reconnecting clients.
        public var ringEvents = 1_024
        /// How long a client may show a snapshot of what was around, in hours.
        public var snapshotHours = 24
        /// Most instances in such a snapshot.
        public var snapshotInstancesMax = 500

        /// The shipped defaults.
        public init() {}
    }

    /// The volatile lane: live positions and counts (SES-8, VIS-9).
    public struct Presence: Sendable, Equatable {
        /// Longest wait of a pose for others to leave with when the loop is full, in milliseconds.
        public var intervalMilliseconds = 50
        /// The same when the loop has little else to do.
        public var quietIntervalMilliseconds = 25
        /// Threshold of the hidden count: a lower count is sent as 0.
        public var countHiddenBelow = 3
        /// How exactly others learn where a person is who has not chosen an accuracy.
        public var accuracy = LocationAccuracy.tenMetres
        /// How long others still see a user whose connection was cut, in seconds.
        public var graceSeconds = 10
        /// Bytes of poses a second that each receiver gets of its own cell at most: 17,800 poses. Beyond it poses are
        /// left out.
        public var crowdBytesPerSecond = 250_000
        /// Poses that one loop sends a second at most, over all receivers. Beyond it poses are left out.
        public var loopPosesPerSecond = 100_000_000

        /// The shipped defaults.
        public init() {}
    }

    /// Overload: thresholds at which work is left out, and then refused (QOS-5).
    public struct Overload: Sendable, Equatable {
        /// From this delay of a loop presence, counts and detail of movement are left out, in milliseconds.
        public var shedMilliseconds = 50
        /// From this delay of a loop new connections and changes are refused, in milliseconds.
        public var refuseMilliseconds = 500
        /// Most memory that the server may use, in megabytes; 0 = as much as the system allows.
        public var memoryMegabytes = 0

        /// The shipped defaults.
        public init() {}
    }

    /// Sign-in by an app's own backend: the tokens that it signs (ACC-12).
    public struct AppTokens: Sendable, Equatable {
        /// Backends whose tokens are accepted, as the claim `iss` names them.
        public var issuers: [String] = []
        /// Names of this server, one of which a token's `aud` must have.
        public var audiences: [String] = []
        /// PEM files with public keys.
        public var keyFiles: [String] = []
        /// JWKS files with public keys.
        public var jwksFiles: [String] = []
        /// Largest difference between the backend's clock and this one, in seconds.
        public var leewaySeconds = 30
        /// Claim that holds the name to show.
        public var nameClaim = "name"
        /// Claim that names an organisation.
        public var organisationClaim = "org"
        /// Claim with a time: tokens of the account that were issued before it are invalid.
        public var revokedClaim = "revoked_before"

        /// The shipped defaults.
        public init() {}
    }

    /// Storage on disk (DAT-1, DAT-2, DAT-4, DAT-7, PLC-8, SYN-2).
    public struct Storage: Sendable, Equatable {
        /// Folder of the database. Loading always fills it in; nil only in a `Configuration` that was not loaded.
        public var path: String?
        /// File of the keys that open the database. Loading always fills it in; nil = a key that exists as long as the
        /// process.
        public var keyFile: String?
        /// Where database, backups and assets are (CMP-7).
        public var region = "CA"
        /// When a commit counts as done.
        public var synchronous = Synchronous.full
        /// Most changes in one transaction.
        public var commitChangesMax = 5_000
        /// Longest that a change waits for others to share its transaction, in milliseconds.
        public var commitMilliseconds = 50
        /// Number of changes waiting for the disk at which further ones are refused.
        public var backlogMax = 100_000
        /// First pause after a failed write, in milliseconds.
        public var retryFirstMilliseconds = 100
        /// Longest pause between two attempts of a failed write, in milliseconds.
        public var retryMaxMilliseconds = 30_000
        /// How long the answer to an idempotency key is kept, in hours.
        public var keyHours = 24
        /// Connections that read the database.
        public var readers = 2
        /// How long a database that was set aside is kept, in days. The newest is always kept.
        public var setAsideDays = 30
        /// Most set-aside databases that are kept.
        public var setAsideMax = 4
        /// Cache of the database in memory, for the connection that writes, in MiB.
        public var cacheMegabytes = 64

        /// The shipped defaults.
        public init() {}

        /// When a commit counts as done.
        public enum Synchronous: String, Sendable, CaseIterable {
            /// When it is on the disk: a power cut loses no acknowledged change.
            case full
            /// When the operating system has it: a crash loses nothing, a power cut may lose the last moments.
            case normal
        }
    }

    /// Backups (DAT-5).
    public struct Backup: Sendable, Equatable {
        /// Folder of the backups. Loading always fills it in; nil = no backups are made.
        public var directory: String?
        /// Time between two backups; 0 = no automatic backups.
        public var hours = 6
        /// Number of backups kept.
        public var keep = 28

        /// The shipped defaults.
        public init() {}
    }

    /// Shutdown (SES-11).
    public struct Shutdown: Sendable, Equatable {
        /// Longest time from the signal to the end of the process, in seconds.
        public var drainSeconds = 20
        /// Upper bound of the random time after which clients reconnect, in seconds.
        public var reconnectSecondsMax = 5

        /// The shipped defaults.
        public init() {}
    }

    /// Log.
    public struct Logging: Sendable, Equatable {
        /// The least serious level that is written.
        public var level = Level.info
        /// The form of a line.
        public var format = Format.auto

        /// The shipped defaults.
        public init() {}

        /// Levels, least serious first; the names are swift-log's.
        public enum Level: String, Sendable, CaseIterable {
            case trace, debug, info, notice, warning, error, critical
        }

        /// Forms of a line.
        public enum Format: String, Sendable, CaseIterable {
            /// `text` on a terminal, else `json`.
            case auto
            /// For people; coloured on a terminal unless `NO_COLOR` is set.
            case text
            /// One JSON object a line.
            case json
        }
    }

    /// Access for operators (STA-1).
    public struct Stats: Sendable, Equatable {
        /// Unix socket for the server's user, with admin level. Loading always fills it in; nil = beside the database.
        public var socketPath: String?
        /// Unix socket for the group of the server's user, with read level; nil = none.
        public var readSocketPath: String?
        /// Address and port of a listener for operators alone; nil = operators use the clients' listener.
        public var listener: String?
        /// Credential for the stats WebSocket and the console; nil = the one kept beside the key.
        public var credential: String?
        /// Names of apps that figures show. All other apps are counted together.
        public var frontEnds = ["bot", "bubble", "furniture", "notebook", "realm"]
        /// Credential for `/metrics` alone, for a collector on another machine; nil = only `credential` opens it.
        public var metricsCredential: String?

        /// The shipped defaults.
        public init() {}
    }

    /// The operators' page in a browser.
    public struct Console: Sendable, Equatable {
        /// Address of map tiles with {z}, {x} and {y}; nil = a grid instead of tiles, and no request to another host.
        public var tileURL: String?
        /// Attribution of the map tiles; nil = none.
        public var tileAttribution: String?

        /// The shipped defaults.
        public init() {}
    }

    /// Tools for testing the server. All off by default.
    public struct Debug: Sendable, Equatable {
        /// Path of a WebSocket that echoes what it receives, for conformance suites; nil = none.
        public var echoPath: String?

        /// The shipped defaults.
        public init() {}
    }
}

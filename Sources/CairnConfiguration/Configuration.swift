public import CairnCore

/// Every setting of a server, as plain values. `Configuration()` holds the shipped defaults: the numbers stand here
/// and nowhere else. What a key means to an operator, its unit and its bounds stand in `ConfigurationKey.all`.
///
/// A key's name is its path: `configuration.listen.port` is `listen.port` in a file, `CAIRN_LISTEN_PORT` in the
/// environment.
public struct Configuration: Sendable, Equatable {
    /// Where and how connections come in.
    public var listen = Listen()
    /// What plain HTTP may cost.
    public var pages = Pages()
    /// What one connection may do.
    public var connections = Connections()
    /// The ground and the view over it.
    public var cells = Cells()
    /// The volatile lane: who moves near by.
    public var presence = Presence()
    /// What is left out, and then refused, when there is more to do than can be done.
    public var overload = Overload()
    /// How fast people see new ground.
    public var travel = Travel()
    /// What features let operators set, by their types.
    public var features = Settings()
    /// Who may come in.
    public var accounts = Accounts()
    /// Sign-in by an app's own backend.
    public var appTokens = AppTokens()
    /// What is kept on disk, and how.
    public var storage = Storage()
    /// Copies of what is kept.
    public var backup = Backup()
    /// How the server leaves.
    public var shutdown = Shutdown()
    /// What the server says about itself.
    public var logging = Logging()
    /// Where operators come in.
    public var stats = Stats()
    /// The operators' page in a browser.
    public var console = Console()
    /// Tools for those who test the server. All off.
    public var debug = Debug()

    /// The shipped defaults.
    public init() {}

    /// What one connection may do, and how long it may be silent or slow (SES-3 to SES-5, SES-8, SES-11, SES-12).
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
        /// Messages at once.
        public var messagesBurst = 100
        /// Bytes of messages a second, on average.
        public var bytesPerSecond = 65_536
        /// Bytes of messages at once.
        public var bytesBurst = 262_144

        /// Room for that many messages of this size is never less than `messagesPerSecond` and `messagesBurst` promise.
        static let bytesPerMessage = 1_310
        /// Bytes a second that a connection may send, whatever is larger: its own bound, or messages of usual size.
        package var bytesAllowedPerSecond: Int { max(bytesPerSecond, messagesPerSecond * Self.bytesPerMessage) }
        /// The same of what may come at once.
        package var bytesAllowedAtOnce: Int { max(bytesBurst, messagesBurst * Self.bytesPerMessage) }
        /// Bytes a second that are read of a connection, pings and the heads of frames included: twice those of its
        /// messages.
        package var inputBytesPerSecond: Int { min(2 * bytesAllowedPerSecond, 1_000_000_000) }
        /// Position updates a second that are looked at; of faster ones the newest counts.
        public var positionsPerSecond = 10
        /// Connections that one account may have open.
        public var perAccountMax = 5
        /// Requests of one connection that are being answered at a time; beyond it the server stops reading.
        public var requestsInFlightMax = 64
        /// Most bytes waiting to be sent to one connection.
        public var outboxBytesMax = 262_144
        /// How long a connection may stay behind before it is closed, in seconds.
        public var behindSecondsMax = 30
        /// How long after a break a session can be taken up again, in seconds.
        public var resumeSeconds = 120
        /// TCP accept to open WebSocket, in seconds.
        public var handshakeSeconds = 10
        /// Receive buffer of each connection, in bytes.
        public var receiveBufferBytes = 1_024

        /// The shipped defaults.
        public init() {}
    }

    /// The ground and the view over it (SES-6, SES-7, SES-10, PLC-15, VIS-1).
    public struct Cells: Sendable, Equatable {
        /// S2 level of a cell.
        public var level = 16
        /// Time without anybody after which a cell goes to sleep, in seconds.
        public var sleepSeconds = 300
        /// How far a user sees, in metres.
        public var viewRadiusMetres = 100.0
        /// How much further than the view radius a thing in view stays in view, as a fraction of it.
        public var viewHysteresis = 0.10
        /// How far over a border a user must be before the next cell takes them, in metres.
        public var borderHysteresisMetres = 5.0
        /// Live instances in one cell.
        public var instancesMax = 2_000
        /// Events that each topic holds for reconnecting clients.
        public var ringEvents = 1_024

        /// The shipped defaults.
        public init() {}
    }

    /// The volatile lane: who moves near by (SES-8, VIS-9).
    public struct Presence: Sendable, Equatable {
        /// Least time between two presence updates of one cell under load, in milliseconds.
        public var intervalMilliseconds = 50
        /// A count of people near by below this is not told.
        public var countHiddenBelow = 3
        /// How long a user whose link was cut stays where others see them, in seconds.
        public var graceSeconds = 10
        /// Number of people in one cell who share their position, from which on it is a crowd: batches leave poses out.
        public var crowdPeople = 1_000
        /// Bytes of poses a second that each receiver in a crowd gets of their own cell.
        public var crowdBytesPerSecond = 18_000

        /// The shipped defaults.
        public init() {}
    }

    /// What is left out, and then refused, when there is more to do than can be done (QOS-5).
    public struct Overload: Sendable, Equatable {
        /// A delay of a loop from which on presence, counts and detail of movement are left out, in milliseconds.
        public var shedMilliseconds = 50
        /// One from which on new connections and changes are refused, in milliseconds.
        public var refuseMilliseconds = 500
        /// Memory that the server may take, in megabytes; 0 = as much as the system lets it.
        public var memoryMegabytes = 0

        /// The shipped defaults.
        public init() {}
    }

    /// Who may come in.
    public struct Accounts: Sendable, Equatable {
        /// Whether any name signs in without proof. True by default because the shipped address is a loopback one;
        /// loading makes it false on any other address.
        public var open = true
        /// How long a sign-in token is good, in days.
        public var tokenDays = 30
        /// Fewest characters of a name.
        public var nameCharactersMin = 3
        /// Most characters of a name.
        public var nameCharactersMax = 30

        /// The shipped defaults.
        public init() {}
    }

    /// Sign-in by an app's own backend: the tokens that it signs (ACC-12).
    public struct AppTokens: Sendable, Equatable {
        /// Backends whose tokens are taken, as their `iss` names them.
        public var issuers: [String] = []
        /// Names of this server, one of which a token's `aud` must have.
        public var audiences: [String] = []
        /// PEM files with public keys.
        public var keyFiles: [String] = []
        /// JWKS files with public keys.
        public var jwksFiles: [String] = []
        /// How far the backend's clock and this one may be apart, in seconds.
        public var leewaySeconds = 30
        /// Claim that holds the name to show.
        public var nameClaim = "name"
        /// Claim that names an organisation.
        public var organisationClaim = "org"
        /// Claim that holds the time before which tokens of the account are no longer good.
        public var revokedClaim = "revoked_before"

        /// The shipped defaults.
        public init() {}
    }

    /// What is kept on disk, and how (DAT-1, DAT-2, DAT-4, DAT-7, PLC-8, SYN-2).
    public struct Storage: Sendable, Equatable {
        /// Folder of the database. Loading always fills it in; nil only in a `Configuration` that was not loaded.
        public var path: String?
        /// File of the keys that open the database. Loading always fills it in; nil = a key that goes with the process.
        public var keyFile: String?
        /// When a commit counts as done.
        public var synchronous = Synchronous.full
        /// Most changes in one transaction.
        public var commitChangesMax = 5_000
        /// Longest that a change waits for others to share its transaction, in milliseconds.
        public var commitMilliseconds = 50
        /// Changes waiting for the disk beyond which further ones are refused.
        public var backlogMax = 100_000
        /// First pause after a failed write, in milliseconds.
        public var retryFirstMilliseconds = 100
        /// Longest pause between two tries of a failed write, in milliseconds.
        public var retryMaxMilliseconds = 30_000
        /// How long the answer to a client's key is remembered, in hours.
        public var keyHours = 24
        /// Connections that read the database.
        public var readers = 2
        /// How long a database that was set aside is kept, in days; the newest always is.
        public var setAsideDays = 30
        /// Most databases set aside that are kept.
        public var setAsideMax = 4
        /// What the connection that writes keeps of the database in memory, in MiB.
        public var cacheMegabytes = 64

        /// The shipped defaults.
        public init() {}

        /// When a commit counts as done.
        public enum Synchronous: String, Sendable, CaseIterable {
            /// Once the disk has it: a power cut costs nothing that was acknowledged.
            case full
            /// Once the operating system has it: a crash costs nothing, a power cut may cost the last moments.
            case normal
        }
    }

    /// Copies of what is kept (DAT-5).
    public struct Backup: Sendable, Equatable {
        /// Folder of the copies. Loading always fills it in; nil = none are made.
        public var directory: String?
        /// Time between two of them; 0 = none by themselves.
        public var hours = 6
        /// Number of backups kept.
        public var keep = 28

        /// The shipped defaults.
        public init() {}
    }

    /// How the server leaves (SES-11).
    public struct Shutdown: Sendable, Equatable {
        /// Longest time from the signal to the end of the process, in seconds.
        public var drainSeconds = 20
        /// Clients are told to come back after a random time up to this, in seconds.
        public var reconnectSecondsMax = 5

        /// The shipped defaults.
        public init() {}
    }

    /// What the server says about itself.
    public struct Logging: Sendable, Equatable {
        /// The least serious kind of line that is written.
        public var level = Level.info
        /// The form of a line.
        public var format = Format.auto

        /// The shipped defaults.
        public init() {}

        /// Kinds of lines, least serious first; the names are swift-log's.
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

    /// Where operators come in (STA-1).
    public struct Stats: Sendable, Equatable {
        /// Unix socket of the server's user, with admin level. Loading always fills it in; nil = beside the database.
        public var socketPath: String?
        /// Unix socket of the user's group, with read level; nil = none.
        public var readSocketPath: String?
        /// Address and port of operators' own listener; nil = they share the players'.
        public var listener: String?
        /// What opens the stats WebSocket and the console; nil = the one kept beside the database.
        public var credential: String?
        /// Names of apps that figures show; all others are one.
        public var frontEnds = ["bot", "bubble", "furniture", "notebook", "realm"]
        /// What opens `/metrics` for a collector on another machine, and nothing else; nil = only the credential does.
        public var metricsCredential: String?

        /// The shipped defaults.
        public init() {}
    }

    /// The operators' page in a browser.
    public struct Console: Sendable, Equatable {
        /// Address of map tiles with {z}, {x} and {y}; nil = a grid instead, and no request to another host.
        public var tileURL: String?
        /// Whom the map thanks for the tiles; nil = nobody.
        public var tileAttribution: String?
        /// Folder with `leaflet.css` and `leaflet.min.js`.
        public var leafletPath = "/usr/share/javascript/leaflet"

        /// The shipped defaults.
        public init() {}
    }

    /// Tools for those who test the server. All off.
    public struct Debug: Sendable, Equatable {
        /// Path at which a WebSocket gets back what it sends, for conformance suites; nil = none.
        public var echoPath: String?

        /// The shipped defaults.
        public init() {}
    }
}

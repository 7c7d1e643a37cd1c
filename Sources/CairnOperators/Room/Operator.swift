internal import CairnTime
internal import DequeModule

/// What an operator may do.
enum OperatorLevel: Int, Sendable, Comparable {
    /// Look.
    case read
    /// Look and act: kick, drain, log and the like.
    case admin

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

    var name: String { self == .admin ? "admin" : "read" }
}

/// Carries lines to one operator. Confined to the room's thread.
protocol OperatorLink: AnyObject {
    /// Whether everything that was sent has left. An operator who is not ready gets no further update.
    var isReady: Bool { get }
    /// Sends lines, each with its line break.
    func send(_ lines: [[UInt8]])
    /// Ends the connection; what was sent still leaves if it can.
    func close()
    /// Called once a second: finds out whether the link is ready again, for links that get no event of it.
    func probe()
}

/// A connected operator, over any kind of connection. Confined to the room's thread.
final class Operator {
    /// Names the operator in logs; never used again.
    let number: UInt64
    /// Who it is, for the audit log and the log.
    let name: String
    /// The console's cookie that opened the connection; nil = it needs none.
    let cookie: OperatorCookie?
    let level: OperatorLevel
    let link: any OperatorLink
    /// Commands that wait for the one before to be answered.
    var commands: Deque<String> = []
    /// Whether an answer is being put together.
    var isBusy = false
    var watch: Watch?
    /// What has come of a text in pieces, for the command that takes it.
    var text: [UInt8] = []
    /// Since when the link has not been ready.
    var behindSince: MonotonicTime?
    var lastHeard: MonotonicTime

    /// Commands that may wait; further ones are not read.
    static let commandsMax = 32
    /// Most commands read at once; a client that waits for answers sends fewer.
    static let commandsWaitingMax = 4_096

    /// What a watching operator has seen.
    struct Watch {
        let seconds: Int
        /// Number of the table's sample; 0 = nothing yet.
        var seen: UInt64 = 0
        /// Tick of the room at which the next update is due.
        var dueTick: UInt64
        /// Updates that were left out since the last one because the operator was too slow.
        var skipped = 0
    }

    init(number: UInt64, pass: OperatorPass, level: OperatorLevel, link: any OperatorLink, now: MonotonicTime) {
        self.number = number
        name = pass.name
        cookie = pass.cookie
        self.level = level
        self.link = link
        lastHeard = now
    }
}

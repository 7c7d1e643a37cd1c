public import CairnWire

/// A limit on commands that follows a person from cell to cell and device to device (PLC-6, PLC-7, RCT-5, STA-5). It
/// lives in their account's home.
///
/// A class: each account's use refers to it, and none has room for a copy.
public final class Quota: Sendable {
    /// The component that refusals name.
    public let component: String
    /// What is counted, for the refusal: a plural.
    public let what: Refusal.Text
    /// With which code it refuses.
    public let code: Refusal.Code
    public let commands: [any Command.Type]
    public let windows: [Window]
    /// Nil = a restart forgives what was used.
    public let stored: Stored?
    /// Whether commands that are refused count as well, because looking at them is what costs.
    let countsRefusals: Bool
    /// Most commands of one person that are undecided; the next waits. Nil = no limit.
    let undecidedMax: Int?
    /// Whether it counts what all people of one network address send, in place of one person.
    public let isOfAddress: Bool

    /// A sliding window: a maximum of uses in any span of this length.
    public struct Window: Sendable {
        public let span: Span
        /// How many; the setting may change while the server runs, and what was counted stays counted.
        public let limit: @Sendable (Settings) -> Int
        /// Whether what is stored counts in it.
        public let isStored: Bool

        public init(_ span: Span, isStored: Bool = true, limit: @escaping @Sendable (Settings) -> Int) {
            self.span = span
            self.isStored = isStored
            self.limit = limit
        }
    }

    /// The length of a window.
    public struct Span: Sendable {
        /// As refusals call it: "in the last minute".
        public let name: Refusal.Text
        public let length: Duration

        public init(_ name: Refusal.Text, length: Duration) {
            self.name = name
            self.length = length
        }

        public static let minute = Span("minute", length: .seconds(60))
        public static let hour = Span("hour", length: .seconds(3_600))
        public static let day = Span("day", length: .seconds(86_400))
    }

    /// How the use is restored from the database when the account wakes.
    public struct Stored: Sendable {
        /// Asks for what an account has used, at a time.
        public let query: @Sendable (AccountID, _ now: LastingTime) -> Query
        /// Reads the times of it, oldest first; damaged rows are named and count for nothing.
        public let times: @Sendable ([Row], _ damage: inout [DamagedRow]) -> [LastingTime]

        public init(
            query: @escaping @Sendable (AccountID, _ now: LastingTime) -> Query,
            times: @escaping @Sendable ([Row], _ damage: inout [DamagedRow]) -> [LastingTime]
        ) {
            self.query = query
            self.times = times
        }

        /// By the stored replies to changes of these kinds: each was a use.
        /// - Parameter span: the longest of the quota's windows.
        public static func answers(to commands: [any Command.Type], within span: Span) -> Self {
            let kinds = commands.map { $0.kind }
            return Self(
                query: { StoredReply.answers(to: kinds, of: $0, after: $1 - span.length) }, times: StoredReply.times)
        }
    }

    public init(
        _ what: Refusal.Text, of component: String, code: Refusal.Code, counting commands: [any Command.Type],
        windows: [Window], stored: Stored? = nil, countsRefusals: Bool = false, undecidedMax: Int? = nil,
        isOfAddress: Bool = false
    ) {
        self.what = what
        self.component = component
        self.code = code
        self.commands = commands
        self.windows = windows
        self.stored = stored
        self.countsRefusals = countsRefusals
        self.undecidedMax = undecidedMax
        self.isOfAddress = isOfAddress
    }

    /// A limit on what all people of one network address send together: `peopleMax` times a person's. A connection
    /// counts each message when it comes in, whatever it comes to. A restart forgives what was used.
    public static func ofAddress(
        _ what: Refusal.Text, of component: String, counting commands: [any Command.Type], windows: [Window],
        peopleMax: Int = 10
    ) -> Quota {
        let windows = windows.map { window in
            Window(window.span) { peopleMax * window.limit($0) }
        }
        return Quota(
            what, of: component, code: .rateLimited, counting: commands, windows: windows, isOfAddress: true)
    }

    /// A quota that decides these changes of one person in turn. Each is checked against the stored result of the one
    /// before it, so a limit on stored rows holds for requests that are sent at once.
    public static func oneAfterAnother(_ commands: [any Command.Type], of component: String) -> Quota {
        // It makes them wait and never refuses, so that its words are never read.
        Quota(
            Refusal.Text(english: "changes"), of: component, code: .rateLimited, counting: commands, windows: [],
            undecidedMax: 1)
    }

    fileprivate func refusal(used: Int, limit: Int, in span: Span, wait: Duration) -> Refusal {
        Refusal(
            code, "\(used) \(what) in the last \(span.name), the limit is \(limit)", component: component,
            retryAfter: wait,
            details: ["count": "\(used)", "limit": "\(limit)", "period": "\(span.name)"])
    }
}

/// What one account has used of a quota.
///
/// `reserve` is called before the request goes to the home that decides, `settle` when that home has decided. Between
/// the two calls the use is reserved and not yet counted.
public struct QuotaUse: Sendable {
    private let quota: Quota
    private var windows: [RollingWindow]
    private var reserved = 0

    public init(of quota: Quota, settings: Settings) {
        self.quota = quota
        windows = quota.windows.map {
            RollingWindow(limit: $0.limit(settings), length: $0.span.length)
        }
    }

    /// Restores the use from the answers to `Quota.Stored.query`. Only the newest times up to each limit are kept, so
    /// memory is bounded by the limits.
    /// - Returns: damaged rows, which do not count.
    public mutating func restore(_ rows: [Row]) -> [DamagedRow] {
        var damage: [DamagedRow] = []
        guard let times = quota.stored?.times(rows, &damage) else { return [] }
        for index in windows.indices where quota.windows[index].isStored {
            for time in times.suffix(windows[index].limit) { windows[index].add(time) }
        }
        return damage
    }

    /// Applies new settings. Uses counted so far stay counted.
    public mutating func apply(_ settings: Settings) {
        for index in windows.indices { windows[index].limit = quota.windows[index].limit(settings) }
    }

    /// Reserves one use at `now`, if one is left.
    public mutating func reserve(now: LastingTime) -> Reservation {
        var (longest, wait) = (0, Duration.zero)
        var isReserved = quota.undecidedMax.map { reserved >= $0 } ?? false
        for index in windows.indices {
            let windowWait = windows[index].wait(now: now)
            if windowWait > wait { (longest, wait) = (index, windowWait) }
            if windows[index].count(now: now) + reserved >= windows[index].limit { isReserved = true }
        }
        // Of several windows the refusal names the one with the longest wait.
        guard wait == .zero else {
            return .refused(
                quota.refusal(
                    used: windows[longest].count(now: now), limit: windows[longest].limit,
                    in: quota.windows[longest].span, wait: wait))
        }
        guard !isReserved else { return .wait }
        reserved += 1
        return .granted
    }

    /// Whether nothing of it is used: a new one would be no better.
    public mutating func isUnused(now: LastingTime) -> Bool {
        var used = reserved
        for index in windows.indices { used += windows[index].count(now: now) }
        return used == 0
    }

    /// Whether the home's refusal of a command counts.
    var countsRefusals: Bool { quota.countsRefusals }

    /// Ends one reservation: `granted` counts the use, otherwise it is free again. `now` as in `reserve`.
    public mutating func settle(granted: Bool, now: LastingTime) {
        reserved -= 1
        guard granted else { return }
        for index in windows.indices { windows[index].add(now) }
    }
}

/// The verdict of a quota on one more request.
public enum Reservation: Sendable {
    /// A use is reserved until `settle`.
    case granted
    /// Undecided requests have reserved the last uses: ask again when one has settled.
    case wait
    /// The limit is used up; the refusal says for how long.
    case refused(Refusal)
}

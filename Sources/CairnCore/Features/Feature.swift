public import CairnGeo
public import CairnWire

/// The rules of one capability: a request in, effects or a refusal out.
///
/// A feature does no I/O and knows no clock but the turn's (invariant 1). It checks first and changes afterwards,
/// without an `await` in between (invariant 9): a turn that throws has changed nothing. Features never call one
/// another; what several need sits in the turn's object table, and a rule that acts in another home tells it.
public protocol Feature: Sendable {
    /// Names the component in refusals, counters and logs.
    static var name: String { get }
    /// The client messages that ask this feature for a change; each needs an idempotency key (SYN-2).
    static var changes: [MessageKind] { get }
    /// The client messages that ask it something. Two features that claim one kind trap at start.
    static var questions: [MessageKind] { get }
    /// The messages of other homes that it hears.
    static var hears: [any HomeMessage.Type] { get }
    /// What anybody who sees an instance may do with it by this feature, as `select` tells (VIS-7).
    static var openActions: [String] { get }
    /// What this feature counts by `Effect.count`, for developers (STA-4).
    static var counts: [StaticText] { get }
    static var migrations: [Migration] { get }
    /// The tables that its migrations make: every row of a world is of one of them.
    static func tables(rules: Rules) -> [StoredTable]
    /// Rows that only age keeps: statements that delete what has expired at `now`, milliseconds since 1970 (DAT-10).
    static func expiries(now: Int64, rules: Rules) -> [Statement]

    /// A success without what the request said already: an answer is kept for as long as its key, a day.
    static func shortened(_ result: Request.Result) -> Request.Result
    /// The success that `shortened` was given, bit for bit; `request` has the same content as the first one. One that
    /// was kept whole stays as it is.
    static func completed(_ result: Request.Result, from request: Request) -> Request.Result
    /// The sender's own instance that a success has brought into a cell, nil = none: events do not tell whose it is, so
    /// the account's other devices are told apart.
    static func broughtIn(by result: Request.Result, of request: Request) -> WireInstance?

    init(rules: Rules)
    /// The figures may change while the server runs (ENG-4).
    var rules: Rules { get set }

    /// The home that decides about a request of this feature's kinds.
    static func home(for request: Request, rules: Rules) throws(Refusal) -> HomeAddress

    /// Questions whose answers bring the feature's part of a home back (SES-10).
    static func stored(in home: HomeAddress) -> [Query]
    /// The answers to `stored`, in order. Runs before the home's first turn, features in the order of the register.
    /// A damaged row is reported to the turn and passed over: the rest of the home lives.
    mutating func restore(_ answers: [[Row]], in turn: inout Turn)

    /// Decides a request of one of its kinds: what comes of it, or why not. Called only where `home` said.
    mutating func receive(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect]
    /// Goes on with a request for which it has asked the store; much may have happened to the home meanwhile.
    /// - Parameter rows: the answer to the query of its `Effect.ask`.
    mutating func resume(_ request: Request, rows: [Row], in turn: inout Turn) throws(Refusal) -> [Effect]
    /// Takes a message of another home, of one of the types in `hears`. It is past refusing: that home has decided.
    mutating func hear(_ message: any HomeMessage, in turn: inout Turn) -> [Effect]
}

extension Feature {
    public static var questions: [MessageKind] { [] }
    public static var hears: [any HomeMessage.Type] { [] }
    public static var openActions: [String] { [] }
    public static var counts: [StaticText] { [] }
    public static func tables(rules: Rules) -> [StoredTable] { [] }
    public static func expiries(now: Int64, rules: Rules) -> [Statement] { [] }
    public static func stored(in home: HomeAddress) -> [Query] { [] }
    public static func shortened(_ result: Request.Result) -> Request.Result { result }
    public static func completed(_ result: Request.Result, from request: Request) -> Request.Result { result }
    public static func broughtIn(by result: Request.Result, of request: Request) -> WireInstance? { nil }
    public mutating func restore(_ answers: [[Row]], in turn: inout Turn) {}
    public mutating func resume(
        _ request: Request, rows: [Row], in turn: inout Turn
    ) throws(Refusal) -> [Effect] { [] }
    public mutating func hear(_ message: any HomeMessage, in turn: inout Turn) -> [Effect] { [] }
}

/// A limit that follows a person from cell to cell and device to device; it lives in their account's home.
///
/// `reserve` is asked before the request goes to the home that decides, `settle` when that home has decided. Between
/// the two the place is taken but not used up.
public protocol Allowance: Sendable {
    static var name: String { get }
    static var kinds: [MessageKind] { get }

    init(rules: Rules)

    static func stored(for account: AccountID, now: Int64) -> [Query]
    /// Takes the answers to `stored`; gives the rows that are damaged, which are passed over.
    mutating func restore(_ answers: [[Row]]) -> [DamagedRow]

    /// The figures may change while the server runs; what was counted stays counted.
    mutating func adopt(_ rules: Rules)
    /// Takes a place for one more request, if there is one, at `now`, milliseconds since 1970.
    mutating func reserve(now: Int64) -> Reservation
    /// Ends one granted reservation: `granted` uses its place up, otherwise it is free again. `now` as in `reserve`.
    mutating func settle(granted: Bool, now: Int64)
}

extension Allowance {
    public static func stored(for account: AccountID, now: Int64) -> [Query] { [] }
    public mutating func restore(_ answers: [[Row]]) -> [DamagedRow] { [] }
}

/// What an allowance says to one more request.
public enum Reservation: Sendable {
    /// A place is taken until it is settled.
    case granted
    /// Undecided requests hold the last places: ask again when one has settled.
    case wait
    /// The limit is used up; the refusal says for how long.
    case refused(Refusal)
}

/// The figures that rules go by; all from the configuration.
public struct Rules: Sendable {
    public var cellLevel = 16
    public var instancesPerCellMax = 2_000
    public var areaQuota = 20
    public var placementsPerMinute = 10
    public var placementsPerDay = 100
    public var changesPerMinute = 3_000
    public var changesPerDay = 10_000
    public var reachMetres = 100.0
    /// Where nobody may leave anything.
    public var restrictedAreas: [Polygon] = []
    public var scale = 0.01...100.0
    public var presets: [String] = []
    /// Characters, as people count them, of the text on an instance (PLC-16).
    public var textCharactersMax = 500
    /// UTF-8 bytes of the text on an instance.
    public var textBytesMax = 2_048
    /// Bytes of the app's own data on an instance.
    public var dataBytesMax = 2_048
    public var reactions: [String] = []
    public var reactionsPerMinute = 30
    public var feedbackCharactersMax = 2_000
    public var feedbackPerHour = 10
    public var feedbackDays = 365
    public var feedbackCategories: [String] = []
    /// What anybody may do with an instance in view; from the register.
    public var openActions: [String] = []

    public init() {}

    /// The cell that a request names.
    /// - Throws: `invalid_field`.
    public func cell(named token: String, component: String) throws(Refusal) -> CellID {
        guard let cell = CellID(token: token), cell.level == cellLevel else {
            throw Refusal(
                .invalidField, "cell: \"\(token.prefix(32))\" is no cell token of level \(cellLevel)",
                component: component, details: ["field": "cell"])
        }
        return cell
    }
}

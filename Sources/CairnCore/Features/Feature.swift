public import CairnWire

/// The rules of one capability: a namespace without state, registered in one line.
///
/// A feature does no I/O and reads no clock but the turn's (invariant 1). It checks first and changes afterwards,
/// without an `await` in between (invariant 9): a turn that throws has changed nothing. Features never call one
/// another: shared facts are in the turn's object table, and a rule that acts in another home sends it a message.
///
/// Its state lives with a home's instances (`Attachment`), its settings are a value that the turn hands out.
public protocol Feature: Sendable {
    /// Names the component in refusals, counters and logs.
    static var name: String { get }
    /// The client messages that it answers.
    static var commands: [any Command.Type] { get }
    /// The timers that its homes set. A kind that is declared twice traps at start.
    static var timers: [any HomeTimer.Type] { get }
    /// The messages that its homes send one another. A kind that is declared twice traps at start.
    static var messages: [any HomeMessage.Type] { get }
    /// The durable messages that its homes send one another.
    static var durableMessages: [any DurableMessage.Type] { get }
    /// The kinds of homes on whose topics it publishes. A person's devices follow their account's topic only if a
    /// feature names `account`.
    static var publishes: Set<HomeKind> { get }
    /// Its own refusal codes, in the order of the requirements. Codes of several features are in
    /// `Refusal.Code.general`.
    static var refusals: [Refusal.Code] { get }
    /// The quotas of its messages for each person, and for each network address.
    static var quotas: [Quota] { get }
    /// Its settings; nil = none.
    static var settings: (any FeatureSettings.Type)? { get }
    /// Adds its settings to the limits in `welcome`.
    static func describe(_ settings: Settings, into limits: inout WireLimits)
    /// The counts that it makes by `Effect.count`, for developers (STA-4).
    static var counts: [EngagementCount] { get }
    /// Its columns of the table of cells, for operators (STA-2).
    static var cellCounts: [CellCount] { get }
    static var migrations: [Migration] { get }
    /// The tables that its migrations make: every row of a world is of one of them.
    static func tables(settings: Settings) -> [StoredTable]
    /// The lists of its rows that commands and operators read page by page. A list that filters or sorts by a sealed
    /// column traps at start.
    static var listings: [Listing] { get }
    /// Expiries of its rows by age at `now` (DAT-10).
    static func expiries(now: LastingTime, settings: Settings) -> [Expiry]

    /// Queries that restore the feature's part of a home when it wakes (SES-10).
    static func stored(in home: HomeAddress) -> [Query]
    /// Restores from the answers to `stored`, in their order. Runs before the home's first turn, features in the order
    /// of the register. A damaged row is reported to the turn and passed over; the rest of the home is served.
    static func restore(_ answers: [[Row]], in turn: inout Turn)

    /// Those of its commands whose changes act on what stands on the ground, or on a sub-realm and its things. They are
    /// refused to people in spaces (SES-13, TRT-6).
    static var groundChanges: [any Command.Type] { get }
    /// A member of a space has sent a position, which is on no disk and in no cell (SES-13). It costs no statement
    /// unless the feature writes one.
    static func moved(_ movement: Movement, in turn: inout Turn) -> [Effect]
    /// The message to a space that its other members may learn less of one of them; nil = the feature tells members
    /// nothing of one another.
    static func seclusion(_ seclusion: Seclusion, of account: AccountID) -> (any HomeMessage)?
    /// The message to a space that one of its members has this role, which may be no role for it (ROL-2, ROL-3); nil =
    /// every role may be in a space of the feature.
    static func roleNotice(_ role: Role, of account: AccountID) -> (any HomeMessage)?
    /// Why people in this space may not change anything on the ground; nil = the feature has nothing in the space.
    static func groundRefusal(in turn: Turn) -> Refusal?
    /// What a new follower of a space's topic gets behind the topic's state.
    static func addendum(for account: AccountID, in turn: Turn) -> [WireItem]

    /// Asks for the newest identifier below a bound that the feature's tables hold: one row of one integer, 0 = none.
    /// Nil: the feature issues none. The server continues from the newest identifier of all features.
    static func newestIdentifier(below bound: SQLValue) -> Query?

    /// What the feature keeps with an instance, for a message that carries the instance to another home; nil = nothing.
    static func encodedAttachment(of record: ObjectRecord, settings: Settings) -> [UInt8]?
    /// Decodes `encodedAttachment`. The bytes come from the disk and may be damaged.
    static func decodeAttachment(
        _ bytes: [UInt8], into record: inout ObjectRecord, settings: Settings) throws(ColumnFault)

    /// Finds the homes of which a person is a member; nil = the feature has no members.
    static var membership: Membership? { get }

    /// Finds, shows and removes its instances on behalf of operators; nil = the feature has no instances.
    static var withdrawal: Withdrawal? { get }
    /// Adds up what it holds about an instance, for operators; nil = nothing.
    static var totals: InstanceTotals? { get }
    /// Gives up what the feature holds of a person in a home, when they have deleted their account: at most
    /// `PersonErased.atOnce` things. It comes again while the feature's tables have rows of theirs (`Erasure.homes`).
    static func erase(_ account: AccountID, in turn: inout Turn) -> [Effect]
    /// Finds its instances that are shared in a scope, and ends that; nil = its instances are everyone's.
    static var sharing: Sharing? { get }
    /// Reads the names that it lists for searches; nil = it lists none.
    static var listedNames: ListedNames? { get }
    /// Reads the tours that it has published; nil = it publishes none.
    static var offeredTours: OfferedTours? { get }
    /// Reads the assets of the tour that a person walks (TRT-4); nil = the feature has no tours to walk.
    static var walkedAssets: WalkedAssets? { get }
    /// The message by which an account tells its person of a tour nearby, in the language that they read; nil = the
    /// feature tells of none (PRX-1).
    static func notice(of tour: TourID, in language: String) -> (any HomeMessage)?
    /// The message to the home of a tour that it is withdrawn with its organisation, which is suspended; nil = nothing
    /// of the feature ends with a tour (TRT-11).
    static var tourWithdrawal: (any HomeMessage)? { get }

    /// Asks for the newest time below a bound that the feature's tables hold: one row of one integer, milliseconds
    /// since 1970, 0 = none. Nil: no such time is stored. The server's time continues from the newest of all features.
    static func newestTime(below bound: SQLValue) -> Query?
    /// Finds out the cell level by which its rows are stored; nil = the feature stores nothing by cell.
    static var levelProbe: LevelProbe? { get }

    /// Adds what everybody sees of the feature's attachment to an instance.
    static func describe(_ record: ObjectRecord, into instance: inout WireInstance, settings: Settings)
    /// Takes times out of what guests who look are told of an instance, down to the hour (SES-14, VIS-7).
    static func coarsen(_ instance: inout WireInstance)
    /// The same for a change of an instance.
    static func coarsened(_ change: WireEvent.OneOf_Change) -> WireEvent.OneOf_Change
    /// Adds the details for one person who selects an instance, and the actions of this feature that they may use
    /// (VIS-7).
    static func describe(
        _ record: ObjectRecord, to account: AccountID, into selected: inout WireSelected, settings: Settings)
}

extension Feature {
    public static var settings: (any FeatureSettings.Type)? { nil }
    public static func describe(_ settings: Settings, into limits: inout WireLimits) {}
    public static var timers: [any HomeTimer.Type] { [] }
    public static var messages: [any HomeMessage.Type] { [] }
    public static var durableMessages: [any DurableMessage.Type] { [] }
    public static var publishes: Set<HomeKind> { [.cell] }
    public static var refusals: [Refusal.Code] { [] }
    public static var quotas: [Quota] { [] }
    public static var counts: [EngagementCount] { [] }
    public static var cellCounts: [CellCount] { [] }
    public static func tables(settings: Settings) -> [StoredTable] { [] }
    public static var listings: [Listing] { [] }
    public static func expiries(now: LastingTime, settings: Settings) -> [Expiry] { [] }
    public static var groundChanges: [any Command.Type] { [] }
    public static func moved(_ movement: Movement, in turn: inout Turn) -> [Effect] { [] }
    public static func seclusion(_ seclusion: Seclusion, of account: AccountID) -> (any HomeMessage)? { nil }
    public static func roleNotice(_ role: Role, of account: AccountID) -> (any HomeMessage)? { nil }
    public static func groundRefusal(in turn: Turn) -> Refusal? { nil }
    public static func addendum(for account: AccountID, in turn: Turn) -> [WireItem] { [] }
    public static func newestIdentifier(below bound: SQLValue) -> Query? { nil }
    public static var membership: Membership? { nil }
    public static var withdrawal: Withdrawal? { nil }
    public static var totals: InstanceTotals? { nil }
    public static func erase(_ account: AccountID, in turn: inout Turn) -> [Effect] { [] }
    public static var sharing: Sharing? { nil }
    public static var listedNames: ListedNames? { nil }
    public static var offeredTours: OfferedTours? { nil }
    public static var walkedAssets: WalkedAssets? { nil }
    public static func notice(of tour: TourID, in language: String) -> (any HomeMessage)? { nil }
    public static var tourWithdrawal: (any HomeMessage)? { nil }
    public static func newestTime(below bound: SQLValue) -> Query? { nil }
    public static var levelProbe: LevelProbe? { nil }
    public static func stored(in home: HomeAddress) -> [Query] { [] }
    public static func restore(_ answers: [[Row]], in turn: inout Turn) {}
    public static func encodedAttachment(of record: ObjectRecord, settings: Settings) -> [UInt8]? { nil }
    public static func decodeAttachment(_ bytes: [UInt8], into record: inout ObjectRecord, settings: Settings) {}
    public static func describe(_ record: ObjectRecord, into instance: inout WireInstance, settings: Settings) {}
    public static func coarsen(_ instance: inout WireInstance) {}
    public static func coarsened(_ change: WireEvent.OneOf_Change) -> WireEvent.OneOf_Change { change }
    public static func describe(
        _ record: ObjectRecord, to account: AccountID, into selected: inout WireSelected, settings: Settings
    ) {}
}

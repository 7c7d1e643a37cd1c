public import CairnWire

/// The registered features, and the command for each kind of message. Routing is a table; two claims of one kind trap
/// at start.
///
/// A class, because every home and every account refers to it.
public final class FeatureRegister: Sendable {
    private let features: [any Feature.Type]
    private let commands: FieldTable<any Command.Type>
    private let timers: [String: any HomeTimer.Type]
    private let messages: [String: any HomeMessage.Type]
    private let durableMessages: [String: any DurableMessage.Type]
    /// Whether a kind of message changes what stands on the ground.
    private let groundChanges: FieldTable<Bool>
    /// The features that have something in spaces.
    private let inSpaces: [any Feature.Type]
    /// The kinds of homes on whose topics features publish.
    public let publishes: Set<HomeKind>
    /// Every refusal code of this server, in the order of the requirements.
    public let refusals: [Refusal.Code]
    /// How each feature finds the members of homes.
    let memberships: [Membership]
    /// The features' counts in each cell, for operators, in the order of the register (STA-2).
    public let cellCounts: [CellCount]
    /// How operators find, see and remove instances, one entry for each kind.
    public let withdrawals: [Withdrawal]
    /// What features add up about instances, for operators.
    public let totals: [InstanceTotals]
    /// How instances are shared in scopes; nil = no feature shares any.
    let sharing: Sharing?
    /// The stored names that are listed for searches; nil = no feature lists any.
    public let listedNames: ListedNames?
    /// The published tours; nil = no feature publishes any.
    public let offeredTours: OfferedTours?
    public let walkedAssets: WalkedAssets?
    /// The lists that features read page by page.
    public let listings: [Listing]
    /// The quotas of each person, in the order of the queries of `stored(for:now:)`.
    let quotas: [Quota]
    /// Most bytes of one person's stored replies in a day.
    let replyBytesMax: @Sendable (Settings) -> Int
    /// The quotas that count a kind of message.
    private let quotasByField: FieldTable<[Int]>
    /// The quotas of each network address, by the kinds of messages that they count.
    private let addressQuotasByField: FieldTable<[Quota]>

    /// - Parameters:
    ///   - shared: limits that count commands of several features together.
    ///   - replyBytesMax: most bytes of one person's stored replies in a day.
    public init(
        _ features: [any Feature.Type], sharing shared: [Quota] = [],
        replyBytesMax: @escaping @Sendable (Settings) -> Int = { _ in .max }
    ) {
        self.features = features
        self.replyBytesMax = replyBytesMax
        var commands = FieldTable<any Command.Type>()
        for command in features.flatMap({ $0.commands }) {
            precondition(commands[command.kind.field] == nil, "two commands claim \(command.kind.name)")
            commands[command.kind.field] = command
        }
        self.commands = commands
        var groundChanges = FieldTable<Bool>()
        for command in features.flatMap({ $0.groundChanges }) where command.isChange {
            groundChanges[command.kind.field] = true
        }
        self.groundChanges = groundChanges
        inSpaces = features.filter { $0.publishes.contains(.space) }
        timers = Self.table([OutgoingMessage.self] + features.flatMap { $0.timers }) { $0.kind.text }
        messages = Self.table(Self.messages + features.flatMap { $0.messages }) { $0.kind.text }
        durableMessages = Self.table(features.flatMap { $0.durableMessages }) { $0.kind.text }
        publishes = features.reduce(into: []) { $0.formUnion($1.publishes) }
        refusals = Refusal.Code.general + features.flatMap { $0.refusals }
        precondition(Set(refusals).count == refusals.count, "a refusal code is declared twice")
        memberships = features.compactMap { $0.membership }
        cellCounts = features.flatMap { $0.cellCounts }
        withdrawals = features.compactMap { $0.withdrawal }
        totals = features.compactMap { $0.totals }
        precondition(Set(withdrawals.map(\.kind)).count == withdrawals.count, "two features withdraw one kind")
        let sharings = features.compactMap { $0.sharing }
        precondition(sharings.count <= 1, "two features share instances")
        sharing = sharings.first
        listedNames = features.compactMap { $0.listedNames }.first
        offeredTours = features.compactMap { $0.offeredTours }.first
        walkedAssets = features.compactMap { $0.walkedAssets }.first
        listings = features.flatMap { $0.listings }
        for listing in listings { precondition(listing.faults.isEmpty, "\(listing.faults)") }
        let declared = features.flatMap { $0.quotas } + shared
        quotas = declared.filter { !$0.isOfAddress }
        var quotasByField = FieldTable<[Int]>()
        for (index, quota) in quotas.enumerated() {
            for command in quota.commands {
                quotasByField[command.kind.field] = (quotasByField[command.kind.field] ?? []) + [index]
            }
        }
        self.quotasByField = quotasByField
        var addressQuotasByField = FieldTable<[Quota]>()
        for quota in declared where quota.isOfAddress {
            for command in quota.commands {
                addressQuotasByField[command.kind.field] = (addressQuotasByField[command.kind.field] ?? []) + [quota]
            }
        }
        self.addressQuotasByField = addressQuotasByField
    }

    /// The messages that the server itself declares.
    private static let messages: [any HomeMessage.Type] = [
        MessageDelivery.self, MessageAcknowledgement.self, MessageUnheard.self, InstanceWithdrawal.self,
        ScopeEnded.self, PersonErased.self,
    ]

    private static func table<Kind>(_ types: [Kind], _ name: (Kind) -> String) -> [String: Kind] {
        Dictionary(types.map { (name($0), $0) }) { one, other in
            preconditionFailure("\(one) and \(other) are both declared as \(name(one))")
        }
    }

    // MARK: Commands

    /// The command whose body has this field number in the envelope; nil when no feature answers it.
    public func command(field: UInt32) -> (any Command.Type)? { commands[field] }

    /// All kinds that a feature answers.
    public var kinds: [MessageKind] { commands.values.map { $0.kind } }

    /// Decodes a body.
    /// - Throws: `unknown_type`, `bad_message`, and the refusals of the command's own checks of the message.
    public func command(field: UInt32, payload: [UInt8]) throws(Refusal) -> any Command {
        guard let type = commands[field] else { throw Refusal(.unknownType, component: "session") }
        return try Self.decode(type, payload)
    }

    private static func decode<C: Command>(_ type: C.Type, _ payload: [UInt8]) throws(Refusal) -> any Command {
        try C(WireBody.decode(C.Body.self, from: payload))
    }

    // MARK: Spaces

    /// Whether it is a change of what stands on the ground, or of a sub-realm and its things.
    func changesGround(_ kind: MessageKind) -> Bool { groundChanges[kind.field] ?? false }

    /// The effects of a position in a space.
    func moved(_ movement: Movement, in turn: inout Turn) -> [Effect] {
        var effects: [Effect] = []
        for feature in inSpaces { effects += feature.moved(movement, in: &turn) }
        return effects
    }

    /// The message to a space that its other members may learn less of one of them; nil = they learn nothing.
    public func seclusion(_ seclusion: Seclusion, of account: AccountID) -> (any HomeMessage)? {
        inSpaces.lazy.compactMap { $0.seclusion(seclusion, of: account) }.first
    }

    /// The message to a space that one of its members has this role; nil = no feature asks.
    public func roleNotice(_ role: Role, of account: AccountID) -> (any HomeMessage)? {
        inSpaces.lazy.compactMap { $0.roleNotice(role, of: account) }.first
    }

    /// The refusal of a change of what stands on the ground, for a person who is in a space.
    func groundRefusal(in turn: Turn) -> Refusal {
        for feature in inSpaces { if let refusal = feature.groundRefusal(in: turn) { return refusal } }
        // The space has ended, and the sender did not know yet.
        return Refusal(.tryAgain, component: "space", retryAfter: .milliseconds(200))
    }

    /// What a new follower of a space's topic gets behind the topic's state.
    func addendum(for account: AccountID, in turn: Turn) -> [WireItem] {
        inSpaces.flatMap { $0.addendum(for: account, in: turn) }
    }

    // MARK: People

    /// What each feature gives up of a person who has deleted their account.
    func erase(_ account: AccountID, in turn: inout Turn) -> [Effect] {
        var effects: [Effect] = []
        for feature in features { effects += feature.erase(account, in: &turn) }
        return effects
    }

    /// The message by which an account tells its person of a tour nearby; nil = no feature tells of any.
    public func notice(of tour: TourID, in language: String) -> (any HomeMessage)? {
        features.lazy.compactMap { $0.notice(of: tour, in: language) }.first
    }

    /// The message to the home of a tour whose organisation is suspended; nil = nothing ends with a tour.
    public var tourWithdrawal: (any HomeMessage)? { features.lazy.compactMap { $0.tourWithdrawal }.first }

    // MARK: Settings

    /// The settings of all features.
    public var settings: [any FeatureSettings.Type] { features.compactMap { $0.settings } }

    /// Adds the settings that features publish to clients.
    public func describe(_ settings: Settings, into limits: inout WireLimits) {
        for feature in features { feature.describe(settings, into: &limits) }
    }

    // MARK: Quotas

    /// The quotas that count requests of this kind, as indices of `quotas`.
    func quotas(counting kind: MessageKind) -> [Int] { quotasByField[kind.field] ?? [] }

    /// The quotas of network addresses that count requests of this kind.
    public func addressQuotas(counting kind: MessageKind) -> [Quota] { addressQuotasByField[kind.field] ?? [] }

    /// The queries that restore an account's quotas, quota by quota.
    public func stored(for account: AccountID, now: LastingTime) -> [[Query]] {
        quotas.map { quota in quota.stored.map { [$0.query(account, now)] } ?? [] }
    }

    // MARK: Homes

    /// The queries that restore a home when it wakes: feature by feature, then the one for the timers, which every home
    /// has.
    public func stored(in home: HomeAddress) -> [[Query]] {
        features.map { $0.stored(in: home) } + [[TimerRow.stored(in: home)]]
    }

    /// The timer of this kind; nil when no feature declares it.
    func timer(_ kind: String) -> (any HomeTimer.Type)? { timers[kind] }

    /// The message of this kind; nil when there is none.
    public func message(_ kind: String) -> (any HomeMessage.Type)? { messages[kind] }

    /// The durable message of this kind; nil when no feature declares it.
    func durableMessage(_ kind: String) -> (any DurableMessage.Type)? { durableMessages[kind] }

    /// Decodes a message that was received as bytes.
    func decoded(_ envelope: MessageEnvelope, in turn: Turn) throws(ColumnFault) -> any DurableMessage {
        guard let type = durableMessages[envelope.kind] else { throw ColumnFault(1, .unreadable) }
        return try type.init(payload: envelope.payload, in: turn)
    }

    /// The rows of a home's timers among the answers to `stored(in:)`.
    func timerRows(in answers: [[[Row]]]) -> [Row] {
        answers.count > features.count ? answers[features.count].first ?? [] : []
    }

    /// Restores a home's stored state; `answers` are those to `stored(in:)`, feature by feature.
    func restore(_ answers: [[[Row]]], in turn: inout Turn) {
        for (feature, rows) in zip(features, answers) { feature.restore(rows, in: &turn) }
    }

    // MARK: Instances

    /// The encoded attachments of an instance, by the names of their features.
    func encodedAttachments(of record: ObjectRecord, settings: Settings) -> [(feature: String, bytes: [UInt8])] {
        features.compactMap { feature in
            feature.encodedAttachment(of: record, settings: settings).map { (feature.name, $0) }
        }
    }

    /// Decodes the result of `encodedAttachments`. Attachments of features that are no longer registered are skipped.
    func decodeAttachment(
        _ bytes: [UInt8], of feature: String, into record: inout ObjectRecord, settings: Settings
    ) throws(ColumnFault) {
        guard let feature = features.first(where: { $0.name == feature }) else { return }
        try feature.decodeAttachment(bytes, into: &record, settings: settings)
    }

    /// An instance as its owner sees it.
    public func describedToOwner(_ record: ObjectRecord, settings: Settings) -> WireInstance {
        var instance = record.wire
        for feature in features { feature.describe(record, into: &instance, settings: settings) }
        return instance
    }

    /// An instance as everybody sees it. Owner and creation time are left out, because they would link the instances of
    /// one person.
    public func described(_ record: ObjectRecord, settings: Settings) -> WireInstance {
        var instance = describedToOwner(record, settings: settings)
        instance.placer = ""
        instance.created = 0
        return instance
    }

    /// Takes times out of what guests are told.
    func coarsen(_ instance: inout WireInstance) {
        for feature in features { feature.coarsen(&instance) }
    }

    func coarsened(_ change: WireEvent.OneOf_Change) -> WireEvent.OneOf_Change {
        features.reduce(change) { $1.coarsened($0) }
    }

    /// Adds the features' details of an instance for one person who selects it.
    func describe(
        _ record: ObjectRecord, to account: AccountID, into selected: inout WireSelected, settings: Settings
    ) {
        for feature in features { feature.describe(record, to: account, into: &selected, settings: settings) }
    }

    // MARK: Storage and counts

    /// The features' counts for developers, in the order of the register (STA-4).
    public var counts: [EngagementCount] { features.flatMap { $0.counts } }

    public var migrations: [Migration] { features.flatMap { $0.migrations } }

    /// The tables of all features.
    public func tables(settings: Settings) -> [StoredTable] { features.flatMap { $0.tables(settings: settings) } }

    /// Queries for the newest identifiers that features have issued.
    public func newestIdentifiers(below bound: SQLValue) -> [Query] {
        features.compactMap { $0.newestIdentifier(below: bound) }
    }

    /// Queries for the newest times that features have stored.
    public func newestTimes(below bound: SQLValue) -> [Query] {
        features.compactMap { $0.newestTime(below: bound) }
    }

    /// Finds out the cell level of the rows, for each feature that stores by cell.
    public var levelProbes: [LevelProbe] { features.compactMap { $0.levelProbe } }

    /// The expiries of all features (DAT-10).
    public func expiries(now: LastingTime, settings: Settings) -> [Expiry] {
        features.flatMap { $0.expiries(now: now, settings: settings) }
    }
}

internal import CairnGeo
public import CairnWire

/// One request taken by one home: what a feature may know and change.
public struct Turn: Sendable {
    public let home: HomeAddress
    /// Milliseconds since 1970-01-01 UTC; never runs backwards while the server runs.
    public internal(set) var now: Int64
    /// The same for ages, such as those of keys and quotas: it ignores jumps of the wall clock (`FollowedTime`).
    public internal(set) var lasting: Int64
    /// The settings in force.
    public internal(set) var settings: Settings
    /// The instances that the home holds.
    public var objects = ObjectTable()
    /// The timers of the home.
    var timers = TimerTable()
    /// Durable messages sent by the home, and those it has received.
    var messages: MessageTable
    /// Rows that were passed over when the home woke.
    public internal(set) var damage: [DamagedRow] = []
    let register: FeatureRegister
    private let identifiers: IdentifierIssuer

    init(
        home: HomeAddress, register: FeatureRegister, settings: Settings, now: Int64, lasting: Int64,
        identifiers: IdentifierIssuer
    ) {
        self.home = home
        self.register = register
        self.settings = settings
        self.now = now
        self.lasting = lasting
        self.identifiers = identifiers
        messages = MessageTable(began: lasting)
    }

    /// When a timer of the home is due, in lasting milliseconds; nil = it is not set.
    public func due(of timer: any HomeTimer.Type, subject: UInt64 = 0) -> Int64? {
        timers[TimerName(timer.kind.text, subject)]?.due
    }

    /// An instance as everybody sees it, with what each feature adds.
    public func described(_ record: ObjectRecord) -> WireInstance { register.described(record, settings: settings) }

    /// An instance as its owner is told of it.
    public func describedToOwner(_ record: ObjectRecord) -> WireInstance {
        register.describedToOwner(record, settings: settings)
    }

    /// What features keep with an instance, by their names, for a message that carries it.
    public func encodedAttachments(of record: ObjectRecord) -> [(feature: String, bytes: [UInt8])] {
        register.encodedAttachments(of: record, settings: settings)
    }

    /// Reads what `encodedAttachments` gave.
    public func decodeAttachment(
        _ bytes: [UInt8], of feature: String, into record: inout ObjectRecord
    ) throws(ColumnFault) {
        try register.decodeAttachment(bytes, of: feature, into: &record, settings: settings)
    }

    /// Adds what each feature tells one person of an instance that they select.
    public func describe(_ record: ObjectRecord, to account: AccountID, into selected: inout WireSelected) {
        register.describe(record, to: account, into: &selected, settings: settings)
    }

    /// Reports a damaged row to operators; the home goes on without it.
    public mutating func report(_ row: DamagedRow) { damage.append(row) }

    /// Reads the rows of a table one by one; those that are damaged are reported and passed over.
    public mutating func read<Value>(
        _ rows: some Sequence<Row>, of table: StoredTable, _ read: (Row) throws(ColumnFault) -> Value
    ) -> [Value] {
        rows.read(as: table, into: &damage, read)
    }

    /// An id that no other instance has or had.
    public func newInstanceID() -> InstanceID {
        identifiers.next(InstanceTag.self, at: now)
    }

    /// By this name clients know an instance, or an account; it does not tell when that was made.
    public func name<Tag>(of identifier: Identifier<Tag>) -> String { identifiers.name(of: identifier) }

    /// The instance that a client means; nil = none has such a name.
    public func instance(named name: String) -> InstanceID? { identifiers.identifier(named: name) }

    /// An id that nothing else has or had, for things of another sort.
    public func newIdentifier<Tag>(_ tag: Tag.Type = Tag.self) -> Identifier<Tag> {
        identifiers.next(tag, at: now)
    }
}

internal import CairnGeo
public import CairnWire

/// One turn of one home: what a feature may read and change.
public struct Turn: Sendable {
    public let home: HomeAddress
    /// The time of day. It never runs backwards while the server runs.
    public internal(set) var now: WallTime
    /// The time for ages and expiry.
    public internal(set) var lasting: LastingTime
    /// Since when that time has passed without a gap, with a server that listened: silence counts from there. Known in
    /// turns of timers.
    public internal(set) var steadySince = LastingTime.epoch
    /// The settings that apply.
    public internal(set) var settings: Settings
    /// The instances that the home holds.
    public var objects = ObjectTable()
    /// The timers of the home.
    var timers = TimerTable()
    /// Durable messages sent by the home, and those it has received.
    var messages: MessageTable
    /// What a feature remembers of movements in a space (`Feature.moved`). It is in memory only: nothing may be told by
    /// it that has to last, and it is gone when the home sleeps.
    public var motion: (any Sendable)?
    /// Damaged rows that were left out when the home woke.
    public internal(set) var damage: [DamagedRow] = []
    let register: FeatureRegister
    let identifiers: IdentifierIssuer
    /// The present names of people and open sub-realms.
    public let names: NameDirectory

    init(
        home: HomeAddress, register: FeatureRegister, settings: Settings, now: WallTime, lasting: LastingTime,
        identifiers: IdentifierIssuer, names: NameDirectory
    ) {
        self.home = home
        self.register = register
        self.settings = settings
        self.now = now
        self.lasting = lasting
        self.identifiers = identifiers
        self.names = names
        messages = MessageTable(began: lasting)
    }

    /// The time of day that clients see for a lasting time.
    public func wallTime(of time: LastingTime) -> WallTime { now + (time - lasting) }

    /// When a timer of the home is due; nil = it is not set.
    public func due(of timer: any HomeTimer.Type, subject: UInt64 = 0) -> LastingTime? {
        timers[TimerName(timer.kind.text, subject)]?.due
    }

    /// An instance as everybody sees it, with what each feature adds.
    public func described(_ record: ObjectRecord) -> WireInstance { register.described(record, settings: settings) }

    /// An instance as its owner sees it.
    public func describedToOwner(_ record: ObjectRecord) -> WireInstance {
        register.describedToOwner(record, settings: settings)
    }

    /// The attachments of an instance, encoded, by the names of their features, for a message that carries it.
    public func encodedAttachments(of record: ObjectRecord) -> [(feature: String, bytes: [UInt8])] {
        register.encodedAttachments(of: record, settings: settings)
    }

    /// Decodes the result of `encodedAttachments`.
    public func decodeAttachment(
        _ bytes: [UInt8], of feature: String, into record: inout ObjectRecord
    ) throws(ColumnFault) {
        try register.decodeAttachment(bytes, of: feature, into: &record, settings: settings)
    }

    /// Adds every feature's details of an instance for one person who selects it.
    public func describe(_ record: ObjectRecord, to account: AccountID, into selected: inout WireSelected) {
        register.describe(record, to: account, into: &selected, settings: settings)
    }

    /// Reports a damaged row to operators; the home is served without it.
    public mutating func report(_ row: DamagedRow) { damage.append(row) }

    /// Reads the rows of a table. Damaged rows are reported and left out.
    public mutating func read<Value>(
        _ rows: some Sequence<Row>, of table: StoredTable, _ read: (Row) throws(ColumnFault) -> Value
    ) -> [Value] {
        rows.read(as: table, into: &damage, read)
    }

    /// An id that no other instance has or had.
    public func newInstanceID() -> InstanceID {
        identifiers.next(InstanceTag.self, at: now)
    }

    /// The name of an instance or account for clients. It does not reveal when that was made.
    public func name<Tag>(of identifier: Identifier<Tag>) -> String { identifiers.name(of: identifier) }

    /// The id that a client's name stands for; nil = it is no valid name.
    public func instance(named name: String) -> InstanceID? { identifiers.identifier(named: name) }

    /// The identifier that a client's name of anything but an instance stands for; nil = it is no valid name.
    public func identifier<Tag>(named name: String, _ tag: Tag.Type = Tag.self) -> Identifier<Tag>? {
        identifiers.identifier(named: name)
    }

    /// An id that nothing else has or had, for anything but instances.
    public func newIdentifier<Tag>(_ tag: Tag.Type = Tag.self) -> Identifier<Tag> {
        identifiers.next(tag, at: now)
    }
}

public import CairnWire

/// What a person gets of a table when they ask for everything that is held on them (CMP-2). Every table says it
/// (`StoredTable.export`), unless it holds nothing personal: a test refuses one that does not.
public enum Export: Sendable {
    /// Nothing of it: it says nothing that the person could read, or says it elsewhere.
    case nothing(because: StaticText)
    /// An object for each row with the account in one of these columns. Nil = the row is not the person's to see.
    case rows([Int], @Sendable (Row, ExportView) throws(ColumnFault) -> [String: ExportValue]?)
    /// An object for each row that a query finds, all at once: there are few.
    case query(
        @Sendable (AccountID) -> Query, @Sendable (Row, ExportView) throws(ColumnFault) -> [String: ExportValue]?)
}

/// A value in an export, as JSON has it.
public enum ExportValue: Sendable, Hashable, Encodable {
    case text(String)
    case integer(Int64)
    case number(Double)
    case flag(Bool)
    case list([ExportValue])
    case object([String: ExportValue])
    /// There is none; the member is left out.
    case absent

    /// A time, in milliseconds since 1970-01-01 UTC; nil = none.
    public static func time(_ time: (some Timestamp)?) -> ExportValue {
        time.map { .integer($0.milliseconds) } ?? .absent
    }

    /// A text; an empty one is left out.
    public static func filled(_ text: String) -> ExportValue { text.isEmpty ? .absent : .text(text) }

    /// A number; nil is left out.
    public static func some(_ number: Int64?) -> ExportValue { number.map { .integer($0) } ?? .absent }

    /// Members without those that are absent.
    public static func members(_ members: [String: ExportValue]) -> [String: ExportValue] {
        members.filter { $0.value != .absent }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .integer(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .flag(let flag): try container.encode(flag)
        case .list(let values): try container.encode(values)
        case .object(let values): try container.encode(Self.members(values))
        case .absent: try container.encodeNil()
        }
    }
}

/// For whom an export is, and how ids and people are named in it: as clients are told them.
public struct ExportView: Sendable {
    public let account: AccountID
    private let identifiers: IdentifierIssuer
    private let names: NameDirectory
    /// Of the account, by the other person.
    private let relations: [AccountID: Relation]

    public init(
        of account: AccountID, _ relations: [Relation], _ identifiers: IdentifierIssuer, _ names: NameDirectory
    ) {
        (self.account, self.identifiers, self.names) = (account, identifiers, names)
        let named = relations.map { ($0.other(than: account), $0) }
        self.relations = Dictionary(named) { first, _ in first }
    }

    /// Whether a person is absent for the account, which then gets nothing that they have caused (FRD-7).
    public func isHidden(_ person: AccountID?) -> Bool { person.flatMap { relations[$0] }?.isBlocked == true }

    /// What the account and a person are to each other.
    public func relation(with person: AccountID) -> Relation { relations[person] ?? Relation(account, person) }

    /// The name of an id on the wire.
    public func name<Tag>(of id: Identifier<Tag>?) -> ExportValue {
        id.map { .text(identifiers.name(of: $0)) } ?? .absent
    }

    /// The name of the id in a column.
    public func name(_ row: Row, _ column: Int) throws(ColumnFault) -> ExportValue {
        name(of: InstanceID(rawValue: UInt64(bitPattern: try row.integer(column))))
    }

    /// Another person, by id and present name.
    public func person(_ account: AccountID?) -> ExportValue {
        guard let account, let name = names.people.name(of: account) else { return .absent }
        return .object(["account": self.name(of: account), "name": .text(name)])
    }
}

extension StoredTable {
    /// Rows of a page of an export.
    public static let exportedAtOnce = 200

    /// Query for rows with a value in a column, opened, in the order of their key and behind one: pages of
    /// `exportedAtOnce`.
    public func page(with value: SQLValue, in column: Int, after key: [SQLValue]?) -> Query {
        let keys = StaticText(joining: self.key.map { columns[$0] }, by: ", ")
        let own = StaticText(joining: columns, by: ", ")
        let start: StaticText = StaticText(joining: [
            "SELECT ", own, " FROM ", name, " WHERE ", condition(on: column),
        ])
        let end = StaticText(joining: [" ORDER BY ", keys, " LIMIT ?"])
        let limit = SQLValue.integer(Int64(Self.exportedAtOnce))
        guard let key else {
            return Query(StaticText(joining: [start, end]), arguments: [value, limit], opening: openings)
        }
        let marks = StaticText(joining: key.map { _ in "?" }, by: ", ")
        return Query(
            StaticText(joining: [start, " AND (", keys, ") > (", marks, ")", end]), arguments: [value] + key + [limit],
            opening: openings)
    }
}

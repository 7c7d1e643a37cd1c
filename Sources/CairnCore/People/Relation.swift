public import CairnWire

/// What two people are to each other: friends, one has asked the other, or one has blocked the other (FRD-2 to FRD-7).
///
/// One row for each pair. The account with the lower number is its home: all changes of a pair are turns of one home.
/// A pair that is nothing to each other has no row.
public struct Relation: Hashable, Sendable {
    /// The lower of the two numbers.
    public let low: AccountID
    public let high: AccountID
    /// Nil = they are not friends.
    public var friendsSince: WallTime?
    /// The open friend request; nil = none.
    public var request: Request?
    public private(set) var lowBlocked: WallTime?
    public private(set) var highBlocked: WallTime?
    /// When the last block between the two began. Invitations from before are void, also after its end.
    public private(set) var lastBlocked: WallTime?
    /// The name that the one who blocks could see of the other then; empty = none was kept.
    private var (lowSaw, highSaw) = ("", "")

    /// A friend request: who has asked, and when.
    public struct Request: Hashable, Sendable {
        public let by: AccountID
        public let at: WallTime

        public init(by: AccountID, at: WallTime) {
            self.by = by
            self.at = at
        }
    }

    /// Of two people who are nothing to each other yet.
    public init(_ one: AccountID, _ other: AccountID) {
        (low, high) = one.rawValue < other.rawValue ? (one, other) : (other, one)
    }

    /// The home that decides about the pair.
    public static func home(of one: AccountID, _ other: AccountID) -> HomeAddress {
        .account(Relation(one, other).low)
    }

    /// The other of the two.
    public func other(than account: AccountID) -> AccountID { account == low ? high : low }

    public var areFriends: Bool { friendsSince != nil && !isBlocked }
    /// Whether they have been friends ever since a time.
    public func areFriends(since time: WallTime) -> Bool { areFriends && friendsSince.map { $0 <= time } ?? false }

    /// Whether one of the two has blocked the other: each is absent for the other.
    public var isBlocked: Bool { lowBlocked != nil || highBlocked != nil }
    public var isNothing: Bool { friendsSince == nil && request == nil && !isBlocked && lastBlocked == nil }

    /// When the last block between the two began, if nothing else is left of what they were; nil = something is.
    public var endedBlock: WallTime? {
        friendsSince == nil && request == nil && !isBlocked ? lastBlocked : nil
    }

    /// Forgets the last block if it has ended and began before a time: no invitation from before it is left.
    public mutating func forgetEndedBlock(before time: WallTime) {
        if !isBlocked, let lastBlocked, lastBlocked < time { self.lastBlocked = nil }
    }

    /// When this one of the two blocked the other; nil = has not.
    public func blocked(by account: AccountID) -> WallTime? { account == low ? lowBlocked : highBlocked }

    /// The two become friends.
    public mutating func befriend(at now: WallTime) {
        friendsSince = now
        request = nil
    }

    /// The name by which one of the two lists the blocked other: the one that they could see when they blocked. Nil =
    /// the block is from before names were kept.
    public func nameSeen(by account: AccountID) -> String? {
        let name = account == low ? lowSaw : highSaw
        return name.isEmpty ? nil : name
    }

    /// One blocks the other: friendship, requests and invitations end.
    /// - Parameter name: of the other, as the one who blocks sees it.
    public mutating func block(by account: AccountID, at now: WallTime, seeing name: String = "") {
        friendsSince = nil
        request = nil
        lastBlocked = now
        if account == low {
            (lowBlocked, lowSaw) = (lowBlocked ?? now, name)
        } else {
            (highBlocked, highSaw) = (highBlocked ?? now, name)
        }
    }

    /// One ends the own block; the other's stays.
    public mutating func unblock(by account: AccountID) {
        if account == low { (lowBlocked, lowSaw) = (nil, "") } else { (highBlocked, highSaw) = (nil, "") }
    }

    /// Whether the account may block the other person or end a block of them. It may not if only the other person has
    /// blocked: then `block` answers as for an account that does not exist (FRD-7).
    public func mayBeBlocked(by account: AccountID) -> Bool { !isBlocked || blocked(by: account) != nil }

    /// Whether an invitation of one of the two to the other holds that was made at this time.
    public func admitsInvitation(of time: WallTime) -> Bool {
        !isBlocked && lastBlocked.map { $0 < time } ?? true
    }
}

// MARK: - Storage

extension Relation {
    private static let seal = Seal("relations")

    public static let migrations = [
        Migration(
            "relations-1",
            """
            CREATE TABLE relations (
                low INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                high INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, sealed BLOB NOT NULL,
                PRIMARY KEY (low, high)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX relations_high ON relations (high)")
    ]

    /// The two accounts are in the clear and bound; the relation between them is sealed.
    public static let table = StoredTable(
        "relations", of: .account, columns: ["low", "high", "sealed"], key: [0, 1],
        opening: [Opening(2, seal, row: 0, bound: [1])],
        references: [StoredTable.Reference(0, to: "accounts", "id"), StoredTable.Reference(1, to: "accounts", "id")],
        erasure: [.homes(.accounts, id: 0, column: 0), .homes(.accounts, id: 0, column: 1)],
        export: .rows([0, 1]) { row, view throws(ColumnFault) in
            let relation = try Relation(stored: row)
            // A block by the other person is not part of this one's data.
            let isHidden = relation.blocked(by: relation.other(than: view.account)) != nil
            let blocked = relation.blocked(by: view.account)
            guard !isHidden || blocked != nil else { return nil }
            // That there was a block once is the server's alone: it may have been the other's.
            guard relation.areFriends || relation.request != nil || blocked != nil else { return nil }
            return [
                "person": view.person(relation.other(than: view.account)), "friendsSince": .time(relation.friendsSince),
                "requestedBy": relation.request.map { view.person($0.by) } ?? .absent,
                "requested": .time(relation.request?.at), "blocked": .time(blocked),
            ]
        }
    ) { row throws(ColumnFault) in
        _ = try Relation(stored: row)
        return []
    }

    private static let ofPair = table.query("WHERE low = ? AND high = ?")
    private static let ofOne = table.query("WHERE low = ? OR high = ?")
    private static let ofHome = table.query("WHERE low = ?")
    private static let ofPairs = table.query(
        "WHERE (low, high) IN (SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?))")

    /// Query for the row of a pair.
    public static func query(_ one: AccountID, _ other: AccountID) -> Query {
        let pair = Relation(one, other)
        return ofPair.about(integer(pair.low), integer(pair.high))
    }

    /// Query for the rows of pairs. A pair that is nothing to each other has none.
    public static func query(pairs: [(one: AccountID, other: AccountID)]) -> Query {
        let list = pairs.map { pair in
            let pair = Relation(pair.one, pair.other)
            return "[\(Int64(bitPattern: pair.low.rawValue)),\(Int64(bitPattern: pair.high.rawValue))]"
        }
        return ofPairs.about(.text("[\(list.joined(separator: ","))]"))
    }

    /// Most people about whom a person's rows are read one by one: more would cost more than all rows of the person.
    private static let amongMax = 256

    /// Query for what a person is to others: their rows with these people, and perhaps rows with further ones.
    public static func query(of account: AccountID, among people: some Collection<AccountID>) -> Query {
        guard people.count <= amongMax else { return query(of: account) }
        return query(pairs: people.filter { $0 != account }.map { (one: account, other: $0) })
    }

    /// Query for all rows of a person: up to some thousands, so a person may have it asked as often only as
    /// `friends.looksPerMinute` says. Where it is known about whom, ask `query(of:among:)`.
    public static func query(of account: AccountID) -> Query { ofOne.about(integer(account), integer(account)) }

    /// Query for the rows whose home a person is.
    public static func query(in home: AccountID) -> Query { ofHome.about(integer(home)) }

    /// Stores it as it is now.
    public var saving: Statement {
        let (low, high) = (Self.integer(low), Self.integer(high))
        guard !isNothing else {
            return Statement("DELETE FROM relations WHERE low = ? AND high = ?", low, high)
        }
        return Statement(
            """
            INSERT INTO relations (low, high, sealed) VALUES (?, ?, ?)
            ON CONFLICT (low, high) DO UPDATE SET sealed = excluded.sealed
            """, low, high, sealed, changing: 1)
    }

    /// People who have blocked each other are absent for each other, in each direction (FRD-7). The relation is
    /// sealed, so each person with a row may have a block.
    public static let absences = Membership(
        in: table, holders: Query("SELECT low FROM relations UNION SELECT high FROM relations"), of: query(of:),
        damaged: { row, account in Relation(damaged: row).map { .absence(of: $0.other(than: account)) } }
    ) { row, account throws(ColumnFault) in
        let relation = try Relation(stored: row)
        return relation.isBlocked ? .absence(of: relation.other(than: account)) : nil
    }

    private static func integer(_ account: AccountID) -> SQLValue { .integer(Int64(bitPattern: account.rawValue)) }

    private var sealed: SQLValue {
        let asker: Int64 = request.map { $0.by == low ? 1 : 2 } ?? 0
        let times = [friendsSince, request?.at, lowBlocked, highBlocked, lastBlocked]
        return .sealed(
            [.integer(asker)] + times.map { .integer($0?.milliseconds ?? 0) } + [.text(lowSaw), .text(highSaw)],
            Self.seal,
            row: Int64(bitPattern: low.rawValue), bound: [Self.integer(high)])
    }

    /// Reads a row of the table.
    public init(stored row: Row) throws(ColumnFault) {
        self.init(
            AccountID(rawValue: UInt64(bitPattern: try row.integer(0))),
            AccountID(rawValue: UInt64(bitPattern: try row.integer(1))))
        guard Int64(bitPattern: low.rawValue) == (try row.integer(0)) else { throw ColumnFault(0, .outOfRange) }
        let (asker, times, names) = try row.within(2) { sealed throws(ColumnFault) in
            var times: [WallTime?] = []
            for index in 1...5 {
                let time = try sealed.wallTime(index)
                times.append(time.milliseconds == 0 ? nil : time)
            }
            // Rows from before names were kept end here.
            let hasNames = sealed.values.count > 6
            let names = hasNames ? (try sealed.text(6), try sealed.text(7)) : ("", "")
            return (try sealed.integer(0, in: 0...2), times, names)
        }
        (lowSaw, highSaw) = names
        friendsSince = times[0]
        if asker > 0, let at = times[1] { request = Request(by: asker == 1 ? low : high, at: at) }
        (lowBlocked, highBlocked, lastBlocked) = (times[2], times[3], times[4])
    }
}

extension Relation {
    /// In place of a damaged row: either of the two may have blocked the other, so both have, until each ends the own
    /// block. Nil = the row does not even say who they are.
    fileprivate init?(damaged row: Row) {
        guard let low = try? row.integer(0), let high = try? row.integer(1) else { return nil }
        self.init(AccountID(rawValue: UInt64(bitPattern: low)), AccountID(rawValue: UInt64(bitPattern: high)))
        // A block that began at 0 is stored as none.
        for account in [self.low, self.high] { block(by: account, at: WallTime(milliseconds: 1)) }
    }
}

extension [Row] {
    /// Reads the answer to a query of relations. Damaged rows are appended to the damage and count as blocks: what was
    /// closed stays closed.
    public func relations(into damage: inout [DamagedRow]) -> [Relation] {
        var relations: [Relation] = []
        for row in self {
            do throws(DamagedRow) {
                relations.append(
                    try Relation.table.read(row) { row throws(ColumnFault) in try Relation(stored: row) })
            } catch {
                damage.append(error)
                if let relation = Relation(damaged: row) { relations.append(relation) }
            }
        }
        return relations
    }
}

extension Turn {
    /// Reads the answer to a query of relations. Damaged rows are reported and count as blocks.
    public mutating func relations(in rows: [Row]) -> [Relation] {
        var damage: [DamagedRow] = []
        defer { for row in damage { report(row) } }
        return rows.relations(into: &damage)
    }

    /// What two people are to each other, by the answer to `Relation.query` about the pair.
    public mutating func relation(in rows: [Row], _ one: AccountID, _ other: AccountID) -> Relation {
        relations(in: rows).first ?? Relation(one, other)
    }
}

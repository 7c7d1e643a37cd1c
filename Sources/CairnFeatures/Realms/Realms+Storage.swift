public import CairnCore
internal import CairnWire

extension Realms {
    public static let migrations = [
        Migration(
            "realms-1",
            """
            CREATE TABLE realms (
                id INTEGER PRIMARY KEY, is_open INTEGER NOT NULL, sealed BLOB NOT NULL
            ) STRICT
            """,
            """
            CREATE TABLE realm_members (
                realm INTEGER NOT NULL REFERENCES realms (id) ON DELETE CASCADE,
                account INTEGER NOT NULL, sealed BLOB NOT NULL,
                PRIMARY KEY (realm, account)
            ) STRICT, WITHOUT ROWID
            """,
            """
            CREATE TABLE realm_candidates (
                realm INTEGER NOT NULL REFERENCES realms (id) ON DELETE CASCADE,
                account INTEGER NOT NULL, ends INTEGER NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (realm, account)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX realms_open ON realms (is_open) WHERE is_open = 1",
            "CREATE INDEX realm_members_account ON realm_members (account)",
            "CREATE INDEX realm_candidates_account ON realm_candidates (account)",
            "CREATE INDEX realm_candidates_ends ON realm_candidates (ends)")
    ]

    public static func tables(settings: Settings) -> [StoredTable] {
        [RealmFacts.table, RealmMember.table, RealmCandidate.table]
    }

    public static func expiries(now: LastingTime, settings: Settings) -> [Expiry] {
        [Expiry(of: RealmCandidate.table, where: "ends", isBelow: now.milliseconds)]
    }

    public static func newestIdentifier(below bound: SQLValue) -> Query? {
        Query("SELECT coalesce(max(id), 0) FROM realms WHERE id < ?", bound)
    }

    public static func stored(in home: HomeAddress) -> [Query] {
        guard case .realm(let realm) = home else { return [] }
        return [RealmFacts.query(realm), RealmMember.query(in: realm), RealmCandidate.query(in: realm)]
    }

    public static func restore(_ answers: [[Row]], in turn: inout Turn) {
        guard case .realm = turn.home, answers.count == 3 else { return }
        for facts in turn.read(answers[0], of: RealmFacts.table, RealmFacts.init(stored:)) { turn.keep(facts) }
        for member in turn.read(answers[1], of: RealmMember.table, RealmMember.init(stored:)) { turn.keep(member) }
        for candidate in turn.read(answers[2], of: RealmCandidate.table, RealmCandidate.init(stored:)) {
            turn.keep(candidate)
        }
    }

    public static var listedNames: ListedNames? {
        ListedNames(of: RealmFacts.table, RealmFacts.openOnes) { row throws(ColumnFault) in
            let facts = try RealmFacts(stored: row)
            return NameIndex.Entry(id: facts.id, name: facts.name)
        }
    }

    static func integer<Tag>(_ id: Identifier<Tag>) -> SQLValue { .integer(Int64(bitPattern: id.rawValue)) }

    /// Numbers as `json_each` reads them.
    fileprivate static func list<Tag>(_ ids: some Sequence<Identifier<Tag>>) -> SQLValue {
        .text("[\(ids.map { "\(Int64(bitPattern: $0.rawValue))" }.joined(separator: ","))]")
    }

    fileprivate static func identifier<Tag>(_ row: Row, _ column: Int) throws(ColumnFault) -> Identifier<Tag> {
        Identifier(rawValue: UInt64(bitPattern: try row.integer(column)))
    }
}

extension RealmFacts {
    private static let seal = Seal("realms")

    static let table = StoredTable(
        "realms", of: .home(.realm), columns: ["id", "is_open", "sealed"], key: [0],
        opening: [Opening(2, seal, row: 0, bound: [1])],
        erasure: [.with("realm_members")],
        export: .query({ query(ofMember: $0) }) { row, view throws(ColumnFault) in
            let realm = try RealmFacts(stored: row)
            return [
                "realm": view.name(of: realm.id), "name": .text(realm.name), "description": .filled(realm.description),
                "owner": .flag(realm.owner == view.account), "created": .time(realm.created),
            ]
        }
    ) { row throws(ColumnFault) in
        _ = try RealmFacts(stored: row)
        return []
    }

    private static let byID = table.query("WHERE id = ?")
    /// All open ones, for the list of names.
    static let openOnes = table.query("WHERE is_open = 1")
    private static let ofList = table.query("WHERE id IN (SELECT value FROM json_each(?))")
    private static let ofMember = table.query("WHERE id IN (SELECT realm FROM realm_members WHERE account = ?)")
    private static let ofCandidate = table.query("WHERE id IN (SELECT realm FROM realm_candidates WHERE account = ?)")

    static func query(_ id: RealmID) -> Query { byID.about(Realms.integer(id)) }

    /// Of these sub-realms.
    static func query(_ ids: [RealmID]) -> Query {
        ofList.about(Realms.list(ids))
    }

    static func query(ofMember account: AccountID) -> Query { ofMember.about(Realms.integer(account)) }
    static func query(ofCandidate account: AccountID) -> Query { ofCandidate.about(Realms.integer(account)) }

    init(stored row: Row) throws(ColumnFault) {
        id = try Realms.identifier(row, 0)
        isOpen = try row.integer(1, in: 0...1) == 1
        (name, description, asksApproval, owner, version, created) = try row.within(2) { sealed throws(ColumnFault) in
            (
                try sealed.text(0), try sealed.text(1), try sealed.integer(2, in: 0...1) == 1,
                try Realms.identifier(sealed, 3), UInt32(try sealed.integer(4, in: 1...Int64(UInt32.max))),
                try sealed.wallTime(5)
            )
        }
    }

    private var open: SQLValue { .integer(isOpen ? 1 : 0) }

    private var sealed: SQLValue {
        .sealed(
            [
                .text(name), .text(description), .integer(asksApproval ? 1 : 0), Realms.integer(owner),
                .integer(Int64(version)), .time(created),
            ], Self.seal, row: Int64(bitPattern: id.rawValue), bound: [open])
    }

    var insertion: Statement {
        Statement(
            "INSERT INTO realms (id, is_open, sealed) VALUES (?, ?, ?)", Realms.integer(id), open, sealed, changing: 1)
    }

    var update: Statement {
        Statement(
            "UPDATE realms SET is_open = ?, sealed = ? WHERE id = ?", open, sealed, Realms.integer(id), changing: 1)
    }

    /// Members and candidates go with it.
    var deletion: Statement { Statement("DELETE FROM realms WHERE id = ?", Realms.integer(id), changing: 1) }
}

extension RealmMember {
    private static let seal = Seal("realm_members")

    static let table = StoredTable(
        "realm_members", of: .home(.realm), columns: ["realm", "account", "sealed"], key: [0, 1],
        opening: [Opening(2, seal, row: 0, bound: [1])],
        references: [
            StoredTable.Reference(0, to: "realms", "id"), StoredTable.Reference(1, to: "accounts", "id"),
        ],
        erasure: [.homes(.realms, id: 0, column: 1)],
        export: .rows([1]) { row, view throws(ColumnFault) in
            ["realm": try view.name(row, 0), "since": .time(try RealmMember(stored: row).since)]
        }
    ) { row throws(ColumnFault) in
        _ = try RealmMember(stored: row)
        return []
    }

    private static let inRealm = table.query("WHERE realm = ?")
    private static let ofAccount = table.query("WHERE account = ?")

    static func query(in realm: RealmID) -> Query { inRealm.about(Realms.integer(realm)) }
    static func query(of account: AccountID) -> Query { ofAccount.about(Realms.integer(account)) }

    private static let together = table.query(
        """
        WHERE realm IN (SELECT realm FROM realm_members WHERE account = ?)
        AND account NOT IN (SELECT value FROM json_each(?))
        """)

    /// The members of the sub-realms that an account is in, without those who are absent for it. They are counted by
    /// rows that open: an inserted row is no member.
    static func query(together account: AccountID, without absent: some Sequence<AccountID>) -> Query {
        together.about(Realms.integer(account), Realms.list(absent))
    }

    /// A member has the right to what is shared in the sub-realm, where there are sub-realms.
    static let membership = Membership(
        in: table, holders: Query("SELECT DISTINCT account FROM realm_members"), of: query(of:),
        isOn: { $0.realms.enabled }, waiting: RealmCandidate.waiting
    ) { row, _ throws(ColumnFault) in
        _ = try RealmMember(stored: row)
        return .members(of: .realm(try Realms.identifier(row, 0)))
    }

    init(stored row: Row) throws(ColumnFault) {
        account = try Realms.identifier(row, 1)
        since = try row.within(2) { sealed throws(ColumnFault) in try sealed.wallTime(0) }
    }

    func insertion(into realm: RealmID) -> Statement {
        let sealed = SQLValue.sealed(
            [.time(since)], Self.seal, row: Int64(bitPattern: realm.rawValue), bound: [Realms.integer(account)])
        // A damaged row makes no one a member; the person's next admission replaces it.
        return Statement(
            """
            INSERT INTO realm_members (realm, account, sealed) VALUES (?, ?, ?)
            ON CONFLICT (realm, account) DO UPDATE SET sealed = excluded.sealed
            """, Realms.integer(realm), Realms.integer(account), sealed, changing: 1)
    }

    func deletion(from realm: RealmID) -> Statement {
        Statement(
            "DELETE FROM realm_members WHERE realm = ? AND account = ?", Realms.integer(realm),
            Realms.integer(account), changing: 1)
    }
}

extension Turn {
    /// The sub-realms that an account is in, by the answer to `RealmMember.query(of:)`. As in a sub-realm itself, a
    /// damaged row makes no account a member.
    mutating func realms(in rows: [Row]) -> Set<RealmID> { Set(memberships(in: rows)) }

    /// The sub-realm of each member's row that opens.
    mutating func memberships(in rows: [Row]) -> [RealmID] {
        read(rows, of: RealmMember.table) { row throws(ColumnFault) in
            _ = try RealmMember(stored: row)
            return try Realms.identifier(row, 0)
        }
    }
}

extension RealmCandidate {
    private static let seal = Seal("realm_candidates")

    static let table = StoredTable(
        "realm_candidates", of: .home(.realm), columns: ["realm", "account", "ends", "sealed"], key: [0, 1],
        opening: [Opening(3, seal, row: 0, bound: [1, 2])],
        references: [
            StoredTable.Reference(0, to: "realms", "id"), StoredTable.Reference(1, to: "accounts", "id"),
        ],
        erasure: [.homes(.realms, id: 0, column: 1)],
        export: .rows([1]) { row, view throws(ColumnFault) in
            let candidate = try RealmCandidate(stored: row)
            guard candidate.holds(view.relation(with: candidate.by)) else { return nil }
            return [
                "realm": try view.name(row, 0),
                "invitedBy": candidate.state == .invited ? view.person(candidate.by) : .absent,
                "addedBy": candidate.isProposed ? view.person(candidate.by) : .absent,
                "at": .time(candidate.at), "ends": .time(candidate.ends),
            ]
        }
    ) { row throws(ColumnFault) in
        _ = try RealmCandidate(stored: row)
        return []
    }

    private static let inRealm = table.query("WHERE realm = ?")
    private static let ofAccount = table.query("WHERE account = ?")
    private static let one = table.query("WHERE realm = ? AND account = ?")

    static func query(in realm: RealmID) -> Query { inRealm.about(Realms.integer(realm)) }
    static func query(of account: AccountID) -> Query { ofAccount.about(Realms.integer(account)) }
    static func query(of account: AccountID, in realm: RealmID) -> Query {
        one.about(Realms.integer(realm), Realms.integer(account))
    }

    init(stored row: Row) throws(ColumnFault) {
        account = try Realms.identifier(row, 1)
        ends = try row.lastingTime(2)
        (state, by, at) = try row.within(3) { sealed throws(ColumnFault) in
            guard let state = State(rawValue: try sealed.integer(0)) else { throw ColumnFault(0, .outOfRange) }
            return (state, try Realms.identifier(sealed, 1), try sealed.wallTime(2))
        }
    }

    /// Whether a row says that its person waits for the owner's approval. What a member proposed says so until the
    /// person declines or it lapses, also when it is void: only the sub-realm asks what the two are to each other.
    static func isPending(_ row: Row, at now: LastingTime) throws(ColumnFault) -> Bool {
        let candidate = try RealmCandidate(stored: row)
        return candidate.state == .pending && candidate.ends > now
    }

    static let waiting = Membership.Waiting(
        in: table,
        of: { account, scope in
            guard case .realm(let realm)? = scope.home else { return nil }
            return query(of: account, in: realm)
        },
        waits: { row, now throws(ColumnFault) in try isPending(row, at: now) })

    /// Stores it, in place of an older one of the same person.
    func saving(in realm: RealmID) -> Statement {
        let sealed = SQLValue.sealed(
            [.integer(state.rawValue), Realms.integer(by), .time(at)], Self.seal,
            row: Int64(bitPattern: realm.rawValue), bound: [Realms.integer(account), .time(ends)])
        return Statement(
            """
            INSERT INTO realm_candidates (realm, account, ends, sealed) VALUES (?, ?, ?, ?)
            ON CONFLICT (realm, account) DO UPDATE SET ends = excluded.ends, sealed = excluded.sealed
            """, Realms.integer(realm), Realms.integer(account), .time(ends), sealed, changing: 1)
    }

    /// It may have expired meanwhile.
    static func deletion(of account: AccountID, in realm: RealmID) -> Statement {
        Statement(
            "DELETE FROM realm_candidates WHERE realm = ? AND account = ?", Realms.integer(realm),
            Realms.integer(account))
    }
}

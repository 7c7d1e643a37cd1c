public import CairnCore
internal import CairnWire

extension Groups {
    public static let migrations = [
        Migration(
            "groups-1",
            """
            CREATE TABLE tour_groups (
                id INTEGER PRIMARY KEY, tour INTEGER NOT NULL, sealed BLOB NOT NULL
            ) STRICT
            """,
            "CREATE INDEX tour_groups_tour ON tour_groups (tour, id)",
            // With its run a membership ends, in one transaction.
            """
            CREATE TABLE tour_group_members (
                account INTEGER PRIMARY KEY, party INTEGER NOT NULL REFERENCES tour_groups (id) ON DELETE CASCADE,
                run INTEGER REFERENCES tour_runs (id) ON DELETE CASCADE, sealed BLOB NOT NULL
            ) STRICT
            """,
            "CREATE INDEX tour_group_members_party ON tour_group_members (party)",
            "CREATE INDEX tour_group_members_run ON tour_group_members (run)")
    ]

    public static func tables(settings: Settings) -> [StoredTable] { [GroupFacts.table, GroupMember.table] }

    public static func newestIdentifier(below bound: SQLValue) -> Query? {
        Query("SELECT coalesce(max(id), 0) FROM tour_groups WHERE id < ?", bound)
    }

    /// A space is a group, or a run, whose walker may be in one.
    public static func stored(in home: HomeAddress) -> [Query] {
        guard case .space(let id) = home else { return [] }
        return [
            GroupFacts.query(id), GroupMember.query(in: id), RunFacts.query(ofGroup: id), Relation.query(within: id),
            GroupMember.query(ofRun: id), GroupFacts.query(ofRun: id),
        ]
    }

    public static func restore(_ answers: [[Row]], in turn: inout Turn) {
        guard case .space = turn.home, answers.count == 6 else { return }
        if let group = turn.read(answers[0], of: GroupFacts.table, GroupFacts.init(stored:)).first {
            turn.keep(group)
            for member in turn.read(answers[1], of: GroupMember.table, GroupMember.init(stored:)) { turn.keep(member) }
            var motion = GroupMotion(at: turn.lasting)
            motion.heard = group.active
            for run in turn.read(answers[2], of: RunFacts.table, RunFacts.init(stored:)) {
                motion.seen[run.account] = GroupMotion.Seen(reached: run.reached)
            }
            motion.relations = turn.relations(in: answers[3])
            turn.motion = motion
        } else if !answers[0].isEmpty {
            turn.noteUnreadableRun()
        }
        let own = turn.read(answers[4], of: GroupMember.table, GroupMember.init(stored:)).first
        let group = turn.read(answers[5], of: GroupFacts.table, GroupFacts.init(stored:)).first
        guard let own else { return }
        // A group whose row is damaged can be left.
        turn.set(Companionship(group: own.group, sharesPlace: own.sharesPlace, target: group?.target ?? ""))
    }

    fileprivate static func identifier<Tag>(_ row: Row, _ column: Int) throws(ColumnFault) -> Identifier<Tag> {
        Identifier(rawValue: UInt64(bitPattern: try row.integer(column)))
    }
}

extension RunFacts {
    private static let ofGroup = table.query(
        "WHERE id IN (SELECT run FROM tour_group_members WHERE party = ?)")

    /// The runs of the members of a group.
    static func query(ofGroup group: SpaceID) -> Query { ofGroup.about(Runs.integer(group)) }
}

extension Relation {
    private static let withinGroup = table.query(
        """
        WHERE low IN (SELECT account FROM tour_group_members WHERE party = ?)
        AND high IN (SELECT account FROM tour_group_members WHERE party = ?)
        """)

    /// The relations between the members of a group.
    static func query(within group: SpaceID) -> Query {
        withinGroup.about(Runs.integer(group), Runs.integer(group))
    }
}

extension GroupFacts {
    private static let seal = Seal("tour_groups")
    /// Stops have ids of 13 characters.
    private static let targetBytesMax = 64

    static let table = StoredTable(
        "tour_groups", of: .home(.space), columns: ["id", "tour", "sealed"], key: [0],
        opening: [Opening(2, seal, row: 0, bound: [1])],
        erasure: [.with("tour_group_members")],
        export: .nothing(because: "what is a person's of it is in their membership")
    ) { row throws(ColumnFault) in
        _ = try GroupFacts(stored: row)
        return []
    }

    private static let byID = table.query("WHERE id = ?")
    private static let onTour = table.query("WHERE tour = ? ORDER BY id DESC LIMIT 2000")
    private static let ofRun = table.query("WHERE id = (SELECT party FROM tour_group_members WHERE run = ?)")

    static func query(_ id: SpaceID) -> Query { byID.about(Runs.integer(id)) }
    static func query(on tour: TourID) -> Query { onTour.about(Runs.integer(tour)) }
    /// The group of the walker of a run.
    static func query(ofRun run: SpaceID) -> Query { ofRun.about(Runs.integer(run)) }

    init(stored row: Row) throws(ColumnFault) {
        id = try Groups.identifier(row, 0)
        tour = try Groups.identifier(row, 1)
        (guide, opened, target, active) = try row.within(2) { sealed throws(ColumnFault) in
            let target = try sealed.text(2)
            guard target.utf8.count <= Self.targetBytesMax else { throw ColumnFault(2, .outOfRange) }
            return (
                try Groups.identifier(sealed, 0), try sealed.lastingTime(1), target, try sealed.lastingTime(3)
            )
        }
    }

    private var sealed: SQLValue {
        .sealed(
            [Runs.integer(guide), .time(opened), .text(target), .time(active)], Self.seal,
            row: Int64(bitPattern: id.rawValue), bound: [Runs.integer(tour)])
    }

    var insertion: Statement {
        Statement(
            "INSERT INTO tour_groups (id, tour, sealed) VALUES (?, ?, ?)", Runs.integer(id), Runs.integer(tour), sealed,
            changing: 1)
    }

    /// Opens the group where its guide may be a member (`GroupMember.arrival(on:)`), and nothing elsewhere.
    func arrival(of guide: GroupMember, on run: SpaceID) -> Statement {
        Statement(
            """
            INSERT INTO tour_groups (id, tour, sealed) SELECT ?, ?, ?
            WHERE EXISTS (SELECT 1 FROM tour_runs WHERE id = ?)
            AND NOT EXISTS (SELECT 1 FROM tour_group_members WHERE account = ?)
            """, Runs.integer(id), Runs.integer(tour), sealed, Runs.integer(run), Runs.integer(guide.account))
    }

    var update: Statement {
        Statement("UPDATE tour_groups SET sealed = ? WHERE id = ?", sealed, Runs.integer(id), changing: 1)
    }

    /// Its members go with it.
    var deletion: Statement { Self.deletion(of: id) }

    /// Of a group that may be damaged, or gone.
    static func deletion(of id: SpaceID) -> Statement {
        Statement("DELETE FROM tour_groups WHERE id = ?", Runs.integer(id))
    }
}

extension GroupMember {
    private static let seal = Seal("tour_group_members")

    static let table = StoredTable(
        "tour_group_members", of: .home(.space), columns: ["account", "party", "run", "sealed"], key: [0],
        opening: [Opening(3, seal, row: 0, bound: [1, 2])],
        references: [
            StoredTable.Reference(0, to: "accounts", "id"), StoredTable.Reference(1, to: "tour_groups", "id"),
        ],
        erasure: [.homes(.spaces, id: 1, column: 0)],
        export: .rows([0]) { row, view throws(ColumnFault) in
            let member = try GroupMember(stored: row)
            return [
                "group": view.name(of: member.group), "since": .time(member.since),
                "sharesPlace": .flag(member.sharesPlace),
            ]
        }
    ) { row throws(ColumnFault) in
        _ = try GroupMember(stored: row)
        return []
    }

    private static let inGroup = table.query("WHERE party = ?")
    private static let byRun = table.query("WHERE run = ?")
    private static let byAccount = table.query("WHERE account = ?")

    static func query(in group: SpaceID) -> Query { inGroup.about(Runs.integer(group)) }
    static func query(ofRun run: SpaceID) -> Query { byRun.about(Runs.integer(run)) }
    static func query(of account: AccountID) -> Query { byAccount.about(Runs.integer(account)) }

    /// A guide without a run is in the space of the group; everybody else is in that of their run.
    static let membership = Membership(
        in: table, holders: Query("SELECT account FROM tour_group_members WHERE run IS NULL"), of: query(of:)
    ) { row, _ throws(ColumnFault) in
        let member = try GroupMember(stored: row)
        return member.run == nil ? .members(of: .space(member.group)) : nil
    }

    init(stored row: Row) throws(ColumnFault) {
        account = try Groups.identifier(row, 0)
        group = try Groups.identifier(row, 1)
        run = try row.integerIfAny(2).map { SpaceID(rawValue: UInt64(bitPattern: $0)) }
        (since, sharesPlace) = try row.within(3) { sealed throws(ColumnFault) in
            (try sealed.lastingTime(0), try sealed.integer(1, in: 0...1) == 1)
        }
    }

    private var bound: [SQLValue] { [Runs.integer(group), run.map { Runs.integer($0) } ?? .null] }

    private var sealed: SQLValue {
        .sealed(
            [.time(since), .integer(sharesPlace ? 1 : 0)], Self.seal, row: Int64(bitPattern: account.rawValue),
            bound: bound)
    }

    /// Of a guide without a run.
    var insertion: Statement {
        Statement(
            "INSERT INTO tour_group_members (account, party, run, sealed) VALUES (?, ?, ?, ?)",
            arguments: [Runs.integer(account)] + bound + [sealed], changing: 1)
    }

    /// Makes a walker a member whose run is still there and who is in no group, and does nothing for others: the run
    /// lives in another home and may end at any moment.
    func arrival(on run: SpaceID) -> Statement {
        Statement(
            """
            INSERT INTO tour_group_members (account, party, run, sealed) SELECT ?, ?, ?, ?
            WHERE EXISTS (SELECT 1 FROM tour_runs WHERE id = ?)
            AND NOT EXISTS (SELECT 1 FROM tour_group_members WHERE account = ?)
            """,
            arguments: [Runs.integer(account)] + bound + [sealed, Runs.integer(run), Runs.integer(account)])
    }

    /// Query for whether the membership is there (`arrival(on:)`): one row, or none.
    var presence: Query {
        Query(
            "SELECT 1 FROM tour_group_members WHERE account = ? AND party = ?", Runs.integer(account),
            Runs.integer(group))
    }

    var update: Statement {
        Statement(
            "UPDATE tour_group_members SET sealed = ? WHERE account = ? AND party = ?", sealed, Runs.integer(account),
            Runs.integer(group))
    }

    /// It may have gone with its run.
    var deletion: Statement { Self.deletion(of: account, in: group) }

    /// Of a membership that may be damaged, or gone.
    static func deletion(of account: AccountID, in group: SpaceID) -> Statement {
        Statement(
            "DELETE FROM tour_group_members WHERE account = ? AND party = ?", Runs.integer(account),
            Runs.integer(group))
    }
}

public import CairnCore
internal import CairnGeo
internal import CairnWire

extension Posts {
    /// Seals text, latitude, longitude and the time of the last edit.
    private static let seal = Seal("posts")
    private static let cellSeal = Seal("posts.cell")

    public static let migrations = [
        Migration(
            "posts-1",
            """
            CREATE TABLE posts (
                id INTEGER PRIMARY KEY, cell INTEGER NOT NULL, owner INTEGER NOT NULL, created INTEGER NOT NULL,
                expires INTEGER NOT NULL, version INTEGER NOT NULL, sealed BLOB NOT NULL
            ) STRICT
            """,
            "CREATE INDEX posts_cell ON posts (cell)",
            "CREATE INDEX posts_owner ON posts (owner, id)",
            "CREATE INDEX posts_expires ON posts (expires)",
            """
            CREATE TABLE votes (
                post INTEGER NOT NULL REFERENCES posts (id) ON DELETE CASCADE, account INTEGER NOT NULL,
                vote INTEGER NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (post, account)
            ) STRICT, WITHOUT ROWID
            """),
        PostLog.migration,
        Migration("votes-account-1", "CREATE INDEX votes_account ON votes (account)"),
    ]

    public static func tables(settings: Settings) -> [StoredTable] {
        [table(cellLevel: settings.cellLevel), votesTable, PostLog.table]
    }

    /// All but text, place and time of edit is in the clear and bound: it cannot be altered without the key.
    private static func table(cellLevel: Int) -> StoredTable {
        StoredTable(
            "posts", of: .cell, columns: ["id", "cell", "owner", "created", "expires", "version", "sealed"], key: [0],
            opening: [opening], fingerprints: [1], references: [StoredTable.Reference(2, to: "accounts", "id")],
            erasure: [.homes(.cells(ofInstances: .post), id: 0, column: 2)],
            export: .rows([2]) { row, view throws(ColumnFault) in
                let post = try Post(row)
                return [
                    "post": view.name(of: post.record.id), "text": .text(post.record.wire.text),
                    "latitude": .number(post.record.coordinate.latitude),
                    "longitude": .number(post.record.coordinate.longitude), "created": .time(post.life.created),
                    "edited": post.life.edited == .epoch ? .absent : .time(post.life.edited), "ends": .time(post.ends),
                ]
            }
        ) { row throws(ColumnFault) in
            let post = try Post(row)
            return [StoredTable.Derived(1, pseudonym(of: CellID(post.record.coordinate, level: cellLevel)))]
        }
    }

    private static let opening = Opening(6, seal, row: 0, bound: [1, 2, 3, 4, 5])
    static let rows = table(cellLevel: Settings().cellLevel)
    static let inCell = rows.query("WHERE cell = ?")
    private static let owned = rows.query("WHERE id = ? AND owner = ?")

    public static func newestIdentifier(below bound: SQLValue) -> Query? {
        // The log still knows a post that was removed, for a day.
        Query(
            """
            SELECT max(
                coalesce((SELECT max(id) FROM posts WHERE id < ?), 0),
                coalesce((SELECT max(id) FROM post_log WHERE id < ?), 0))
            """, bound, bound)
    }

    public static func newestTime(below bound: SQLValue) -> Query? {
        Query("SELECT coalesce(max(at), 0) FROM post_log WHERE at < ?", bound)
    }

    /// Rows are deleted some time after the end, because a change of a post may still be on its way to the disk.
    public static func expiries(now: LastingTime, settings: Settings) -> [Expiry] {
        [Expiry(of: rows, where: "expires", isBelow: (now - grace).milliseconds + 1, with: [votesTable])]
            + PostLog.expiries(now: now)
    }

    private static let grace = Duration.seconds(300)

    // MARK: Waking

    public static func stored(in home: HomeAddress) -> [Query] {
        guard case .cell(let cell) = home else { return [] }
        return [inCell.about(pseudonym(of: cell)), votesInCell.about(pseudonym(of: cell))]
    }

    public static func restore(_ answers: [[Row]], in turn: inout Turn) {
        guard case .cell(let cell) = turn.home, answers.count == 2 else { return }
        let posts = turn.read(answers[0], of: rows) { row throws(ColumnFault) in
            let post = try Post(row)
            guard CellID(post.record.coordinate, level: cell.level) == cell else { throw ColumnFault(1, .disagrees) }
            return post
        }
        var tallies = votes(answers[1], in: &turn)
        for post in posts {
            let record = woken(post, with: tallies.removeValue(forKey: post.record.id) ?? VoteTally(), in: turn)
            if record.isOver(at: turn.lasting) {
                turn.objects.remember(endOf: record)
            } else {
                turn.objects[record.id] = record
            }
        }
    }

    /// The record of a post as its home has it: with names, votes and audience.
    private static func woken(_ post: Post, with votes: VoteTally, in turn: Turn) -> ObjectRecord {
        var record = post.record
        record.wire.id = turn.name(of: record.id)
        record.wire.placer = turn.name(of: record.owner)
        record.wire.cell = CellID(record.coordinate, level: turn.settings.cellLevel).token
        if PostStanding(score: votes.score, turn.settings).isHidden { record.audience = .owner(record.owner) }
        record.attachments[PostLife.self] = PostLife(
            created: post.life.created, edited: post.life.edited,
            endsShown: turn.wallTime(of: post.ends), votes: votes)
        return record
    }

    // MARK: Questions

    /// Query for the cell of an account's own post; `cell(from:in:)` reads the row. No row for other owners' posts.
    static func whereabouts(of id: InstanceID, ownedBy owner: AccountID) -> Query {
        owned.about(integer(id.rawValue), integer(owner.rawValue))
    }

    /// The cell in which a post lives.
    /// - Throws: `not_found` when the row is damaged: its cell leaves the post out as well.
    static func cell(from row: Row, in turn: inout Turn) throws(Refusal) -> CellID {
        do throws(DamagedRow) {
            let post = try rows.read(row) { row throws(ColumnFault) in try Post(row) }
            return CellID(post.record.coordinate, level: turn.settings.cellLevel)
        } catch {
            turn.report(error)
            throw ObjectTable.absence(component: name)
        }
    }

    /// Query for how many an account has that have not ended: one row of one integer.
    static func count(of owner: AccountID, now: LastingTime) -> Query {
        Query(
            "SELECT count(*) FROM posts WHERE owner = ? AND expires > ?", integer(owner.rawValue), .time(now))
    }

    /// An account's posts that have not ended, newest first: newer posts have greater ids. Behind the columns each has
    /// its score.
    static let own = Listing(
        rows, by: [.equal(2), .above(4)], descending: true,
        with: ["(SELECT coalesce(sum(vote), 0) FROM votes WHERE post = posts.id)"])

    public static let listings = [own]

    /// Reads rows of `own`. Damaged rows are reported and left out.
    static func read(_ rows: some Sequence<Row>, in turn: inout Turn) -> [ObjectRecord] {
        let posts = turn.read(rows, of: Self.rows) { row throws(ColumnFault) in
            (try Post(row), VoteTally(score: Int32(clamping: try row.integer(7))))
        }
        return posts.map { woken($0, with: $1, in: turn) }
    }

    // MARK: Changes

    static func insertion(of post: Post, in cell: CellID) -> Statement {
        let record = post.record
        return Statement(
            "INSERT INTO posts (id, cell, owner, created, expires, version, sealed) VALUES (?, ?, ?, ?, ?, ?, ?)",
            integer(record.id.rawValue), pseudonym(of: cell), integer(record.owner.rawValue),
            .time(post.life.created), .time(post.ends), .integer(Int64(record.wire.version)),
            sealed(post, in: cell), changing: 1)
    }

    static func update(of post: Post, in cell: CellID) -> Statement {
        Statement(
            "UPDATE posts SET version = ?, sealed = ? WHERE id = ?", .integer(Int64(post.record.wire.version)),
            sealed(post, in: cell), integer(post.record.id.rawValue), changing: 1)
    }

    static func deletion(of id: InstanceID) -> Statement {
        Statement("DELETE FROM posts WHERE id = ?", integer(id.rawValue), changing: 1)
    }

    static func integer(_ value: UInt64) -> SQLValue { .integer(Int64(bitPattern: value)) }

    static func pseudonym(of cell: CellID) -> SQLValue { .pseudonym(cell.rawValue, cellSeal) }

    private static func sealed(_ post: Post, in cell: CellID) -> SQLValue {
        let (record, life) = (post.record, post.life)
        return .sealed(
            [
                .text(record.wire.text), .real(record.coordinate.latitude), .real(record.coordinate.longitude),
                .time(life.edited),
            ], seal, row: Int64(bitPattern: record.id.rawValue),
            bound: [
                pseudonym(of: cell), integer(record.owner.rawValue), .time(life.created), .time(post.ends),
                .integer(Int64(record.wire.version)),
            ])
    }
}

extension Post {
    /// Reads a row of `posts`, without votes; its home adds names and the end that people are shown.
    init(_ row: Row) throws(ColumnFault) {
        let id = InstanceID(rawValue: UInt64(bitPattern: try row.integer(0)))
        _ = try row.integer(1)
        let owner = AccountID(rawValue: UInt64(bitPattern: try row.integer(2)))
        let (created, ends) = (try row.wallTime(3), try row.lastingTime(4))
        var instance = WireInstance()
        instance.created = created.milliseconds
        instance.version = UInt32(truncatingIfNeeded: try row.integer(5, in: 1...Int64(UInt32.max)))
        let (coordinate, edited) = try row.within(6) { sealed throws(ColumnFault) in
            instance.text = try sealed.text(0)
            guard let coordinate = Coordinate(latitude: try sealed.real(1), longitude: try sealed.real(2)) else {
                throw ColumnFault(1, .outOfRange)
            }
            return (coordinate, try sealed.wallTime(3))
        }
        self.init(
            record: ObjectRecord(
                id: id, kind: .post, owner: owner, ownerName: "", audience: .everyone, coordinate: coordinate,
                ends: ends, wire: instance),
            life: PostLife(created: created, edited: edited, endsShown: WallTime(milliseconds: ends.milliseconds)))
    }
}

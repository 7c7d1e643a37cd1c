internal import CairnCore
internal import CairnGeo
internal import CairnWire

extension Posts {
    private static let voteSeal = Seal("votes")
    private static let post = StoredTable.Reference(0, to: "posts", "id")

    /// A vote is in the clear and authenticated: the sealed value is empty and only binds the row's columns.
    static let votesTable = StoredTable(
        "votes", of: .cell, columns: ["post", "account", "vote", "sealed"], key: [0, 1],
        opening: [Opening(3, voteSeal, row: 0, bound: [1, 2])],
        references: [post, StoredTable.Reference(1, to: "accounts", "id")],
        erasure: [.homes(.cells(ofInstances: .post), id: 0, column: 1)],
        export: .rows([1]) { row, view throws(ColumnFault) in
            ["post": try view.name(row, 0), "vote": .integer(try row.integer(2))]
        }
    ) { row throws(ColumnFault) in
        _ = try (row.integer(0), row.integer(1), choice(in: row), row.opened(3))
        return []
    }

    private static let votesOnPost = votesTable.query("WHERE post = ?" + InstanceTotals.limit)

    /// Query for the votes on one post.
    static func votes(on id: InstanceID) -> Query { votesOnPost.about(integer(id.rawValue)) }

    /// Adds up the rows of `votes(on:)`.
    static func score(_ rows: [Row], into damage: inout [DamagedRow]) -> Int32 {
        rows.read(as: votesTable, into: &damage) { row throws(ColumnFault) in
            _ = try row.opened(3)
            return try choice(in: row)
        }
        .reduce(0) { $0 + $1.rawValue }
    }

    static let votesInCell = votesTable.query(through: post, "WHERE posts.cell = ?")

    private static func choice(in row: Row) throws(ColumnFault) -> Vote.Choice {
        guard let choice = Vote.Choice(rawValue: Int32(try row.integer(2, in: -1...1))), choice != .none else {
            throw ColumnFault(2, .outOfRange)
        }
        return choice
    }

    /// Reads the rows of `votesInCell`: the votes, by post.
    static func votes(_ rows: [Row], in turn: inout Turn) -> [InstanceID: VoteTally] {
        let votes = turn.read(rows, of: votesTable) { row throws(ColumnFault) in
            _ = try row.opened(3)
            return (try row.integer(0), try row.integer(1), try choice(in: row))
        }
        var tallies: [InstanceID: VoteTally] = [:]
        for (post, account, choice) in votes {
            let id = InstanceID(rawValue: UInt64(bitPattern: post))
            tallies[id, default: VoteTally()][AccountID(rawValue: UInt64(bitPattern: account))] = choice
        }
        return tallies
    }

    static func setting(_ id: InstanceID, _ account: AccountID, to choice: Vote.Choice) -> Statement {
        let (post, voter) = (integer(id.rawValue), integer(account.rawValue))
        // Deletes one row or none: a damaged row is not loaded, so its vote is unknown here.
        guard choice != .none else {
            return Statement("DELETE FROM votes WHERE post = ? AND account = ?", post, voter)
        }
        let vote = SQLValue.integer(Int64(choice.rawValue))
        return Statement(
            """
            INSERT INTO votes (post, account, vote, sealed) VALUES (?, ?, ?, ?)
            ON CONFLICT (post, account) DO UPDATE SET vote = excluded.vote, sealed = excluded.sealed
            """,
            post, voter, vote,
            .sealed([], voteSeal, row: Int64(bitPattern: id.rawValue), bound: [voter, vote]), changing: 1)
    }
}

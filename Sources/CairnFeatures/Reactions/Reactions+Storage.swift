public import CairnCore
internal import CairnGeo
internal import CairnWire

extension Reactions {
    /// Reactions are stored by name, so that the order of the configured list may change.
    public static let migrations = [
        Migration(
            "reactions-1",
            """
            CREATE TABLE reactions (
                instance INTEGER NOT NULL REFERENCES instances (id) ON DELETE CASCADE, account INTEGER NOT NULL,
                reaction TEXT NOT NULL, PRIMARY KEY (instance, account)
            ) STRICT, WITHOUT ROWID
            """),
        Migration("bound-reactions-1", "ALTER TABLE reactions ADD COLUMN sealed BLOB"),
        Migration("reactions-account-1", "CREATE INDEX reactions_account ON reactions (account)"),
    ]

    private static let seal = Seal("reactions")

    private static let instance = StoredTable.Reference(0, to: "instances", "id")

    /// A reaction is in the clear and authenticated: the sealed value is empty and only binds the row's columns.
    static let table = StoredTable(
        "reactions", of: .cell, columns: ["instance", "account", "reaction", "sealed"], key: [0, 1],
        opening: [Opening(3, seal, row: 0, bound: [1, 2])],
        references: [instance, StoredTable.Reference(1, to: "accounts", "id")],
        conversion: StoredTable.Conversion { row throws(ColumnFault) in
            let (instance, account) = (try row.integer(0), try row.integer(1))
            return [
                Statement(
                    "UPDATE reactions SET sealed = ? WHERE instance = ? AND account = ?",
                    proof(instance, account, try row.text(2)), .integer(instance), .integer(account), changing: 1)
            ]
        },
        erasure: [.homes(.cells(ofInstances: .object), id: 0, column: 1)],
        export: .rows([1]) { row, view throws(ColumnFault) in
            ["instance": try view.name(row, 0), "reaction": .text(try row.text(2))]
        }
    ) { row throws(ColumnFault) in
        _ = try (row.integer(0), row.integer(1), row.text(2), row.opened(3))
        return []
    }

    private static func proof(_ instance: Int64, _ account: Int64, _ reaction: String) -> SQLValue {
        .sealed([], seal, row: instance, bound: [.integer(account), .text(reaction)])
    }

    public static func tables(settings: Settings) -> [StoredTable] { [table] }

    private static let inCell = table.query(through: instance, "WHERE " + Filing.condition(on: "cell", of: "instances"))

    public static func stored(in home: HomeAddress) -> [Query] {
        guard case .cell(let cell) = home else { return [] }
        return [inCell.about(cell.stored)]
    }

    public static func restore(_ answers: [[Row]], in turn: inout Turn) {
        let reactions = turn.read(answers.first ?? [], of: table) { row throws(ColumnFault) in
            _ = try row.opened(3)
            return (try row.integer(0), try row.integer(1), try row.text(2))
        }
        let names = turn.settings.reactions.names
        var tallies: [InstanceID: ReactionTally] = [:]
        for (instance, account, reaction) in reactions {
            // A reaction that is no longer offered stays on disk and is not shown.
            guard let index = names.firstIndex(of: reaction) else { continue }
            let id = InstanceID(rawValue: UInt64(bitPattern: instance))
            tallies[id, default: ReactionTally()][AccountID(rawValue: UInt64(bitPattern: account))] = UInt8(index)
        }
        for (id, tally) in tallies { turn.objects[id]?.attachments[ReactionTally.self] = tally }
    }

    private static let onInstance = table.query("WHERE instance = ?" + InstanceTotals.limit)

    /// The totals of an instance, for operators. Reactions that are no longer offered are left out.
    public static let totals: InstanceTotals? = InstanceTotals(
        of: .object,
        query: { onInstance.about(.integer(Int64(bitPattern: $0.rawValue))) },
        sum: { rows, settings, damage in
            let names = rows.read(as: table, into: &damage) { row throws(ColumnFault) in
                _ = try row.opened(3)
                return try row.text(2)
            }
            let offered = Set(settings.reactions.names)
            return InstanceTotals.Sum(
                counts: names.reduce(into: [:]) { if offered.contains($1) { $0[$1, default: 0] += 1 } })
        })

    static func setting(_ id: InstanceID, _ account: AccountID, to reaction: String) -> Statement {
        let (instance, person) = (Int64(bitPattern: id.rawValue), Int64(bitPattern: account.rawValue))
        return Statement(
            """
            INSERT INTO reactions (instance, account, reaction, sealed) VALUES (?, ?, ?, ?)
            ON CONFLICT (instance, account) DO UPDATE SET reaction = excluded.reaction, sealed = excluded.sealed
            """,
            .integer(instance), .integer(person), .text(reaction), proof(instance, person, reaction), changing: 1)
    }

    /// Deletes one row or none: a damaged row is not loaded, so its reaction is unknown here.
    static func withdrawal(_ id: InstanceID, _ account: AccountID) -> Statement {
        Statement(
            "DELETE FROM reactions WHERE instance = ? AND account = ?",
            .integer(Int64(bitPattern: id.rawValue)), .integer(Int64(bitPattern: account.rawValue)))
    }
}

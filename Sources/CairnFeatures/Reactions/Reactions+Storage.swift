public import CairnCore
internal import CairnGeo
internal import CairnWire

extension Reactions {
    /// Reactions are stored by name, so that the configured list may change its order.
    public static let migrations = [
        Migration(
            "reactions-1",
            """
            CREATE TABLE reactions (
                instance INTEGER NOT NULL REFERENCES instances (id) ON DELETE CASCADE, account INTEGER NOT NULL,
                reaction TEXT NOT NULL, PRIMARY KEY (instance, account)
            ) STRICT, WITHOUT ROWID
            """)
    ]

    public static func stored(in home: HomeAddress) -> [Query] {
        guard case .cell(let cell) = home else { return [] }
        return [
            Query(
                """
                SELECT instance, account, reaction FROM reactions
                JOIN instances ON instances.id = reactions.instance WHERE instances.cell = ?
                """,
                Placements.pseudonym(of: cell))
        ]
    }

    public mutating func restore(_ answers: [[Row]], in turn: inout Turn) {
        for row in answers.first ?? [] {
            let id = InstanceID(rawValue: UInt64(bitPattern: row.integer(0)))
            let account = AccountID(rawValue: UInt64(bitPattern: row.integer(1)))
            // A reaction that is no longer offered is kept on disk but not shown.
            guard let index = names.firstIndex(of: row.text(2)) else { continue }
            turn.objects[id]?.reactions[account] = UInt8(index)
        }
    }

    func setting(_ id: InstanceID, _ account: AccountID, to index: UInt8) -> Statement {
        Statement(
            """
            INSERT INTO reactions (instance, account, reaction) VALUES (?, ?, ?)
            ON CONFLICT (instance, account) DO UPDATE SET reaction = excluded.reaction
            """,
            .integer(Int64(bitPattern: id.rawValue)), .integer(Int64(bitPattern: account.rawValue)),
            .text(names[Int(index)]))
    }

    func withdrawal(_ id: InstanceID, _ account: AccountID) -> Statement {
        Statement(
            "DELETE FROM reactions WHERE instance = ? AND account = ?",
            .integer(Int64(bitPattern: id.rawValue)), .integer(Int64(bitPattern: account.rawValue)))
    }
}

public import CairnCore
internal import CairnGeo
internal import CairnWire

/// Which instances are shared in which sub-realm (PLC-3), for finding them when a sub-realm is deleted. What counts is
/// the audience that is sealed with the instance; a row without it does nothing.
enum SharedIn {
    static let migrations = [
        Migration(
            "shared-instances-1",
            """
            CREATE TABLE shared_instances (
                realm INTEGER NOT NULL, instance INTEGER NOT NULL REFERENCES instances (id) ON DELETE CASCADE,
                PRIMARY KEY (realm, instance)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX shared_instances_instance ON shared_instances (instance)")
    ]

    static let table = StoredTable(
        "shared_instances", of: .cell, columns: ["realm", "instance"], key: [0, 1],
        references: [StoredTable.Reference(1, to: "instances", "id")],
        erasure: [.with("instances")],
        export: .nothing(because: "the instances say whether they are everyone's")
    ) { row throws(ColumnFault) in
        _ = (try row.integer(0), try row.integer(1))
        return []
    }

    /// For each sub-realm of a new instance.
    static func insertions(of record: ObjectRecord) -> [Statement] {
        record.audience.scopes.compactMap(number).map { realm in
            Statement(
                "INSERT INTO shared_instances (realm, instance) VALUES (?, ?)", realm, instance(record.id),
                changing: 1)
        }
    }

    static func deletion(of record: ObjectRecord, from scope: Scope) -> [Statement] {
        [scope].compactMap(number).map { realm in
            Statement(
                "DELETE FROM shared_instances WHERE realm = ? AND instance = ?", realm, instance(record.id))
        }
    }

    private static let page = Placements.rows.query(
        """
        WHERE id IN (SELECT instance FROM shared_instances WHERE realm = ? AND instance > ?) ORDER BY id LIMIT 500
        """)

    static func query(in scope: Scope, after: InstanceID) -> Query {
        page.about(number(scope) ?? .null, instance(after))
    }

    private static func number(_ scope: Scope) -> SQLValue? {
        if case .realm(let id)? = scope.home { .integer(Int64(bitPattern: id.rawValue)) } else { nil }
    }

    private static func instance(_ id: InstanceID) -> SQLValue { .integer(Int64(bitPattern: id.rawValue)) }
}

extension Placements {
    public static let sharing: Sharing? = Sharing(
        of: .object, instances: { SharedIn.query(in: $0, after: $1) },
        place: { row, level in
            guard let number = try? row.integer(0) else { return nil }
            let record = try? rows.read(row) { row throws(ColumnFault) in try ObjectRecord(row) }
            return SharedInstance(
                id: InstanceID(rawValue: UInt64(bitPattern: number)),
                cell: record.map { CellID($0.coordinate, level: level) })
        },
        end: { record, scope, home in [update(of: record, in: home)] + SharedIn.deletion(of: record, from: scope) })
}

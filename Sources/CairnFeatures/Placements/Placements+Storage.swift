public import CairnCore
internal import CairnGeo
internal import CairnWire

extension Placements {
    public static let migrations = [
        Migration(
            "placements-1",
            """
            CREATE TABLE instances (
                id INTEGER PRIMARY KEY, cell INTEGER NOT NULL, owner INTEGER NOT NULL, owner_name TEXT NOT NULL,
                object TEXT NOT NULL, created INTEGER NOT NULL, version INTEGER NOT NULL, pose BLOB NOT NULL
            ) STRICT
            """,
            "CREATE INDEX instances_cell ON instances (cell)"),
        PlacementAllowance.migration,
    ]

    public static func expiries(now: Int64) -> [Statement] { PlacementAllowance.expiries(now: now) }

    public static func stored(in home: HomeAddress) -> [Query] {
        guard case .cell(let cell) = home else { return [] }
        return [
            Query(
                "SELECT id, owner, owner_name, object, created, version, pose FROM instances WHERE cell = ?",
                integer(cell.rawValue))
        ]
    }

    public mutating func restore(_ answers: [[Row]], in turn: inout Turn) {
        guard case .cell(let cell) = turn.home, let rows = answers.first else { return }
        for row in rows {
            let id = InstanceID(rawValue: UInt64(bitPattern: row.integer(0)))
            let owner = AccountID(rawValue: UInt64(bitPattern: row.integer(1)))
            guard let pose = try? WireBody.decode(WirePose.self, from: row.blob(6)),
                let coordinate = Coordinate(
                    latitude: pose.geopose.position.lat, longitude: pose.geopose.position.lon)
            else { preconditionFailure("instance \(id): the stored pose does not decode") }
            var instance = WireInstance()
            instance.id = id.description
            instance.placer = owner.description
            instance.object = row.text(3)
            instance.created = row.integer(4)
            instance.version = UInt32(row.integer(5))
            instance.pose = pose
            instance.cell = cell.token
            turn.objects[id] = ObjectRecord(
                id: id, owner: owner, ownerName: row.text(2), scope: .everyone, coordinate: coordinate, wire: instance)
        }
    }

    func insertion(of record: ObjectRecord, in home: HomeAddress) -> Statement {
        Statement(
            """
            INSERT INTO instances (id, cell, owner, owner_name, object, created, version, pose)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            Self.integer(record.id.rawValue), Self.cell(of: home), Self.integer(record.owner.rawValue),
            .text(record.ownerName), .text(record.wire.object), .integer(record.wire.created),
            .integer(Int64(record.wire.version)), Self.blob(record.wire.pose))
    }

    func update(of record: ObjectRecord, in home: HomeAddress) -> Statement {
        Statement(
            "UPDATE instances SET cell = ?, version = ?, pose = ? WHERE id = ?",
            Self.cell(of: home), .integer(Int64(record.wire.version)), Self.blob(record.wire.pose),
            Self.integer(record.id.rawValue))
    }

    func deletion(of id: InstanceID) -> Statement {
        Statement("DELETE FROM instances WHERE id = ?", Self.integer(id.rawValue))
    }

    private static func cell(of home: HomeAddress) -> SQLValue {
        guard case .cell(let cell) = home else { preconditionFailure("instances live in cells, not in \(home)") }
        return integer(cell.rawValue)
    }

    private static func integer(_ value: UInt64) -> SQLValue { .integer(Int64(bitPattern: value)) }

    private static func blob(_ pose: WirePose) -> SQLValue { .blob(WireBody.encode(pose)) }
}

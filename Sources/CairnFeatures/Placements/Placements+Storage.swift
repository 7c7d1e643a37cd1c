public import CairnCore
internal import CairnGeo
internal import CairnWire

extension Placements {
    /// Owner's name, object, pose, text and data (rows from before PLC-16 end with the pose); and the cell, which alone
    /// would tell a place to 140 m.
    private static let seal = Seal("instances")
    private static let cellSeal = Seal("instances.cell")

    public static let migrations = [
        Migration(
            "sealed-placements-1",
            """
            CREATE TABLE instances (
                id INTEGER PRIMARY KEY, cell INTEGER NOT NULL, owner INTEGER NOT NULL, created INTEGER NOT NULL,
                version INTEGER NOT NULL, sealed BLOB NOT NULL
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
                "SELECT id, owner, created, version, sealed FROM instances WHERE cell = ?", pseudonym(of: cell),
                opening: Opening(4, seal, row: 0))
        ]
    }

    public mutating func restore(_ answers: [[Row]], in turn: inout Turn) {
        guard case .cell(let cell) = turn.home, let rows = answers.first else { return }
        for row in rows {
            let id = InstanceID(rawValue: UInt64(bitPattern: row.integer(0)))
            let owner = AccountID(rawValue: UInt64(bitPattern: row.integer(1)))
            let sealed = row.opened(4)
            guard let pose = try? WireBody.decode(WirePose.self, from: sealed.blob(2)),
                let coordinate = Coordinate(pose)
            else { preconditionFailure("instance \(id): the stored pose does not decode") }
            var instance = WireInstance()
            instance.id = id.description
            instance.placer = owner.description
            instance.object = sealed.text(1)
            instance.created = row.integer(2)
            instance.version = UInt32(row.integer(3))
            instance.pose = pose
            if sealed.values.count > 4 {
                instance.text = sealed.text(3)
                instance.dataBytes = sealed.blob(4)
            }
            instance.cell = cell.token
            turn.objects[id] = ObjectRecord(
                id: id, owner: owner, ownerName: sealed.text(0), scope: .everyone, coordinate: coordinate,
                wire: instance)
        }
    }

    /// Where somebody's instance is, wherever that may be; `cell(from:)` reads the row. Strangers are told nothing.
    func whereabouts(of id: InstanceID, ownedBy owner: AccountID) -> Query {
        Query(
            "SELECT id, sealed FROM instances WHERE id = ? AND owner = ?", Self.integer(id.rawValue),
            Self.integer(owner.rawValue), opening: Opening(1, Self.seal, row: 0))
    }

    /// The cell in which an instance lives.
    /// - Throws: `try_again` when the row is damaged.
    func cell(from row: Row) throws(Refusal) -> CellID {
        guard let pose = try? WireBody.decode(WirePose.self, from: row.opened(1).blob(2)),
            let coordinate = Coordinate(pose)
        else {
            throw Refusal(
                .tryAgain, "the instance cannot be read now", component: Self.name, retryAfter: .seconds(1))
        }
        return CellID(coordinate, level: rules.cellLevel)
    }

    func insertion(of record: ObjectRecord, in home: HomeAddress) -> Statement {
        Statement(
            "INSERT INTO instances (id, cell, owner, created, version, sealed) VALUES (?, ?, ?, ?, ?, ?)",
            Self.integer(record.id.rawValue), Self.cell(of: home), Self.integer(record.owner.rawValue),
            .integer(record.wire.created), .integer(Int64(record.wire.version)), Self.sealed(record))
    }

    func update(of record: ObjectRecord, in home: HomeAddress) -> Statement {
        Statement(
            "UPDATE instances SET cell = ?, version = ?, sealed = ? WHERE id = ?",
            Self.cell(of: home), .integer(Int64(record.wire.version)), Self.sealed(record),
            Self.integer(record.id.rawValue))
    }

    func deletion(of id: InstanceID) -> Statement {
        Statement("DELETE FROM instances WHERE id = ?", Self.integer(id.rawValue))
    }

    private static func cell(of home: HomeAddress) -> SQLValue {
        guard case .cell(let cell) = home else { preconditionFailure("instances live in cells, not in \(home)") }
        return pseudonym(of: cell)
    }

    /// By this a feature that joins the table finds the instances of a cell.
    static func pseudonym(of cell: CellID) -> SQLValue { .pseudonym(cell.rawValue, cellSeal) }

    private static func integer(_ value: UInt64) -> SQLValue { .integer(Int64(bitPattern: value)) }

    private static func sealed(_ record: ObjectRecord) -> SQLValue {
        .sealed(
            [
                .text(record.ownerName), .text(record.wire.object), .blob(WireBody.encode(record.wire.pose)),
                .text(record.wire.text), .blob(record.wire.dataBytes),
            ], seal,
            row: Int64(bitPattern: record.id.rawValue))
    }
}

extension Coordinate {
    /// Where a stored pose is; nil = nowhere on Earth.
    fileprivate init?(_ pose: WirePose) {
        self.init(latitude: pose.geopose.position.lat, longitude: pose.geopose.position.lon)
    }
}

public import CairnCore
internal import CairnGeo
internal import CairnWire

extension Placements {
    /// Seals the owner's name, object, pose, text, data and the scopes that see it (rows from before PLC-16 end with
    /// the pose, rows of public instances before the scopes). The cell's column is a pseudonym, because the cell alone
    /// gives a place to within 140 m.
    static let seal = Seal("instances")

    public static let migrations =
        [
            Migration(
                "sealed-placements-1",
                """
                CREATE TABLE instances (
                    id INTEGER PRIMARY KEY, cell INTEGER NOT NULL, owner INTEGER NOT NULL, created INTEGER NOT NULL,
                    version INTEGER NOT NULL, sealed BLOB NOT NULL
                ) STRICT
                """,
                "CREATE INDEX instances_cell ON instances (cell)")
        ] + PlacementLog.migrations + SharedIn.migrations + [
            // Finds what a person has placed, when they delete their account.
            Migration("instances-owner-1", "CREATE INDEX instances_owner ON instances (owner, id)"),
            // New rows are in indexes of their own (`Filing`).
            Migration(
                "instances-filing-1",
                "ALTER TABLE instances ADD COLUMN filed INTEGER NOT NULL DEFAULT 1",
                "DROP INDEX instances_cell",
                "DROP INDEX instances_owner",
                "CREATE INDEX instances_cell ON instances (cell) WHERE filed = 1",
                "CREATE INDEX instances_cell_new ON instances (cell) WHERE filed = 0",
                "CREATE INDEX instances_owner ON instances (owner, id) WHERE filed = 1",
                "CREATE INDEX instances_owner_new ON instances (owner, id) WHERE filed = 0"),
            // The index of owners took a fifth of the bytes that a placement writes to the disk, and only deletions and
            // exports read it (decision 0035).
            Migration(
                "instances-owner-2",
                "DROP INDEX instances_owner",
                "DROP INDEX instances_owner_new",
                "DROP INDEX instances_cell",
                "DROP INDEX instances_cell_new",
                "CREATE INDEX instances_cell ON instances (cell, owner) WHERE filed = 1",
                "CREATE INDEX instances_cell_new ON instances (cell, owner) WHERE filed = 0"),
        ]

    public static func tables(settings: Settings) -> [StoredTable] {
        [table(cellLevel: settings.cellLevel), SharedIn.table]
    }

    /// Cell, owner, time and version are in the clear and bound: they cannot be altered without the key.
    static func table(cellLevel: Int) -> StoredTable {
        StoredTable(
            "instances", of: .cell, columns: ["id", "cell", "owner", "created", "version", "sealed", "filed"],
            key: [0],
            opening: [Opening(5, seal, row: 0, bound: [1, 2, 3, 4])], fingerprints: [1],
            references: [StoredTable.Reference(2, to: "accounts", "id")], conversion: conversion,
            filing: Filing("instances_cell_new", scanned: "owner"),
            erasure: [.homes(.cells(ofInstances: .object), id: 0, column: 2)],
            export: .rows([2]) { row, view throws(ColumnFault) in
                let record = try ObjectRecord(row)
                return [
                    "instance": view.name(of: record.id), "object": .text(record.wire.object),
                    "text": .filled(record.wire.text),
                    "data": .list(record.wire.dataBytes.map { .integer(Int64($0)) }),
                    "latitude": .number(record.coordinate.latitude), "longitude": .number(record.coordinate.longitude),
                    "height": .number(record.wire.pose.geopose.position.h),
                    "version": .integer(Int64(record.wire.version)),
                    "created": .integer(record.wire.created), "isPublic": .flag(record.audience == .everyone),
                ]
            }
        ) { row throws(ColumnFault) in
            _ = try row.integer(6, in: 0...1)
            let record = try ObjectRecord(row)
            return [StoredTable.Derived(1, CellID(record.coordinate, level: cellLevel).stored)]
        }
    }

    private static let conversion = StoredTable.Conversion(opening: Opening(5, seal, row: 0)) {
        row throws(ColumnFault) in
        let record = try ObjectRecord(row)
        let id = try row.integer(0)
        return [
            Statement(
                "UPDATE instances SET sealed = ? WHERE id = ?", sealed(record, in: .integer(try row.integer(1))),
                .integer(id), changing: 1)
        ]
    }

    static let rows = table(cellLevel: Settings().cellLevel)
    static let inCell = rows.query("WHERE " + rows.condition(on: 1))
    private static let owned = rows.query("WHERE id = ? AND owner = ?")

    /// The stored reply to its placement, which has a later id, outlives an instance that was removed.
    public static func newestIdentifier(below bound: SQLValue) -> Query? {
        Query("SELECT coalesce(max(id), 0) FROM instances WHERE id < ?", bound)
    }

    public static func stored(in home: HomeAddress) -> [Query] {
        guard case .cell(let cell) = home else { return [] }
        return [inCell.about(cell.stored)]
    }

    public static func restore(_ answers: [[Row]], in turn: inout Turn) {
        guard case .cell(let cell) = turn.home, let rows = answers.first else { return }
        let records = turn.read(rows, of: Self.rows) { row throws(ColumnFault) in
            let record = try ObjectRecord(row)
            guard CellID(record.coordinate, level: cell.level) == cell else { throw ColumnFault(1, .disagrees) }
            return record
        }
        for var record in records {
            record.wire.id = turn.name(of: record.id)
            record.wire.placer = turn.name(of: record.owner)
            record.wire.cell = cell.token
            turn.objects[record.id] = record
        }
    }

    /// Query for the cell of an account's own instance; `cell(from:)` reads the row. No row for other owners' ones.
    static func whereabouts(of id: InstanceID, ownedBy owner: AccountID) -> Query {
        owned.about(integer(id.rawValue), integer(owner.rawValue))
    }

    /// The cell in which an instance lives.
    /// - Throws: `not_found` when the row is damaged: its cell leaves the instance out as well.
    static func cell(from row: Row, in turn: inout Turn) throws(Refusal) -> CellID {
        do throws(DamagedRow) {
            let record = try rows.read(row) { row throws(ColumnFault) in try ObjectRecord(row) }
            return CellID(record.coordinate, level: turn.settings.cellLevel)
        } catch {
            turn.report(error)
            throw ObjectTable.absence(component: name)
        }
    }

    static func insertion(of record: ObjectRecord, in home: HomeAddress) -> Statement {
        Statement(
            "INSERT INTO instances (id, cell, owner, created, version, sealed, filed) VALUES (?, ?, ?, ?, ?, ?, 0)",
            integer(record.id.rawValue), cell(of: home), integer(record.owner.rawValue),
            .integer(record.wire.created), .integer(Int64(record.wire.version)),
            sealed(record, in: cell(of: home)), changing: 1)
    }

    static func update(of record: ObjectRecord, in home: HomeAddress) -> Statement {
        Statement(
            "UPDATE instances SET cell = ?, version = ?, sealed = ? WHERE id = ?",
            cell(of: home), .integer(Int64(record.wire.version)), sealed(record, in: cell(of: home)),
            integer(record.id.rawValue), changing: 1)
    }

    static func deletion(of id: InstanceID) -> Statement {
        Statement("DELETE FROM instances WHERE id = ?", integer(id.rawValue), changing: 1)
    }

    private static func cell(of home: HomeAddress) -> SQLValue {
        guard case .cell(let cell) = home else { preconditionFailure("instances live in cells, not in \(home)") }
        return cell.stored
    }

    static func integer(_ value: UInt64) -> SQLValue { .integer(Int64(bitPattern: value)) }

    /// Query for how many a person has placed and not removed: one row of one integer.
    static func count(of owner: AccountID) -> Query { countOfOwner.about(integer(owner.rawValue)) }

    private static let countOfOwner = Query("SELECT count(*) FROM instances WHERE " + rows.condition(on: 2))

    private static func sealed(_ record: ObjectRecord, in cell: SQLValue) -> SQLValue {
        .sealed(
            [
                .text(record.ownerName), .text(record.wire.object), .blob(WireBody.encode(record.wire.pose)),
                .text(record.wire.text), .blob(record.wire.dataBytes),
            ] + (record.audience == .everyone ? [] : [.text(record.audience.names)]), seal,
            row: Int64(bitPattern: record.id.rawValue),
            bound: [
                cell, integer(record.owner.rawValue), .integer(record.wire.created),
                .integer(Int64(record.wire.version)),
            ])
    }
}

extension ObjectRecord {
    /// Reads a row of `instances`. The caller knows the cell: it is the one whose rows it has asked for.
    init(_ row: Row) throws(ColumnFault) {
        let id = InstanceID(rawValue: UInt64(bitPattern: try row.integer(0)))
        let owner = AccountID(rawValue: UInt64(bitPattern: try row.integer(2)))
        var instance = WireInstance()
        instance.id = id.description
        instance.placer = owner.description
        instance.created = try row.wallTime(3).milliseconds
        instance.version = UInt32(truncatingIfNeeded: try row.integer(4, in: 1...Int64(UInt32.max)))
        let (ownerName, coordinate, audience) = try row.within(5) { sealed throws(ColumnFault) in
            guard let pose = try? WireBody.decode(WirePose.self, from: try sealed.blob(2)) else {
                throw ColumnFault(2, .unreadable)
            }
            let position = pose.geopose.position
            guard let coordinate = Coordinate(latitude: position.lat, longitude: position.lon) else {
                throw ColumnFault(2, .outOfRange)
            }
            instance.pose = pose
            instance.object = try sealed.text(1)
            if sealed.values.count > 3 {
                instance.text = try sealed.text(3)
                instance.dataBytes = try sealed.blob(4)
            }
            guard sealed.values.count > 5 else { return (try sealed.text(0), coordinate, Audience.everyone) }
            guard let audience = Audience(names: try sealed.text(5)) else { throw ColumnFault(5, .unreadable) }
            return (try sealed.text(0), coordinate, audience)
        }
        self.init(
            id: id, owner: owner, ownerName: ownerName, audience: audience, coordinate: coordinate, wire: instance)
    }
}

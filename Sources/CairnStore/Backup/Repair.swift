internal import CairnCore
internal import Foundation
internal import GRDB

/// Restores damaged rows of a database from a sound backup of the same world. The server must be stopped.
///
/// A row of a table that is kept twice is taken from its second copy if that opens: it is newer than any backup. Else a
/// damaged row is replaced by the backup's row with the same key. If the key itself is damaged, the row is identified
/// by its sealed value, which is unique. A missing row is restored only if another row refers to it, so that rows which
/// users have deleted since the backup stay deleted. A damaged row that is not in the backup stays set aside.
struct Repair {
    let path: String
    let check: DatabaseCheck

    /// Most damaged rows: with more of them a restore is better than a repair. All of them are in memory.
    private static let rowsMax = 100_000
    /// Most passes: a restored row may refer to another missing row.
    private static let passesMax = 3

    /// A damaged row and its table.
    private struct Damage {
        let table: StoredTable
        let row: DamagedRow
    }

    func run(from backup: String) throws(StoreError) -> RepairReport {
        let source = try check.run(backup)
        guard source.isSound, source.areRowsChecked else {
            throw refusal("the backup \(backup) is not sound: \(source.faults)", "take another backup")
        }
        let before = try check.run(path)
        guard !before.isSound else { return RepairReport(kept: nil, putBack: [], left: before) }
        guard before.areRowsChecked else {
            throw refusal("it is the database of an older server", "start this server on it once")
        }
        let kept = "\(path).before-repair-\(WallClock.stamp(WallClock.now))"
        try keep(as: kept)
        let putBack = try repair(from: backup, before)
        if let places = check.files {
            try places.folder.bring(try check.storedFiles(of: path), from: [places.folder(of: backup)])
        }
        return RepairReport(kept: kept, putBack: putBack, left: try check.run(path))
    }

    /// Copies the file unchanged, page by page.
    private func keep(as copy: String) throws(StoreError) {
        let draft = copy + ".part"
        try DatabaseFile.create(draft: draft)
        _ = try DatabaseCopy.copy(from: path, to: draft)
        try DatabaseFile.publish(draft, as: copy)
    }

    private func repair(from backup: String, _ before: VerifyReport) throws(StoreError) -> [String] {
        let source = try Connection(path: backup, role: .reader)
        defer { source.close() }
        let target = try Connection(path: path, role: .writer(.full))
        defer { target.close() }
        guard let keyring = try target.unlock(with: check.masters), let own = try source.unlock(with: check.masters),
            keyring.isOfSameWorld(as: own)
        else {
            throw refusal("the backup \(backup) is of another world, or from before it was converted", "take another")
        }
        return try target.lend("repair \(path)") { db in
            // Rows are restored one by one, so references are checked at the end.
            try db.execute(sql: "PRAGMA foreign_keys = 0")
            if !before.structure.isEmpty { try db.execute(sql: "REINDEX") }
            var putBack = try mendByCopies(db, keyring)
            return try source.lend("read \(backup)") { from in
                for _ in 1...Self.passesMax {
                    let found = try pass(db, from, keyring)
                    putBack += found
                    if found.isEmpty { break }
                }
                // The tallies stay: with rows of a backup that are older than the damaged ones, or with others that are
                // missing still, the table is not as the server wrote it, and an operator says whether that is meant.
                return putBack
            }
        }
    }

    /// Replaces rows that do not open by their second copies, in one transaction. Returns their names.
    private func mendByCopies(_ db: Database, _ keyring: Keyring) throws -> [String] {
        try SecondCopies.install(in: db)
        defer { SecondCopies.remove(from: db) }
        var mended: [String] = []
        try db.inTransaction(.immediate) {
            mended = try SecondCopies.all(of: check.tables, in: db, keyring).flatMap { try $0.mendAllDamaged(db) }
            return .commit
        }
        return mended
    }

    /// The second copy of a row, if it opens.
    private func copy(
        _ key: [SQLValue], of table: StoredTable, _ db: Database, _ keyring: Keyring
    ) throws -> CairnCore.Row? {
        guard let copies = try SecondCopies(table, TalliedTable(table, in: db), keyring) else { return nil }
        return try copies.copy(ofKey: key[0], db).map { CairnCore.Row($0) }
    }

    /// The second copy of a row that opens and is faulty otherwise, if it is another row.
    private func otherCopy(of item: Damage, _ db: Database, _ keyring: Keyring) throws -> CairnCore.Row? {
        guard item.row.cause != .dangling, let copy = try self.copy(item.row.key, of: item.table, db, keyring),
            try db.answer(item.table.row(item.row.key), keyring: nil).first?.values != copy.values
        else { return nil }
        return copy
    }

    /// Finds damaged rows and restores those that have another second copy, or that the backup has, in one transaction.
    /// Returns their names.
    private func pass(_ db: Database, _ from: Database, _ keyring: Keyring) throws -> [String] {
        let rows = RowCheck(tables: check.tables, keyring: keyring, progress: check.progress)
        var damage: [Damage] = []
        _ = try rows.run(db) { table, fault in
            guard damage.count < Self.rowsMax else {
                throw refusal("more than \(Self.rowsMax) rows are damaged", "restore a backup (cairn restore)")
            }
            damage.append(Damage(table: table, row: fault))
        }
        var putBack: [String] = []
        var withoutKey: [Damage] = []
        try db.inTransaction(.immediate) {
            for item in damage {
                if let name = try putBackNamed(by: item, db, from, keyring) {
                    putBack.append(name)
                } else if let row = try otherCopy(of: item, db, keyring)
                    ?? sound(item.table.row(item.row.key), of: item.table, from, keyring)
                {
                    if try replace(item.row.key, by: row, in: item.table, db) { putBack.append(item.row.name) }
                } else if item.row.cause != .dangling {
                    withoutKey.append(item)
                }
            }
            putBack += try putBackBySeal(withoutKey, db, from, keyring)
            return .commit
        }
        return putBack
    }

    /// The missing row to which a sound row refers.
    private func putBackNamed(
        by item: Damage, _ db: Database, _ from: Database, _ keyring: Keyring
    ) throws -> String? {
        guard item.row.cause == .dangling,
            let reference = item.table.references.first(where: {
                item.table.columns[$0.column].text == item.row.column
            }),
            let table = check.tables.first(where: { $0.name == reference.table }),
            let naming = try db.answer(item.table.row(item.row.key), keyring: nil).first
        else { return nil }
        let value = naming.values[reference.column]
        let isKey = table.key.map { table.columns[$0].text } == [reference.key.text]
        let query = StoredTable.row(named: value, by: reference, in: table)
        guard
            let row = try (isKey ? copy([value], of: table, db, keyring) : nil)
                ?? sound(query, of: table, from, keyring),
            try replace(table.key(of: row), by: row, in: table, db)
        else { return nil }
        return table.damage(of: row, ColumnFault(0, .missing)).name
    }

    /// Rows whose key was damaged: the backup has a row with the same sealed value under another key.
    private func putBackBySeal(
        _ damage: [Damage], _ db: Database, _ from: Database, _ keyring: Keyring
    ) throws -> [String] {
        var putBack: [String] = []
        for table in check.tables {
            let own = damage.filter { $0.table.name == table.name }
            guard !own.isEmpty, !table.openings.isEmpty else { continue }
            var keys: [SQLValue: [SQLValue]] = [:]
            for item in own {
                guard let row = try db.answer(table.row(item.row.key), keyring: nil).first else { continue }
                for opening in table.openings { keys[row.values[opening.column]] = item.row.key }
            }
            try from.each(table.rowsAsTheyStand, keyring: nil) { row in
                let sealed = table.openings.lazy.map { row.values[$0.column] }
                guard let damaged = sealed.compactMap({ keys[$0] }).first else { return }
                let key = table.key(of: row)
                guard try sound(table.row(key), of: table, from, keyring) != nil else { return }
                // The right key may be in use by now: then this row is a duplicate.
                try db.run(table.removal(of: damaged), keyring: nil)
                if try db.answer(table.row(key), keyring: nil).isEmpty, try replace(key, by: row, in: table, db) {
                    putBack.append(table.damage(of: row, ColumnFault(0, .missing)).name)
                }
            }
        }
        return putBack
    }

    /// The unchanged row of the backup, if it is sound with the keys of this world.
    private func sound(
        _ query: Query, of table: StoredTable, _ from: Database, _ keyring: Keyring
    ) throws -> CairnCore.Row? {
        guard let row = try from.answer(query, keyring: nil).first,
            let opened = try from.answer(
                table.row(table.key(of: row), opening: table.openings), keyring: keyring
            ).first,
            (try? table.check(opened)) != nil
        else { return nil }
        return row
    }

    /// - Returns: false when the database refuses the row; then nothing is changed.
    private func replace(
        _ key: [SQLValue], by row: CairnCore.Row, in table: StoredTable, _ db: Database
    ) throws -> Bool {
        try db.execute(sql: "SAVEPOINT repair")
        do {
            try db.run(table.removal(of: key), keyring: nil)
            try db.run(table.insertion(of: row), keyring: nil)
        } catch {
            guard StoreError(error, operation: "repair").isPermanent, db.isInsideTransaction else { throw error }
            try db.execute(sql: "ROLLBACK TO repair; RELEASE repair")
            return false
        }
        try db.execute(sql: "RELEASE repair")
        return true
    }

    private func refusal(_ cause: String, _ remedy: String) -> StoreError {
        StoreError(.rejected, operation: "repair \(path)", cause: cause, remedy: remedy)
    }
}

/// The result of a repair.
public struct RepairReport: Hashable, Sendable {
    /// Path of the unrepaired database; nil = there was no fault, and nothing was changed.
    public let kept: String?
    /// Names of the restored rows.
    public let putBack: [String]
    /// The check of the repaired database.
    public let left: VerifyReport
}

internal import CairnCore
internal import GRDB

extension SecondCopies {
    /// Rows of one table that are made right at a time: with more of them a restore is better.
    private static let mendedMax = 100

    /// Puts copies that open in the place of rows that do not, 100 at most. References between rows are not enforced
    /// meanwhile, a transaction is open, and the function that packs is installed.
    /// - Returns: the names of the rows that are right again.
    func mendDamaged(_ db: Database) throws -> [String] {
        let homeless = try orphans(db, atMost: Self.mendedMax)
        var pairs: [(row: [SQLValue], copy: [SQLValue])] = []
        try alone(db) { row in
            guard pairs.count < Self.mendedMax, !table.opens(row, keyring) else { return }
            // A row whose key was damaged is known by its sealed values, which no other row has.
            let copy = try self.copy(ofKey: key(of: row), db) ?? homeless.first { hasSameSeals($0, row) }
            if let copy { pairs.append((row, copy)) }
        }
        guard !pairs.isEmpty else { return [] }
        try Self.savepoint(in: db) {
            try reindex(db)
            return true
        }
        var mended: [String] = []
        for (row, copy) in pairs {
            let stays = try Self.savepoint(in: db) {
                if key(of: row) != key(of: copy) { try removeByScan(row, db) }
                try replace(row, by: copy, db)
                return true
            }
            if stays { mended.append(rowName(copy)) }
        }
        return mended
    }

    /// The same with all that there are.
    func mendAllDamaged(_ db: Database) throws -> [String] {
        var mended: Set<String> = []
        while true {
            let names = try mendDamaged(db)
            // A row that is damaged again at once is one that SQLite does not find by its key.
            guard !mended.isSuperset(of: names) else { return mended.sorted() }
            mended.formUnion(names)
        }
    }

    /// Builds the indexes of the table anew: they have what was there before the damage.
    func reindex(_ db: Database) throws { try db.execute(sql: "REINDEX \(name)") }

    func rowName(_ row: [SQLValue]) -> String {
        table.damage(of: CairnCore.Row(row), ColumnFault(table.key[0], .missing)).name
    }

    /// Runs changes that a constraint may refuse, as when another row has the same email: then nothing of them is done.
    /// - Parameter body: returns whether its changes stay.
    /// - Returns: whether they do.
    @discardableResult
    static func savepoint(in db: Database, _ body: () throws -> Bool) throws -> Bool {
        try db.execute(sql: "SAVEPOINT copies")
        var stays = false
        defer { try? db.execute(sql: stays ? "RELEASE copies" : "ROLLBACK TO copies; RELEASE copies") }
        do {
            stays = try body()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            return false
        }
        return stays
    }

    private func hasSameSeals(_ one: [SQLValue], _ other: [SQLValue]) -> Bool {
        table.openings.allSatisfy { one[$0.column] == other[$0.column] }
    }

    /// A row with a wrong key may not be found by it: keys are the order of a table.
    private func removeByScan(_ row: [SQLValue], _ db: Database) throws {
        try db.run("DELETE FROM \(name) WHERE +\(quotedKey) IS ?", [key(of: row)], keyring: nil)
    }
}

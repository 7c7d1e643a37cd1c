internal import CairnCore
internal import GRDB

/// Keeping the tallies of a world's tables (decision 0005). They are written in the transaction that changes the rows:
/// one row for all tables of a transaction, however many rows it changes.
extension Connection {
    /// How long a start tries to mend rows: a torn page has a hundred that no single bit makes right.
    private static let mendingMax = Duration.seconds(2)

    /// Begins to count: from then on every change of this connection is in the tallies.
    ///
    /// A world that never had tallies is counted as it is found, in the transaction that marks its keys. From then on a
    /// missing record means that somebody has removed it.
    /// - Parameter before: what differed before the schema was brought up to date; nil = nothing was done to it.
    func beginTally(
        of tables: [StoredTable], with masters: MasterKeys, before: TallyDifference?
    ) throws(StoreError) -> TallyStart {
        var start = TallyStart()
        guard let keyring else { return start }
        let began = ContinuousClock.now
        let counter = try lend("count the rows") { db in
            let counter = try Self.counter(of: tables, db, keyring)
            try counter.install(in: db)
            try db.inTransaction(.immediate) {
                let findings = try begin(counter, keyring, before, db, &start.count)
                start.findings = findings
                try markTallied(db, with: masters)
                return .commit
            }
            // Before the triggers are there: what comes back is in the tallies already.
            try mend(&start, tables, counter, keyring, db)
            try counter.watch(db)
            return counter
        }
        keyring.markTallied()
        tally = counter
        start.count.took = ContinuousClock.now - began
        return start
    }

    /// Continues to count on a new connection to the same file.
    func resumeTally(of former: TallyCounter) throws(StoreError) {
        guard let keyring else { return }
        let counter = TallyCounter(former.tables, steps: former.steps, keyring)
        try lend("count the rows") { db in
            try counter.install(in: db)
            let stored = try TallyRecord.read(db, keyring)
            // What does not open now was written by this process, so its memory is as good.
            counter.begin(
                with: zip(former.tables, former.saved).map { table, saved in
                    stored?.tallies[table.name].flatMap { $0.isLost && !saved.isLost ? nil : $0 } ?? saved
                })
            try counter.watch(db)
        }
        tally = counter
    }

    private func begin(
        _ counter: TallyCounter, _ keyring: Keyring, _ before: TallyDifference?, _ db: Database,
        _ count: inout StartCount
    ) throws -> [TallyFinding] {
        let stored = keyring.isTallied ? try TallyRecord.read(db, keyring) : nil
        let chosen = StartCount.chosen(
            counter.tables.map { table in
                stored?.tallies[table.name].map { (rows: $0.rows, isByKey: table.key != nil) }
            })
        var tallies: [Tally] = []
        var findings: [TallyFinding] = []
        var rewritten: [Int] = []
        for (index, table) in counter.tables.enumerated() {
            var known = stored?.tallies[table.name]
            if (known?.codes != nil) != (table.key != nil) { known = nil }
            // A table of which the record says nothing is a new one, unless the record is gone.
            let isLost = keyring.isTallied && stored == nil
            if let known, before == nil, !known.isLost, !chosen.contains(index) {
                tallies.append(known)
                count.left.append((table.name, known.rows))
                continue
            }
            counter.begin(with: counter.tables.map { Tally(keepsCodes: $0.key != nil) })
            try counter.scan(index, in: db)
            var found = counter.current[index]
            count.tables += 1
            count.rows += found.rows
            if let known, before == nil {
                if let finding = TallyFinding(table.name, written: known, found: found) { findings.append(finding) }
                // Of a record that does not open the rows themselves are all that is left.
                found.isLost = true
                tallies.append(known.isLost ? found : known)
                if known.isLost { rewritten.append(index) }
                continue
            }
            if let before {
                found = found.keeping(differenceOf: before.stored[table.name], from: before.found[table.name])
            }
            found.isLost = found.isLost || isLost
            if let finding = TallyFinding(table.name, written: found, found: counter.current[index]) {
                findings.append(finding)
            }
            tallies.append(found)
            rewritten.append(index)
        }
        counter.begin(with: tallies)
        if !rewritten.isEmpty || stored?.steps != counter.steps {
            try counter.write(codesOf: rewritten, to: db)
        }
        return findings
    }

    /// Makes rows, indexes and second copies right that are damaged. What fails here leaves the file no worse than it
    /// was, and is told (`TallyStart`).
    /// - Parameter start: has the findings; those that are left stay in it.
    private func mend(
        _ start: inout TallyStart, _ tables: [StoredTable], _ counter: TallyCounter, _ keyring: Keyring, _ db: Database
    ) throws {
        let (findings, uncounted) = (start.findings, Set(start.count.left.map(\.table)))
        start.findings = []
        let keptTwice = counter.tables.filter { $0.keyOfCopies != nil }.map(\.name)
        let deadline = ContinuousClock.now + Self.mendingMax
        // The columns of a row are written one by one, so references are not looked at meanwhile.
        try db.execute(sql: "PRAGMA foreign_keys = 0")
        defer { try? db.execute(sql: "PRAGMA foreign_keys = 1") }
        // What is out of its order is not found by its key, and a sweep of it finds no end.
        if !keptTwice.isEmpty { mendTree(of: keptTwice, counter, db, noting: &start) }
        for table in tables where try db.tableExists(table.name.text) {
            guard let index = counter.tables.firstIndex(where: { $0.name == table.name.text }) else { continue }
            let finding = findings.first { $0.table == table.name.text }
            var rest = finding
            if let copies = SecondCopies(table, counter.tables[index], keyring) {
                rest = mendByCopies(
                    CopyMending(copies: copies) { try self.difference(of: index, counter, db) },
                    finding, isCounted: !uncounted.contains(table.name.text), in: db, noting: &start)
            }
            if let rest {
                do {
                    start.findings += try mendRows(of: table, rest, at: index, counter, keyring, db, until: deadline)
                } catch {
                    start.findings.append(rest)
                    start.failures.append(StoreError(error, operation: "mend the rows of \(table.name.text)"))
                }
            }
            guard finding != nil || Mending.looksAtIndexes(of: table),
                counter.saved[index].rows <= StartCount.tableRowsMax
            else { continue }
            do {
                let disagreement = try Mending.mendIndexes(of: table, in: db)
                if let disagreement { start.reindexed.append("\(table.name.text) (\(disagreement))") }
            } catch {
                start.failures.append(StoreError(error, operation: "build the indexes of \(table.name.text) anew"))
            }
        }
    }

    /// Puts the second copies in order, if there are not too many, and deletes those of tables that are not kept twice.
    private func mendTree(
        of keptTwice: [String], _ counter: TallyCounter, _ db: Database, noting start: inout TallyStart
    ) {
        do {
            var finding: String?
            try db.inTransaction(.immediate) {
                if counter.rows(of: keptTwice) <= StartCount.rowsMax { finding = try SecondCopies.mendTree(in: db) }
                try SecondCopies.dropStrays(among: keptTwice, db)
                return .commit
            }
            start.copiesRemade = finding
        } catch {
            start.noteCopies(error, "put the second copies in order")
        }
    }

    /// Makes rows right by their copies; makes the copies in a world that has none.
    /// - Returns: what differs still from the tally.
    private func mendByCopies(
        _ mending: CopyMending, _ finding: TallyFinding?, isCounted: Bool, in db: Database,
        noting start: inout TallyStart
    ) -> TallyFinding? {
        var outcome = CopyMending.Outcome(finding: finding)
        do {
            try db.inTransaction(.immediate) {
                if try !mending.copies.areBegun(db) {
                    try mending.copies.renew(db)
                } else if isCounted {
                    outcome = try mending.run(finding, in: db)
                }
                return .commit
            }
        } catch {
            // As for rows without copies.
            start.noteCopies(error, "compare \(mending.copies.table.name.text) with its second copies")
            return finding
        }
        start.mended += outcome.mended
        return outcome.finding
    }

    /// What differs between a table and its tally now.
    private func difference(of index: Int, _ counter: TallyCounter, _ db: Database) throws -> TallyFinding? {
        let written = counter.saved
        defer { counter.begin(with: written) }
        counter.begin(with: counter.tables.map { Tally(keepsCodes: $0.key != nil) })
        try counter.scan(index, in: db)
        return TallyFinding(counter.tables[index].name, written: written[index], found: counter.current[index])
    }

    /// - Returns: what differs still.
    private func mendRows(
        of table: StoredTable, _ finding: TallyFinding, at index: Int, _ counter: TallyCounter, _ keyring: Keyring,
        _ db: Database, until deadline: ContinuousClock.Instant
    ) throws -> [TallyFinding] {
        let mending = Mending(table: table, keyring: keyring, deadline: deadline)
        var rows = 0
        try db.inTransaction(.immediate) {
            rows = try mending.mendRows(in: db)
            return .commit
        }
        guard rows > 0 else { return [finding] }
        return try [difference(of: index, counter, db)].compactMap { $0 }
    }

    /// What the tallies say before the schema is brought up to date, and what is found; nil = there are none yet.
    func tallyDifference(of tables: [StoredTable], _ keyring: Keyring) throws(StoreError) -> TallyDifference? {
        guard keyring.isTallied else { return nil }
        return try lend("count the rows") { db in
            let counter = try Self.counter(of: tables, db, keyring)
            try counter.install(in: db)
            defer { TallyCounter.remove(from: db) }
            return try TallyDifference(counter, db, keyring)
        }
    }

    /// Takes the rows as they are: for an operator who has looked at what differs. Rows that do not open give way to
    /// second copies that do; nobody can have looked at those. References between rows are not enforced meanwhile.
    /// - Returns: the names of the rows that are right again by their copies.
    func takeRowsAsTheyAre(_ tables: [StoredTable], _ keyring: Keyring, _ db: Database) throws -> [String] {
        guard keyring.isTallied else { return [] }
        let counter = try Self.counter(of: tables, db, keyring)
        try counter.install(in: db)
        defer { TallyCounter.remove(from: db) }
        _ = try SecondCopies.mendTree(in: db)
        let mended = try SecondCopies.all(of: tables, in: db, keyring).flatMap { try $0.mendAllDamaged(db) }
        for index in counter.tables.indices { try counter.scan(index, in: db) }
        try counter.write(codesOf: counter.tables.indices, to: db)
        try SecondCopies.renewAll(of: tables, in: db, keyring)
        return mended
    }

    fileprivate static func counter(
        of tables: [StoredTable], _ db: Database, _ keyring: Keyring
    ) throws -> TallyCounter {
        var known: Set<String> = []
        let tallied = try tables.filter { known.insert($0.name.text).inserted }
            .compactMap { try TalliedTable($0, in: db) }
        return TallyCounter(tallied, steps: try Schema.stepsDone(in: db), keyring)
    }
}

/// What a start has found in a world's tables, and what it has made right.
struct TallyStart {
    /// What differs still from the tallies, in the tables that are counted.
    var findings: [TallyFinding] = []
    /// Names of the rows that are right again by their second copies.
    var mended: [String] = []
    /// Tables whose indexes were built anew, with what a check found in them.
    var reindexed: [String] = []
    /// What a check found in the second copies, so that they were made anew; nil = nothing.
    var copiesRemade: String?
    /// Second copies that could not be used or made.
    var copyFailures: [StoreError] = []
    /// What else could not be mended.
    var failures: [StoreError] = []
    var count = StartCount()

    /// Notes that second copies could not be used or made. Damaged ones need no backup: a start that checks the file
    /// makes them anew.
    fileprivate mutating func noteCopies(_ error: any Error, _ operation: String) {
        let error = StoreError(error, operation: operation)
        guard error.kind == .damaged else { return copyFailures.append(error) }
        copyFailures.append(
            StoreError(
                .damaged, operation: error.operation, cause: error.cause, remedy: SecondCopies.remedy))
    }
}

/// The tallies of a file, and what is found in it.
struct TallyDifference {
    fileprivate(set) var stored: [String: Tally] = [:]
    fileprivate(set) var found: [String: Tally] = [:]

    /// Counts every table of a record; without a record all of them are lost.
    fileprivate init(_ counter: TallyCounter, _ db: Database, _ keyring: Keyring) throws {
        let record = try TallyRecord.read(db, keyring)?.tallies
        for (index, table) in counter.tables.enumerated() {
            // A table of which the record says nothing has come with a later release.
            guard record == nil || record?[table.name] != nil else { continue }
            try counter.scan(index, in: db)
            found[table.name] = counter.current[index]
            var lost = counter.current[index]
            lost.isLost = true
            stored[table.name] = record?[table.name] ?? lost
        }
    }

    /// Compares the rows of a database with its record, in one snapshot.
    static func findings(_ tables: [StoredTable], _ db: Database, _ keyring: Keyring) throws -> [TallyFinding] {
        guard keyring.isTallied else { return [] }
        var difference: TallyDifference?
        try db.inTransaction(.deferred) {
            let counter = try Connection.counter(of: tables, db, keyring)
            try counter.install(in: db)
            defer { TallyCounter.remove(from: db) }
            difference = try TallyDifference(counter, db, keyring)
            return .commit
        }
        guard let difference else { return [] }
        return difference.stored.sorted { $0.key < $1.key }.compactMap { table, written in
            difference.found[table].flatMap { TallyFinding(table, written: written, found: $0) }
        }
    }
}

internal import CairnCore
internal import GRDB

/// Makes the rows of a table right by their second copies, before anybody asks for them.
struct CopyMending {
    let copies: SecondCopies
    /// What differs between the table and its tally now; nil = it is as the server wrote it.
    let difference: () throws -> TallyFinding?

    /// Rows of one table that may differ from their copies: with more of them a restore is better.
    private static let rowsMax = 200

    /// What was done.
    struct Outcome {
        /// The names of the damaged or missing rows that are right again.
        var mended: [String] = []
        /// What differs still from the tally.
        var finding: TallyFinding?
    }

    /// Compares the rows with their copies, and replaces those that do not open.
    ///
    /// A row that is not there, and one that opens and differs from its copy, may be either's fault: the tally says
    /// which. With the copies the table must be exactly as the server wrote it; otherwise nothing of that is done. If
    /// the table is as it was written, the copies are made as the rows are.
    /// - Parameter finding: what differs from the tally.
    func run(_ finding: TallyFinding?, in db: Database) throws -> Outcome {
        var differing: [[SQLValue]] = []
        try copies.alone(db) { row in
            if differing.count < Self.rowsMax { differing.append(row) }
        }
        let isAnyOrphan = try !copies.orphanedKeys(db, atMost: 1).isEmpty
        guard !differing.isEmpty || isAnyOrphan else { return Outcome(finding: finding) }
        var outcome = Outcome(finding: finding)
        if finding != nil {
            outcome = try byTally(differing, finding, in: db)
            guard outcome.finding != nil else { return outcome }
        }
        outcome.mended += try copies.mendDamaged(db)
        if finding != nil { outcome.finding = try difference() }
        if outcome.finding == nil { try copies.renew(db) }
        return outcome
    }

    /// Takes the copies for all that differs, if the table is then exactly as the server wrote it.
    private func byTally(_ rows: [[SQLValue]], _ finding: TallyFinding?, in db: Database) throws -> Outcome {
        var outcome = Outcome(finding: finding)
        try SecondCopies.savepoint(in: db) {
            // A row whose key was damaged has left an entry in each index.
            try copies.reindex(db)
            for row in rows {
                // Without a copy its key is wrong, and it comes back below; or somebody else has put it there.
                let copy = try copies.copy(ofKey: copies.key(of: row), db)
                try copies.replace(row, by: copy, db)
                if let copy { outcome.mended.append(copies.rowName(copy)) }
            }
            for row in try copies.orphans(db, atMost: Self.rowsMax) {
                try copies.replace(nil, by: row, db)
                outcome.mended.append(copies.rowName(row))
            }
            outcome.finding = try difference()
            return outcome.finding == nil
        }
        if outcome.finding == nil { try copies.renew(db) } else { outcome = Outcome(finding: finding) }
        return outcome
    }
}

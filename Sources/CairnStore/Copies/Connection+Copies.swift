internal import CairnCore
internal import GRDB

extension Connection {
    /// What came of an attempt to make a damaged row right.
    enum MendingOutcome {
        /// The row did not open, and its second copy has taken its place.
        case replaced
        /// The row opens: it was read wrongly, another one has made it right, or it is damaged otherwise or elsewhere.
        case opens
        /// The row is not there, or no copy of it opens.
        case unmended
    }

    /// Writes the second copy of a row in its place, if the row does not open and the copy does. The copy is what was
    /// counted, so the tally stays.
    func mend(_ damaged: DamagedRow, of table: StoredTable) throws(StoreError) -> MendingOutcome {
        guard let tally, let copies = self.copies(of: table) else { return .unmended }
        return try transaction(as: "mend a row of \(table.name.text)", nil) { db in
            guard let row = try db.answer(table.row(damaged.key), keyring: nil).first else { return .unmended }
            guard !table.opens(row.values, copies.keyring) else { return .opens }
            guard let copy = try copies.copy(ofKey: damaged.key[0], db) else { return .unmended }
            let mark = tally.mark
            try copies.change(row.values, to: copy, db)
            tally.rolledBack(to: mark)
            return .replaced
        }
    }

    /// Goes on to make the second copies of one of these tables anew, or to delete those of no table. The sweep of a
    /// table that has no copies is done.
    /// - Parameter keptTwice: all tables that are kept twice.
    func renewCopies(_ sweep: CopySweep, among keptTwice: [StoredTable]) throws(StoreError) -> CopySweep {
        var sweep = sweep
        try transaction(as: sweep.operation, nil) { db -> Void in
            switch sweep.group {
            case .rows(let name):
                let table = keptTwice.first { $0.name.text == name }
                if let copies = table.flatMap({ self.copies(of: $0) }) {
                    try sweep.step(copies, db)
                } else {
                    sweep.end()
                }
            case .strays: try sweep.stepThroughStrays(among: keptTwice.map(\.name.text), db)
            }
        }
        return sweep
    }

    private func copies(of table: StoredTable) -> SecondCopies? {
        guard let keyring else { return nil }
        return SecondCopies(table, tally?.tables.first { $0.name == table.name.text }, keyring)
    }
}

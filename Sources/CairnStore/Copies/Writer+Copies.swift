internal import CairnCore
internal import Logging

extension Writer {
    /// Names the tables whose damaged rows are mended, and who is told of a row that opens: whether by its second copy.
    func mendsByCopies(of tables: [StoredTable], telling tell: @escaping (DamagedRow, Bool) -> Void) {
        (keptTwice, tellOpens) = (tables, tell)
    }

    /// Makes one damaged row right by its second copy, if one waits. Returns whether one did.
    func mendStep() -> Bool {
        guard let row = intake.nextDamagedRow else { return false }
        guard let table = keptTwice.first(where: { $0.name.text == row.table }) else { return true }
        do {
            try mend(row, of: table)
        } catch {
            // An index may have the value of before the damage, so that the row cannot be changed: it is built anew.
            mendIndexes(after: error)
            do {
                try mend(row, of: table)
            } catch {
                if [.io, .damaged, .readOnly].contains(error.kind) { closeConnection() }
                intake.note { $0.copyFaults += 1 }
                logger.error("\(error) (the row stays set aside)")
            }
        }
        return true
    }

    private func mend(_ row: DamagedRow, of table: StoredTable) throws(StoreError) {
        let connection = try openConnection()
        // The writer may have the page as it was, while the disk gives others another one.
        connection.releaseMemory()
        switch try connection.mend(row, of: table) {
        case .replaced: tellOpens(row, true)
        case .opens: tellOpens(row, false)
        case .unmended: break
        }
    }

    /// Compares some rows of a table with their second copies and makes those anew that differ, if a table waits; or
    /// deletes some copies of no table. Returns whether it did.
    func renewStep() -> Bool {
        if copySweep == nil {
            copySweep = intake.nextCopies.map { CopySweep($0) }
            // As above.
            if copySweep != nil { releaseMemory() }
        }
        guard let sweep = copySweep else { return false }
        copySweep = nil
        do {
            let swept = try openConnection().renewCopies(sweep, among: keptTwice)
            if !swept.isDone {
                copySweep = swept
            } else if swept.changes > 0 {
                // The backup that has found them has counted them.
                logger.notice("store: \(swept.outcome)")
            }
        } catch {
            if [.io, .damaged, .readOnly].contains(error.kind) { closeConnection() }
            intake.note { $0.copyFaults += 1 }
            logger.error("\(error) (the next backup finds them again)")
        }
        return true
    }
}

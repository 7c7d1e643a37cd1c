internal import CairnCore
internal import Logging

extension Writer {
    /// Makes one damaged row right by its second copy, or one damaged copy by its row, if one waits. Returns whether
    /// one did.
    func mendStep() -> Bool {
        guard let row = intake.nextDamagedRow else { return false }
        guard row.table != SecondCopies.name else {
            renew(copy: row)
            return true
        }
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

    private func renew(copy: DamagedRow) {
        guard let table = keptTwice.first(where: { copy.column == SecondCopies.column(of: $0) }) else { return }
        do throws(StoreError) {
            let connection = try openConnection()
            connection.releaseMemory()
            guard try connection.renewCopy(ofKey: copy.key[0], of: table) else { return }
            logger.error("store: damaged copy: \(copy.name) was made anew from its row: look for a fault of the disk")
        } catch {
            if [.io, .damaged, .readOnly].contains(error.kind) { closeConnection() }
            logger.error("\(error) (the copy is compared again at the next start)")
        }
        intake.note { $0.copyFaults += 1 }
    }

    private func mend(_ row: DamagedRow, of table: StoredTable) throws(StoreError) {
        let connection = try openConnection()
        // The writer may have the page as it was, while the disk gives others another one.
        connection.releaseMemory()
        switch try connection.mend(row, of: table) {
        case .replaced: tellMended(row, true)
        case .sound: if row.cause == .doesNotOpen { tellMended(row, false) }
        case .unmended: break
        }
    }
}

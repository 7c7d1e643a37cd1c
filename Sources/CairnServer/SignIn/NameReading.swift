internal import CairnCore
internal import CairnNames
internal import CairnStore
internal import CairnWire
internal import Logging

/// The names in memory, read when the server starts.
extension NameDirectory {
    private static let pageRows = 10_000
    /// Most accounts that one line of the log names.
    private static let restoredTold = 20

    /// Names of people are compared as sign-in compares them, without letter case.
    /// - Parameter settings: those with which the server starts.
    convenience init(_ settings: Settings, privacy: Privacy.Audience) {
        self.init(
            foldingNames: { Username($0).compared },
            privacy: Privacy(privacy), hasFriends: settings.hasFriends)
    }

    /// Reads all names, the admins, what people have chosen to show, and which accounts say that they are suspended. A
    /// person whose row is damaged has no name.
    func fill(
        from store: Store, suspensions: Suspensions, listed: ListedNames?, offered: OfferedTours?, logger: Logger
    ) async throws {
        let start = ContinuousClock.now
        var (damage, entries) = ([DamagedRow](), [NameIndex<AccountTag>.Entry]())
        var restored: [AccountID] = []
        var last = AccountID(rawValue: 0)
        while true {
            let rows = try await store.read([AccountRecord.query(after: last, rowsMax: Self.pageRows)])[0]
            entries += rows.read(as: AccountRecord.table, into: &damage) { row throws(ColumnFault) in
                let account = try AccountRecord(stored: row)
                if account.role == .admin { set(.admin, of: account.id) }
                if !suspensions.reconcile(account, in: store) { restored.append(account.id) }
                return NameIndex.Entry(id: account.id, name: account.name)
            }
            .filter { !$0.name.isEmpty }
            guard rows.count == Self.pageRows, let id = try? rows.last?.integer(0) else { break }
            last = AccountID(rawValue: UInt64(bitPattern: id))
        }
        if !restored.isEmpty {
            logger.error(
                "store: the row of a suspension was gone; it stands, and reinstate ends it",
                metadata: [
                    "suspensions": "\(restored.count)",
                    "accounts": "\(restored.prefix(Self.restoredTold).map { "\($0)" }.joined(separator: " "))",
                ])
        }
        people.fill(with: entries)
        try await fillPrivacy(from: store, &damage)
        try await hideDeleted(in: store)
        if let listed {
            openRealms.fill(with: listed.entries(in: try await store.read([listed.query])[0], into: &damage))
        }
        if let offered {
            let known = offered.read(try await store.read([offered.query])[0], into: &damage)
            tours.fill(with: known.tours, unreadable: known.unreadable)
        }
        store.report(damage)
        guard entries.count >= Self.pageRows else { return }
        logger.notice("store: \(entries.count) names were read in \(ContinuousClock.now - start)")
    }

    /// Those whose deletion is under way show guests nothing.
    private func hideDeleted(in store: Store) async throws {
        var last = AccountID(rawValue: 0)
        while true {
            let rows = try await store.read([DeletionRecord.query(after: last, rowsMax: Self.pageRows)])[0]
            // The account is not sealed. The other columns are the deletion's business, which reports damage.
            let accounts = rows.compactMap { try? $0.integer(0) }.map { AccountID(rawValue: UInt64(bitPattern: $0)) }
            for account in accounts { setGuestsSee(false, of: account) }
            guard rows.count == Self.pageRows, let end = accounts.last else { return }
            last = end
        }
    }

    private func fillPrivacy(from store: Store, _ damage: inout [DamagedRow]) async throws {
        var last = AccountID(rawValue: 0)
        while true {
            let rows = try await store.read([ProfileRecord.query(after: last, rowsMax: Self.pageRows)])[0]
            for row in rows {
                guard let number = try? row.integer(0) else { continue }
                let account = AccountID(rawValue: UInt64(bitPattern: number))
                let profile: ProfileRecord
                do throws(DamagedRow) {
                    profile = try ProfileRecord([row], of: account)
                } catch {
                    damage.append(error)
                    profile = ProfileRecord(damaged: row, of: account)
                }
                set(profile.privacy, of: account)
                setGuestsSee(profile.guestsSee, of: account)
            }
            guard rows.count == Self.pageRows, let id = try? rows.last?.integer(0) else { return }
            last = AccountID(rawValue: UInt64(bitPattern: id))
        }
    }
}

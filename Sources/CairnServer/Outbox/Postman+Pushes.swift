internal import CairnConfiguration
internal import CairnCore
internal import CairnStore
internal import CairnWire

/// Decides which notifications a push follows, and deletes what an account has too many of.
///
/// Every notification is decided about once, when no device may be on its way to acknowledge it any more
/// (`Notification.pushGrace`). The pushes and the note that it is decided are one unit: a crash leaves both or none.
extension Postman {
    /// Notifications in a unit.
    static let decisionsMax = 64

    /// - Parameter rows: of notifications that are due for it.
    func decidePushes(after rows: [Row]) async {
        guard !rows.isEmpty else { return }
        // What fails is due at the next look.
        try? await decide(about: rows)
    }

    /// Decides at once about an account's notifications of some kinds. Called before the account's settings end them:
    /// who signs in with a stolen password and switches the warning of it off ends those to come, and not this one.
    func decidePushes(of kinds: [NotificationKind], to account: AccountID) async throws {
        for _ in 0..<SignIn.attemptsMax {
            let rows = try await store.read(
                kinds.map { StoredNotification.undecided(of: account, kind: $0, countMax: Self.decisionsMax) }
            ).flatMap(\.self)
            guard !rows.isEmpty else { return }
            do {
                try await decide(about: rows)
            } catch let error as StoreError where error.kind == .overtaken {
                // Some were due, and are decided.
            }
        }
        throw SignIn.overtaken
    }

    private func decide(about rows: [Row]) async throws {
        var damage: [DamagedRow] = []
        defer { store.report(damage) }
        let stored = StoredNotification.notifications(in: rows, into: &damage)
        // Damaged ones and kinds that this server does not know as well: nothing more will be known of them later.
        var statements = rows.compactMap { $0.values.first.map(StoredNotification.pushDecided) }
        for (account, stored) in Dictionary(grouping: stored, by: \.notification.recipient) {
            statements += try await decide(stored, of: account, &damage)
        }
        try await store.commit(statements)
        // The pushes are due now, and there may be further notifications.
        poke()
    }

    /// The pushes that follow notifications of one account.
    private func decide(
        _ stored: [StoredNotification], of account: AccountID, _ damage: inout [DamagedRow]
    ) async throws -> [Statement] {
        let answers = try await store.read([
            NotificationDevice.query(of: account), SettingsRecord.query(account), StoredNotification.count(of: account),
            Relation.query(of: account, among: Set(stored.compactMap(\.notification.person))),
        ])
        let devices = NotificationDevice.devices(in: answers[0], into: &damage)
        let settings = (try? SettingsRecord(answers[1])?.wire()) ?? []
        let switches = NotificationSwitches(settings)
        let hidden = Self.hidden(from: account, in: answers[3], &damage)
        let received = devices.map(\.received).max() ?? 0
        let wanted = stored.filter { stored in
            let kind = stored.notification.kind
            // No push about a person who is absent for the recipient (FRD-7).
            guard stored.notification.person.map(hidden.contains) != true else { return false }
            // Whoever a warning warns of may have read it first.
            return switches.isOn(kind) && (kind.isWarning || !stored.isRead && stored.number > received)
        }
        let pushes = wanted.sorted { $0.number < $1.number }.flatMap { stored in
            devices.filter { !$0.address.isEmpty && $0.received < stored.number }.map { device in
                push(stored.notification, to: device, in: settings.language ?? device.language)
            }
        }
        return pushes + surplus(of: account, answers[2])
    }

    /// It passes services of others, so it says what kind of notification there is and nothing of its content.
    private func push(
        _ notification: Notification, to device: NotificationDevice, in language: String
    ) -> Statement {
        let (now, kind) = (clock.lasting, notification.kind.name)
        return OutboxEntry.push(
            identifiers.next(OutboxTag.self, at: clock.now), kind: kind, to: device.address,
            of: notification.recipient, about: notification.person,
            text: Texts.of(language, among: configuration.accounts.languages)["push.\(kind.text)"], at: now,
            until: now + .seconds(configuration.adaptors.mailHours * 3_600))
    }

    /// People with a block between them and the account (FRD-7).
    private static func hidden(
        from account: AccountID, in rows: [Row], _ damage: inout [DamagedRow]
    ) -> Set<AccountID> {
        Set(rows.relations(into: &damage).filter(\.isBlocked).map { $0.other(than: account) })
    }

    /// Whether a push that waited is still to be sent: it goes to no device that was signed out since or gave another
    /// address, and is about nobody who was blocked since. Mails are.
    func isWanted(_ entry: OutboxEntry) async throws -> Bool {
        guard let account = entry.account else { return true }
        var damage: [DamagedRow] = []
        defer { store.report(damage) }
        let answers = try await store.read([NotificationDevice.query(of: account), Relation.query(of: account)])
        let devices = NotificationDevice.devices(in: answers[0], into: &damage)
        guard devices.contains(where: { $0.address == entry.recipient }) else { return false }
        return entry.person.map(Self.hidden(from: account, in: answers[1], &damage).contains) != true
    }

    private func surplus(of account: AccountID, _ rows: [Row]) -> [Statement] {
        let countMax = configuration.notifications.countMax
        guard let kept = try? rows.first?.integer(0), kept > countMax else { return [] }
        count(.push) { $0.dropped += UInt64(kept) - UInt64(countMax) }
        return [StoredNotification.surplus(of: account, beyond: countMax)]
    }
}

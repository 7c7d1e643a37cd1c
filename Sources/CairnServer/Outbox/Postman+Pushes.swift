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
        var damage: [DamagedRow] = []
        defer { store.report(damage) }
        let stored = StoredNotification.notifications(in: rows, into: &damage)
        // Damaged ones and kinds that this server does not know as well: nothing more will be known of them later.
        var statements = rows.compactMap { $0.values.first.map(StoredNotification.pushDecided) }
        for (account, stored) in Dictionary(grouping: stored, by: \.notification.recipient) {
            guard let decided = try? await decide(stored, of: account, &damage) else { return }
            statements += decided
        }
        // The pushes are due now, and there may be further notifications.
        if (try? await store.commit(statements)) != nil { poke() }
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
        let relations = answers[3].relations(into: &damage)
        let hidden = Set(relations.filter(\.isBlocked).map { $0.other(than: account) })
        let received = devices.map(\.received).max() ?? 0
        let wanted = stored.filter { stored in
            let kind = stored.notification.kind
            // No push about a person who is absent for the recipient (FRD-7).
            guard stored.notification.person.map(hidden.contains) != true else { return false }
            return !stored.isRead && switches.isOn(kind) && (kind.isWarning || stored.number > received)
        }
        let pushes = wanted.sorted { $0.number < $1.number }.flatMap { stored in
            devices.filter { !$0.address.isEmpty && $0.received < stored.number }.map { device in
                push(stored.notification.kind, to: device, in: settings.language ?? device.language)
            }
        }
        return pushes + surplus(of: account, answers[2])
    }

    /// It passes services of others, so it says what kind of notification there is and nothing of its content.
    private func push(_ kind: NotificationKind, to device: NotificationDevice, in language: String) -> Statement {
        let now = clock.lasting
        return OutboxEntry.push(
            identifiers.next(OutboxTag.self, at: clock.now), kind: kind.name, to: device.address,
            text: Texts.of(language, among: configuration.accounts.languages)["push.\(kind.name.text)"], at: now,
            until: now + .seconds(configuration.adaptors.mailHours * 3_600))
    }

    private func surplus(of account: AccountID, _ rows: [Row]) -> [Statement] {
        let countMax = configuration.notifications.countMax
        guard let kept = try? rows.first?.integer(0), kept > countMax else { return [] }
        count(.push) { $0.dropped += UInt64(kept) - UInt64(countMax) }
        return [StoredNotification.surplus(of: account, beyond: countMax)]
    }
}

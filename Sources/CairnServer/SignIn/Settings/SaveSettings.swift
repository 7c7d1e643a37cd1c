internal import CairnCore
internal import CairnStore
internal import CairnWire

/// Saves settings of the person; all their connections learn of it (PRF-6, PRF-7, PRF-9, SYN-3).
struct SaveSettings: EntranceCommand {
    static let sender = EntranceSender.user
    static let isOrdered = true

    private static let countMax = 64
    /// Those that can be saved.
    let edits: [WireSetting]
    private let isBatch: Bool

    /// Edits that all say when they were made are a batch of queued changes (SYN-3): those that cannot be saved stop no
    /// other, and the answer does not name them. Without a time it is one change, saved whole or not at all (PRF-9).
    init(_ body: WireSaveSettings) throws(Refusal) {
        guard (1...Self.countMax).contains(body.settings.count) else {
            throw Refusal(
                .missingField, "settings: 1 to \(Self.countMax)", component: SignIn.component,
                details: ["field": "settings"])
        }
        isBatch = body.settings.allSatisfy { $0.edited != 0 }
        edits = body.settings.filter { Self.fault(in: $0) == nil }
        if edits.isEmpty || (!isBatch && edits.count < body.settings.count),
            let fault = body.settings.lazy.compactMap({ Self.fault(in: $0) }).first
        {
            throw fault
        }
    }

    private static func fault(in edit: WireSetting) -> Refusal? {
        guard let known = UserSetting.byKey[edit.key] else { return invalid(edit, "there is no such setting") }
        guard known.accepts(edit.value) else { return invalid(edit, "wants \(known.wants)") }
        return edit.edited < 0 ? invalid(edit, "edited is before 1970") : nil
    }

    private static func invalid(_ edit: WireSetting, _ text: Refusal.Text) -> Refusal {
        let key = String(edit.key.prefix(64))
        return Refusal(.invalidSetting, "\(key): \(text)", component: SignIn.component, details: ["key": key])
    }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        let account = user.account
        var edits = self.edits
        for _ in 0..<SignIn.attemptsMax {
            let rows = try await signIn.store.read([SettingsRecord.query(account)])[0]
            let before = signIn.record(of: account, in: rows) ?? SettingsRecord(account: account)
            var settings = before
            let now = signIn.clock.now
            for edit in edits {
                let edited = WallTime(milliseconds: edit.edited == 0 ? now.milliseconds : edit.edited)
                settings.edit(edit.key, edit.value, at: min(edited, now), now: now)
            }
            // A token alone, which may be stolen, ends no warning of what is done with it (ACC-13).
            let warnings = NotificationKind.all.filter { $0.isWarning && $0.isEnded(by: settings, since: before) }
            let ended = warnings.map(\.settingKey)
            if !warnings.isEmpty {
                do {
                    try await signIn.requireProof(user, applicant)
                } catch is Refusal where isBatch && edits.contains(where: { !ended.contains($0.key) }) {
                    edits.removeAll { ended.contains($0.key) }
                    continue
                }
                try await signIn.services.postman.decidePushes(of: warnings, to: account)
            }
            if settings != before || before.isDamaged {
                guard try await signIn.isCommitted([settings.saving]) else { continue }
            }
            let keys = Set(edits.map(\.key))
            var list = WireSettingList()
            list.settings = settings.wire(keys.contains)
            let changed = keys.filter { settings.values[$0] != before.values[$0] }
            return .answered(.settingList(list), settings: settings.wire(changed.contains))
        }
        throw SignIn.overtaken
    }
}

extension NotificationKind {
    /// Whether the person would get the kind no more.
    fileprivate func isEnded(by settings: SettingsRecord, since before: SettingsRecord) -> Bool {
        settings.values[settingKey]?.text == "off" && before.values[settingKey]?.text != "off"
    }
}

/// Gives the person's settings.
struct GetSettings: EntranceCommand {
    static let sender = EntranceSender.user

    init(_ body: WireGetSettings) {}

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let account = try applicant.requireUser().account
        let rows = try await signIn.store.read([SettingsRecord.query(account)])[0]
        var list = WireSettingList()
        list.settings = signIn.record(of: account, in: rows)?.wire() ?? []
        return .answered(.settingList(list))
    }
}

extension SignIn {
    /// Settings for a welcome. A damaged row keeps no person out.
    func settings(in rows: [Row]) -> [WireSetting] {
        guard let number = try? rows.first?.integer(0) else { return [] }
        return record(of: AccountID(rawValue: UInt64(bitPattern: number)), in: rows)?.wire() ?? []
    }

    /// The saved settings; nil = nothing was saved. A damaged row is reported, and shares no position until the person
    /// says so again.
    fileprivate func record(of account: AccountID, in rows: [Row]) -> SettingsRecord? {
        do throws(DamagedRow) {
            return try SettingsRecord(rows)
        } catch {
            store.report([error])
            return SettingsRecord(damaged: rows, of: account)
        }
    }

    /// The language to write to a person in: by their setting, else as the connection said.
    /// - Parameter account: may be nobody's; the same is read.
    func language(of account: AccountID, or said: String) async throws -> String {
        let saved = settings(in: try await store.read([SettingsRecord.query(account)])[0]).language
        return saved ?? said
    }
}

extension [WireSetting] {
    /// What the setting of the language says; empty = as `hello` does, nil = it is not among these.
    var chosenLanguage: String? { first { $0.key == UserSetting.language }?.value }

    /// The language that is set; nil = none.
    var language: String? { chosenLanguage.flatMap { $0.isEmpty ? nil : $0 } }
}

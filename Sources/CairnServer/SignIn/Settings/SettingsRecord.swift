internal import CairnCore
internal import CairnStore
internal import CairnWire

/// The settings that a person has saved, in one sealed row (PRF-9).
struct SettingsRecord: Equatable, Sendable {
    let account: AccountID
    /// By key.
    private(set) var values: [String: Value] = [:]
    /// What is sealed, as it was read: a change replaces this and nothing else; nil = there is no row.
    private let stored: SQLValue?
    /// Whether the row is damaged: it is saved anew with the next edit, whatever that says.
    let isDamaged: Bool

    struct Value: Equatable, Sendable {
        let text: String
        let edited: WallTime
    }

    private static let seal = Seal("user_settings")

    static let migration = Migration(
        "user-settings-1",
        """
        CREATE TABLE user_settings (
            account INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE, sealed BLOB NOT NULL
        ) STRICT
        """)

    static let table = StoredTable(
        "user_settings", of: .account, columns: ["account", "sealed", "sealed AS stored"], key: [0],
        opening: [Opening(1, seal, row: 0)], references: [StoredTable.Reference(0, to: "accounts", "id")],
        erasure: [.atOnce(0)],
        export: .rows([0]) { row, _ throws(ColumnFault) in
            let settings = try SettingsRecord(of: row).values
            return [
                "settings": .object(settings.mapValues { .text($0.text) })
            ]
        }
    ) { row throws(ColumnFault) in
        _ = try SettingsRecord(of: row)
        return []
    }

    /// Reads the answer to one of the queries; nil = nothing was saved.
    init?(_ rows: [Row]) throws(DamagedRow) {
        guard let row = rows.first else { return nil }
        self = try Self.table.read(row) { row throws(ColumnFault) in try SettingsRecord(of: row) }
    }

    /// Of somebody who has saved nothing yet.
    init(account: AccountID) {
        self.account = account
        stored = nil
        isDamaged = false
    }

    /// In place of a damaged row: nothing is known but that the person may have closed something, so what others learn
    /// of the position is closed. Any edit is later.
    init(damaged rows: [Row], of account: AccountID) {
        self.account = account
        stored = rows.first.flatMap { try? $0.blob(2) }.map(SQLValue.blob)
        isDamaged = true
        values = [
            UserSetting.sharesPosition: Value(text: "off", edited: .epoch),
            UserSetting.accuracy: Value(text: LocationAccuracy.coarsest.rawValue, edited: .epoch),
        ]
    }

    private init(of row: Row) throws(ColumnFault) {
        account = AccountID(rawValue: UInt64(bitPattern: try row.integer(0)))
        stored = .blob(try row.blob(2))
        isDamaged = false
        values = try row.within(1) { sealed throws(ColumnFault) in
            var values: [String: Value] = [:]
            for first in stride(from: 0, to: sealed.values.count, by: 3) {
                values[try sealed.text(first)] = Value(
                    text: try sealed.text(first + 1), edited: try sealed.wallTime(first + 2))
            }
            return values
        }
    }

    /// How far the time of an edit may be ahead of the clock because edits of one millisecond have followed it.
    private static let haste = Duration.seconds(1)

    /// Keeps an edit, unless a later one is known. One that is stored with a time to come was made by a clock that was
    /// ahead, and is in nobody's way.
    ///
    /// The time of a kept edit is above that of the one before it: devices go by it as the version of the setting. An
    /// edit of this moment is the newest, whatever the millisecond.
    mutating func edit(_ key: String, _ text: String, at time: WallTime, now: WallTime) {
        guard let known = values[key] else {
            values[key] = Value(text: text, edited: time)
            return
        }
        if time < now, known.edited > time, known.edited <= now + Self.haste { return }
        values[key] = Value(text: text, edited: max(time, known.edited + .milliseconds(1)))
    }

    /// As the wire has them, in the order of their keys.
    func wire(_ isWanted: (String) -> Bool = { _ in true }) -> [WireSetting] {
        values.filter { isWanted($0.key) }.sorted { $0.key < $1.key }.map { key, value in
            var setting = WireSetting()
            setting.key = key
            setting.value = value.text
            setting.edited = value.edited.milliseconds
            return setting
        }
    }

    private var row: Int64 { Int64(bitPattern: account.rawValue) }

    private var sealed: SQLValue {
        let triples = values.sorted { $0.key < $1.key }.flatMap { key, value in
            [SQLValue.text(key), .text(value.text), .time(value.edited)]
        }
        return .sealed(triples, Self.seal, row: row)
    }

    /// Keeps it; fails when something else has changed it since it was read.
    var saving: Statement {
        guard let stored else {
            return Statement(
                "INSERT INTO user_settings (account, sealed) VALUES (?, ?) ON CONFLICT DO NOTHING", .integer(row),
                sealed, changing: 1)
        }
        return Statement(
            "UPDATE user_settings SET sealed = ? WHERE account = ? AND sealed = ?", sealed, .integer(row), stored,
            changing: 1)
    }

    private static let byAccount = table.query("WHERE account = ?")
    private static let byToken = table.query("WHERE account = (SELECT account FROM tokens WHERE hash = ?)")
    private static let byAppIdentity = table.query(
        "WHERE account = (SELECT account FROM app_identities WHERE fingerprint = ?)")

    static func query(_ account: AccountID) -> Query { byAccount.about(.integer(Int64(bitPattern: account.rawValue))) }

    /// Of the account of a token, by the token's print.
    static func query(ofToken print: SQLValue) -> Query { byToken.about(print) }

    /// Of the account of an identity at an app's backend, by the identity's print.
    static func query(ofAppIdentity print: SQLValue) -> Query { byAppIdentity.about(print) }
}

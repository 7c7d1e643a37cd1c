internal import CairnCore
internal import CairnStore
internal import CairnWire

/// What a person tells of themselves (PRF-1 to PRF-5), all of it sealed. An account without a row tells nothing.
struct ProfileRecord: Equatable, Sendable {
    let account: AccountID
    /// Others never get what is in it (PRF-4).
    var person = Person()
    var status = ""
    var bio = ""
    /// The visibility of each part; nil = the person has not chosen.
    var privacy: Privacy?
    /// Whether guests who look see what the person leaves in public.
    var guestsSee = true
    /// An asset that the person has uploaded; nil = none. An `AssetUse` keeps it.
    var picture: AssetID?
    /// What is sealed, as it was read: a change replaces this and nothing else; nil = there is no row.
    private let stored: SQLValue?
    /// Whether the row is damaged: it is saved anew with the next edit, whatever that says.
    let isDamaged: Bool

    struct Person: Equatable, Sendable {
        var firstName = ""
        var lastName = ""
        /// YYYY-MM-DD; empty = not told.
        var birthDate = ""
    }

    private static let seal = Seal("profiles")

    static let migration = Migration(
        "profiles-1",
        """
        CREATE TABLE profiles (
            account INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE, sealed BLOB NOT NULL
        ) STRICT
        """)

    static let table = StoredTable(
        "profiles", of: .account, columns: ["account", "sealed", "sealed AS stored"], key: [0],
        opening: [Opening(1, seal, row: 0)], references: [StoredTable.Reference(0, to: "accounts", "id")],
        erasure: [.atOnce(0)],
        export: .rows([0]) { row, view throws(ColumnFault) in
            let profile = try ProfileRecord(of: row)
            return [
                "firstName": .filled(profile.person.firstName), "lastName": .filled(profile.person.lastName),
                "birthDate": .filled(profile.person.birthDate), "status": .filled(profile.status),
                "bio": .filled(profile.bio), "picture": view.name(of: profile.picture),
                "visibleTo": .filled(profile.privacy?.profile.rawValue ?? ""),
                "friendsVisibleTo": .filled(profile.privacy?.friends.rawValue ?? ""),
                "interactionsVisibleTo": .filled(profile.privacy?.interactions.rawValue ?? ""),
                "guestsSee": .flag(profile.guestsSee),
            ]
        }
    ) { row throws(ColumnFault) in
        _ = try ProfileRecord(of: row)
        return []
    }

    /// A new one.
    init(account: AccountID) {
        self.account = account
        stored = nil
        isDamaged = false
    }

    /// In place of a damaged row: nothing is known but that the person may have closed something, so nobody sees
    /// anything.
    init(damaged row: Row?, of account: AccountID) {
        self.account = account
        stored = row.flatMap { try? $0.blob(2) }.map(SQLValue.blob)
        isDamaged = true
        privacy = Privacy(.nobody)
        guestsSee = false
    }

    /// Reads the answer to `query`.
    init(_ rows: [Row], of account: AccountID) throws(DamagedRow) {
        guard let row = rows.first else {
            self.init(account: account)
            return
        }
        self = try Self.table.read(row) { row throws(ColumnFault) in try ProfileRecord(of: row) }
    }

    private init(of row: Row) throws(ColumnFault) {
        account = AccountID(rawValue: UInt64(bitPattern: try row.integer(0)))
        stored = .blob(try row.blob(2))
        isDamaged = false
        let sealed = try row.opened(1)
        do throws(ColumnFault) {
            person = Person(
                firstName: try sealed.text(0), lastName: try sealed.text(1), birthDate: try sealed.text(2))
            (status, bio) = (try sealed.text(3), try sealed.text(4))
            privacy = try Self.privacy(in: sealed)
            // Rows of before there were pictures end here.
            let picture = sealed.values.count > 8 ? try sealed.integerIfAny(8) : nil
            self.picture = picture.map { AssetID(rawValue: UInt64(bitPattern: $0)) }
            // Rows of before guests could look end here.
            guestsSee = sealed.values.count > 9 ? try sealed.integer(9) != 0 : true
        } catch {
            throw ColumnFault(1, error.cause)
        }
    }

    /// Rows from before there were friends say of the profile alone whether everyone may see it.
    private static func privacy(in sealed: Row) throws(ColumnFault) -> Privacy? {
        guard sealed.values.count > 6 else {
            guard try sealed.text(5) == "everyone" else { return nil }
            return Privacy(profile: .everyone, friends: .nobody, interactions: .nobody)
        }
        var audiences: [Privacy.Audience] = []
        for column in 5...7 {
            let text = try sealed.text(column)
            guard !text.isEmpty else { return nil }
            guard let audience = Privacy.Audience(rawValue: text) else { throw ColumnFault(column, .outOfRange) }
            audiences.append(audience)
        }
        return Privacy(profile: audiences[0], friends: audiences[1], interactions: audiences[2])
    }

    private static func values(of privacy: Privacy?) -> [SQLValue] {
        [privacy?.profile, privacy?.friends, privacy?.interactions].map { .text($0?.rawValue ?? "") }
    }

    private var row: Int64 { Int64(bitPattern: account.rawValue) }

    private var sealed: SQLValue {
        .sealed(
            [
                .text(person.firstName), .text(person.lastName), .text(person.birthDate), .text(status), .text(bio),
            ] + Self.values(of: privacy) + [
                picture.map { .integer(Int64(bitPattern: $0.rawValue)) } ?? .null, .integer(guestsSee ? 1 : 0),
            ],
            Self.seal, row: row)
    }

    /// Keeps it; fails when something else has changed it since it was read.
    var saving: Statement {
        guard let stored else {
            return Statement(
                "INSERT INTO profiles (account, sealed) VALUES (?, ?) ON CONFLICT DO NOTHING", .integer(row), sealed,
                changing: 1)
        }
        return Statement(
            "UPDATE profiles SET sealed = ? WHERE account = ? AND sealed = ?", sealed, .integer(row), stored,
            changing: 1)
    }

    private static let byAccount = table.query("WHERE account = ?")
    private static let page = table.query("WHERE account > ? ORDER BY account LIMIT ?")

    /// A page of all, in the order of their accounts.
    static func query(after account: AccountID, rowsMax: Int) -> Query {
        page.about(.integer(Int64(bitPattern: account.rawValue)), .integer(Int64(rowsMax)))
    }

    static func query(_ account: AccountID) -> Query { byAccount.about(.integer(Int64(bitPattern: account.rawValue))) }
}

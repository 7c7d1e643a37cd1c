import CairnCore
import CairnTesting
import CairnWire

/// Realms with members, who see what was said there lately: a feature that only tests have. Who is a member is on disk,
/// what was said is not.
enum Clubs: Feature {
    static let name = "clubs"
    static let commands: [any Command.Type] = []
    static let messages: [any HomeMessage.Type] = [JoinClub.self, LeaveClub.self, SpeakInClub.self]
    static let publishes: Set<HomeKind> = [.realm]
    static let register = FeatureRegister([Clubs.self])
    static let migrations = [
        Migration(
            "clubs-1",
            """
            CREATE TABLE club_members (
                club INTEGER NOT NULL, account INTEGER NOT NULL, PRIMARY KEY (club, account)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX club_members_account ON club_members (account, club)")
    ]
    /// A longer memory would only make snapshots longer.
    fileprivate static let sayingsMax = 8

    private static let members = StoredTable(
        "club_members", of: .home(.realm), columns: ["club", "account"], key: [0, 1],
        references: [StoredTable.Reference(1, to: "accounts", "id")]
    ) { row throws(ColumnFault) in
        _ = try (row.integer(0), row.integer(1))
        return []
    }

    static func tables(settings: Settings) -> [StoredTable] { [members] }

    /// A club of which the disk cannot say who waits for it.
    static let unreadable = RealmID(rawValue: 6)

    private static let waiting = Membership.Waiting(
        in: members,
        of: { _, scope in
            scope == .members(of: .realm(unreadable)) ? Query("SELECT club, account FROM club_candidates") : nil
        },
        waits: { _, _ in true })

    static let membership: Membership? = Membership(
        in: members, of: { members.query("WHERE account = ?", .integer(Int64(bitPattern: $0.rawValue))) },
        waiting: waiting
    ) { row, _ throws(ColumnFault) in
        .members(of: .realm(RealmID(rawValue: UInt64(bitPattern: try row.integer(0)))))
    }
}

/// What is said to a club about a person. The payload is the account's number.
protocol ClubWord: HomeMessage {
    var account: AccountID { get }
    init(_ account: AccountID)
}

extension ClubWord {
    init(payload: [UInt8], register: FeatureRegister) { self.init(AccountID(rawValue: payload.numbers[0])) }

    var payload: [UInt8] { [UInt8](numbers: [account.rawValue]) }

    fileprivate func row(_ turn: Turn) -> [SQLValue] {
        [turn.home.number, account.rawValue].map { .integer(Int64(bitPattern: $0)) }
    }
}

struct JoinClub: ClubWord {
    static let kind: StaticText = "clubs.join"
    let account: AccountID

    init(_ account: AccountID) { self.account = account }

    func heard(in turn: inout Turn) -> [Effect] {
        let row = row(turn)
        return [
            .write(Statement("INSERT INTO club_members (club, account) VALUES (?, ?)", row[0], row[1], changing: 1)),
            .admit(account, to: .members(of: turn.home)),
        ]
    }
}

struct LeaveClub: ClubWord {
    static let kind: StaticText = "clubs.leave"
    let account: AccountID

    init(_ account: AccountID) { self.account = account }

    func heard(in turn: inout Turn) -> [Effect] {
        let row = row(turn)
        return [
            .write(
                Statement("DELETE FROM club_members WHERE club = ? AND account = ?", row[0], row[1], changing: 1)),
            .expel(account, from: .members(of: turn.home)),
        ]
    }
}

/// Somebody says something: all members see it, until enough has been said after it.
struct SpeakInClub: HomeMessage {
    static let kind: StaticText = "clubs.speak"
    let text: String

    init(_ text: String) { self.text = text }

    init(payload: [UInt8], register: FeatureRegister) { text = String(decoding: payload, as: UTF8.self) }

    var payload: [UInt8] { Array(text.utf8) }

    func heard(in turn: inout Turn) -> [Effect] {
        let id = turn.newInstanceID()
        var wire = WireInstance()
        wire.id = turn.name(of: id)
        wire.text = text
        wire.version = 1
        let record = ObjectRecord(
            id: id, owner: AccountID(rawValue: 1), ownerName: "", audience: Audience(.members(of: turn.home)),
            wire: wire)
        turn.objects[id] = record
        return forgotten(in: &turn) + [.publish(.entry(of: record, as: wire))]
    }

    private func forgotten(in turn: inout Turn) -> [Effect] {
        guard turn.objects.count > Clubs.sayingsMax, let oldest = turn.objects.ids.min(),
            let record = turn.objects[oldest]
        else { return [] }
        turn.objects[oldest] = nil
        return [.publish(.departure(of: record))]
    }
}

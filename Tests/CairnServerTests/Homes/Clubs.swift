import CairnCore
import CairnTesting
import CairnWire

@testable import CairnServer

/// Realms with members, who see what is said there: a feature that only tests have. Its rows are counts of developers,
/// as tests have no tables of their own: the day is the club, and what was done is to be a member.
enum Clubs: Feature {
    static let name = "clubs"
    static let commands: [any Command.Type] = []
    static let messages: [any HomeMessage.Type] = [JoinClub.self, LeaveClub.self, SpeakInClub.self]
    static let publishes: Set<HomeKind> = [.realm]
    static let register = FeatureRegister([Clubs.self])
    static let migrations: [Migration] = []

    private static let members = StoredTable("engagement", of: .world, columns: ["day", "what"], key: [0, 1]) {
        _ throws(ColumnFault) in []
    }

    fileprivate static func word(for account: AccountID) -> SQLValue { .text("member \(account)") }

    static let membership: Membership? = Membership(
        in: members, of: { members.query("WHERE what = ?", word(for: $0)) }
    ) { row throws(ColumnFault) in
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
        [.integer(Int64(bitPattern: turn.home.number)), Clubs.word(for: account)]
    }
}

struct JoinClub: ClubWord {
    static let kind: StaticText = "clubs.join"
    let account: AccountID

    init(_ account: AccountID) { self.account = account }

    func heard(in turn: inout Turn) -> [Effect] {
        let row = row(turn)
        return [
            .write(Statement("INSERT INTO engagement (day, what, count) VALUES (?, ?, 1)", row[0], row[1])),
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
            .write(Statement("DELETE FROM engagement WHERE day = ? AND what = ?", row[0], row[1])),
            .expel(account, from: .members(of: turn.home)),
        ]
    }
}

/// Somebody says something: all members see it.
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
        return [.publish(.entry(of: record, as: wire))]
    }
}

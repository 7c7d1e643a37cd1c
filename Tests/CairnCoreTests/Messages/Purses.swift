import CairnGeo
import CairnTesting
import CairnWire

@testable import CairnCore

/// Homes with coins, which pay one another: a feature that only tests have. Whatever dies, the coins of all homes and
/// those under way are as many as before.
enum Purses: Feature {
    static let name = "purses"
    static let commands: [any Command.Type] = []
    static let messages: [any HomeMessage.Type] = [Fund.self, Pay.self]
    static let durableMessages: [any DurableMessage.Type] = [Coins.self]
    static let register = FeatureRegister([Purses.self])
    static let migrations = [
        Migration("purses-1", "CREATE TABLE purses (home INTEGER PRIMARY KEY, coins INTEGER NOT NULL) STRICT")
    ]
    static let table = StoredTable("purses", of: .home(.space), columns: ["home", "coins"], key: [0]) {
        row throws(ColumnFault) in
        _ = try (row.integer(0), row.integer(1))
        return []
    }

    static func tables(settings: Settings) -> [StoredTable] { [table] }

    static func stored(in home: HomeAddress) -> [Query] {
        [table.query("WHERE home = ?", .integer(Int64(bitPattern: home.number)))]
    }

    static func restore(_ answers: [[Row]], in turn: inout Turn) {
        let coins = turn.read(answers.first ?? [], of: table) { row throws(ColumnFault) in try row.integer(1) }
        if let coins = coins.first { turn.coins = coins }
    }
}

extension Turn {
    fileprivate var coins: Int64 {
        get { objects[InstanceID(rawValue: home.number)]?.attachments[Purse.self]?.coins ?? 0 }
        set {
            let id = InstanceID(rawValue: home.number)
            var record =
                objects[id]
                ?? ObjectRecord(
                    id: id, owner: .make(1), ownerName: "", audience: .everyone, coordinate: .make(),
                    wire: WireInstance())
            record.attachments[Purse.self] = Purse(coins: newValue)
            objects[id] = record
        }
    }

    /// Puts coins in, or takes them out.
    fileprivate mutating func add(_ amount: Int64) -> Effect {
        coins += amount
        return .write(
            Statement(
                """
                INSERT INTO purses (home, coins) VALUES (?, ?) ON CONFLICT (home) DO UPDATE SET coins = excluded.coins
                """, .integer(Int64(bitPattern: home.number)), .integer(coins), changing: 1))
    }
}

private struct Purse: Attachment {
    let coins: Int64
}

extension HomeBench {
    /// What is in the home's purse, as it will be.
    var coins: Int64 {
        core.turn.coins
    }
}

/// Coins from nowhere.
struct Fund: HomeMessage {
    static let kind: StaticText = "purses.fund"
    let amount: Int64

    init(_ amount: Int64) { self.amount = amount }

    init(payload: [UInt8], register: FeatureRegister) { amount = Int64(bitPattern: payload.numbers[0]) }

    var payload: [UInt8] { [UInt8](numbers: [UInt64(bitPattern: amount)]) }

    func heard(in turn: inout Turn) -> [Effect] { [turn.add(amount)] }
}

/// Has a home pay another one.
struct Pay: HomeMessage {
    static let kind: StaticText = "purses.pay"
    let amount: Int64
    let receiver: HomeAddress

    init(_ amount: Int64, to receiver: HomeAddress) {
        self.amount = amount
        self.receiver = receiver
    }

    init(payload: [UInt8], register: FeatureRegister) {
        let numbers = payload.numbers
        self.init(Int64(bitPattern: numbers[0]), to: .space(SpaceID(rawValue: numbers[1])))
    }

    var payload: [UInt8] { [UInt8](numbers: [UInt64(bitPattern: amount), receiver.number]) }

    func heard(in turn: inout Turn) -> [Effect] {
        guard turn.coins >= amount else { return [] }
        return [turn.add(-amount), .send(receiver, Coins(amount))]
    }
}

/// Coins on their way. The payer has taken them out when it sends them, and puts them back when they are not taken.
struct Coins: DurableMessage {
    static let kind: StaticText = "purses.coins"
    static let lifetime = Duration.seconds(5)
    /// More than this a purse does not hold.
    static let max: Int64 = 1_500

    let amount: Int64

    init(_ amount: Int64) { self.amount = amount }

    init(payload: [UInt8], in turn: Turn) throws(ColumnFault) {
        guard let amount = payload.numbers.first else { throw ColumnFault(0, .unreadable) }
        self.amount = Int64(bitPattern: amount)
    }

    func payload(in turn: Turn) -> [UInt8] { [UInt8](numbers: [UInt64(bitPattern: amount)]) }

    func heard(in turn: inout Turn) -> MessageVerdict {
        guard turn.coins + amount <= Self.max else { return .declined([.count("declined")]) }
        return .accepted([turn.add(amount), .count("accepted")])
    }

    func recalled(in turn: inout Turn) {}

    func delivered(in turn: inout Turn) -> [Effect] { [.count("delivered")] }

    func failed(_ failure: MessageFailure, in turn: inout Turn) -> [Effect] { [turn.add(amount), .count("failed")] }
}

import CairnGeo
import CairnTesting
import CairnWire

@testable import CairnCore

/// Homes with coins that pay each other: a feature for tests only. Whatever crashes, the number of coins in all homes
/// and under way stays the same.
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
    /// The coins in the home's purse when all writes under way have committed.
    var coins: Int64 {
        core.turn.coins
    }
}

/// Creates coins.
struct Fund: HomeMessage {
    static let kind: StaticText = "purses.fund"
    let amount: Int64

    init(_ amount: Int64) { self.amount = amount }

    init(payload: [UInt8], register: FeatureRegister) { amount = Int64(bitPattern: payload.numbers[0]) }

    var payload: [UInt8] { [UInt8](numbers: [UInt64(bitPattern: amount)]) }

    func heard(in turn: inout Turn) -> [Effect] { [turn.add(amount)] }
}

/// Makes a home pay another one.
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

/// Coins under way. The payer takes them out when it sends them, and puts them back if they are not accepted.
struct Coins: DurableMessage {
    static let kind: StaticText = "purses.coins"
    static let lifetime = Duration.seconds(5)
    /// Most coins of a purse.
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

import CairnTesting
import CairnWire

@testable import CairnCore

/// Two homes that pay each other over a real store, while homes crash, turns are refused, and messages are lost,
/// duplicated and reordered, all by seed. At the end no coin may be lost or created.
struct MessageModel {
    /// A deliberate fault of the model, to test that the check detects it.
    enum Fault {
        /// The payer's row of a message does not reach the disk.
        case outboxIsNotWritten
        /// The receiver's row does not reach the disk.
        case inboxIsNotWritten
    }

    private let addresses: [HomeAddress]
    private let disk: TemporaryStore
    private let fault: Fault?
    private let identifiers = IdentifierIssuer()
    private var chance: SeededRandom
    private var time = ManualTime()
    private var homes: [HomeBench] = []
    /// Counts a home's lives: an answer to one life is not delivered to another.
    private var lives = [0, 0]
    /// The units that homes have submitted to the store, in order.
    private var units: [(home: Int, life: Int, batch: HomeBench.Batch)] = []
    private var network: [(home: HomeAddress, message: any HomeMessage)] = []
    private var reads: [(home: Int, life: Int, inquiry: any HomeInquiry, rows: [Row]?, query: Query)] = []
    private(set) var deaths = 0

    static let funds: Int64 = 1_000

    /// - Parameter number: distinguishes runs over one store.
    init(number: UInt64, seed: UInt64, disk: TemporaryStore, fault: Fault? = nil) {
        addresses = [2 * number + 2, 2 * number + 3].map { .space(SpaceID(rawValue: $0)) }
        self.disk = disk
        self.fault = fault
        chance = SeededRandom(seed)
    }

    /// One run.
    /// - Returns: the fault at the end; nil = none.
    mutating func run(steps: Int) async throws -> String? {
        for address in addresses { homes.append(made(address)) }
        for index in homes.indices {
            homes[index].hear(Fund(Self.funds))
            handOver(index)
        }
        try await commit(.max)
        for _ in 0..<steps { try await step() }
        try await calmDown()
        return try await complaint()
    }

    private func made(_ address: HomeAddress) -> HomeBench {
        .make(address, disk: .later, register: Purses.register, identifiers: identifiers, time: time)
    }

    // MARK: Steps

    private mutating func step() async throws {
        let index = Int.random(in: 0...1, using: &chance)
        switch Int.random(in: 0..<100, using: &chance) {
        case 0..<22:
            let amount = Int64.random(in: 1...400, using: &chance)
            let receiver = addresses[1 - index]
            perform(index) { $0.hear(Pay(amount, to: receiver)) }
        case 22..<50: try await commit(Int.random(in: 1...3, using: &chance))
        case 50..<72: hear(isDoubled: Bool.random(using: &chance))
        case 72..<77: if !network.isEmpty { network.remove(at: Int.random(in: network.indices, using: &chance)) }
        case 77..<87: try await answer()
        case 87..<93:
            time.advance(.milliseconds(Int.random(in: 1...2_500, using: &chance)))
            for index in homes.indices { perform(index) { $0.fireTimers() } }
        case 93..<96: try await die(index)
        case 96..<97: refuseNext()
        case 97..<98:
            // The process dies: all of its memory is lost.
            network = []
            for index in homes.indices { try await die(index) }
        default: time.advance(.milliseconds(Int.random(in: 1...300, using: &chance)))
        }
        try await renew()
    }

    private mutating func perform(_ index: Int, _ body: (inout HomeBench) -> [HomeCore.Action]) {
        homes[index].time = time
        let left = body(&homes[index])
        carryOut(left, of: index)
        handOver(index)
    }

    private mutating func carryOut(_ actions: [HomeCore.Action], of index: Int) {
        network += actions.tells
        reads += actions.inquiries.map { (index, lives[index], $0.inquiry, nil, $0.query) }
    }

    /// Puts the home's unit into the store's queue.
    private mutating func handOver(_ index: Int) {
        let known = units.filter { $0.home == index && $0.life == lives[index] }.count
        units += homes[index].pending.dropFirst(known).map { (index, lives[index], $0) }
    }

    private mutating func hear(isDoubled: Bool) {
        guard !network.isEmpty else { return }
        let chosen = Int.random(in: network.indices, using: &chance)
        let (address, message) = network[chosen]
        if !isDoubled || network.count > 30 { network.remove(at: chosen) }
        guard let index = addresses.firstIndex(of: address) else { return }
        perform(index) { $0.hear(message) }
    }

    /// The store saves the oldest waiting units.
    private mutating func commit(_ count: Int) async throws {
        for _ in 0..<min(count, units.count) {
            guard !units.isEmpty else { return }
            let (index, life, batch) = units.removeFirst()
            let isTaken: Bool
            do {
                try await disk.commit(batch.statements.filter(isWritten))
                isTaken = true
            } catch {
                isTaken = false
            }
            guard life == lives[index] else { continue }
            decided(index, isTaken: isTaken)
        }
    }

    private func isWritten(_ statement: Statement) -> Bool {
        switch fault {
        case nil: true
        case .outboxIsNotWritten: !statement.sql.text.contains("INTO timers")
        case .inboxIsNotWritten: !statement.sql.text.contains("INTO messages_heard")
        }
    }

    private mutating func decided(_ index: Int, isTaken: Bool) {
        homes[index].time = time
        guard !isTaken else { return carryOut(homes[index].commit(turns: 1), of: index) }
        // Later units of the home depend on it and are voided, too.
        units.removeAll { $0.home == index && $0.life == lives[index] }
        carryOut(homes[index].refuse(), of: index)
        carryOut(homes[index].void(), of: index)
    }

    /// The store refuses the oldest unit for good.
    private mutating func refuseNext() {
        guard !units.isEmpty else { return }
        let (index, life, _) = units.removeFirst()
        if life == lives[index] { decided(index, isTaken: false) }
    }

    /// The store answers one query, by its state at the time of the query or by its present state.
    private mutating func answer() async throws {
        for place in reads.indices where reads[place].rows == nil && Bool.random(using: &chance) {
            reads[place].rows = try await disk.read(reads[place].query)[0]
        }
        guard !reads.isEmpty else { return }
        let read = reads.remove(at: Int.random(in: reads.indices, using: &chance))
        guard read.life == lives[read.home] else { return }
        let isUnreadable = Int.random(in: 0..<20, using: &chance) == 0
        var rows = read.rows
        if rows == nil { rows = try await disk.read(read.query)[0] }
        let answer = isUnreadable ? nil : rows
        perform(read.home) { $0.learn(read.inquiry, rows: answer) }
    }

    private mutating func die(_ index: Int) async throws {
        deaths += 1
        // Submitted units are decided before the home wakes, or were lost with it.
        if Bool.random(using: &chance) { try await commit(.max) }
        units.removeAll { $0.home == index }
        lives[index] += 1
        if Bool.random(using: &chance) { time.advance(.milliseconds(Int.random(in: 0...6_000, using: &chance))) }
        try await wake(index)
    }

    private mutating func wake(_ index: Int) async throws {
        homes[index] = made(addresses[index])
        homes[index].restore(try await disk.stored(in: addresses[index]))
        perform(index) { $0.fireTimers() }
    }

    /// Homes that have lost a turn are loaded again.
    private mutating func renew() async throws {
        for index in homes.indices where homes[index].core.isLost && homes[index].core.isQuiet {
            units.removeAll { $0.home == index }
            lives[index] += 1
            try await wake(index)
        }
    }

    // MARK: The end

    /// No further crashes and losses: everything under way is completed.
    private mutating func calmDown() async throws {
        for _ in 0..<40 {
            for _ in 0..<200 where !(network.isEmpty && reads.isEmpty && units.isEmpty) {
                try await commit(.max)
                if !network.isEmpty { hear(isDoubled: false) }
                if !reads.isEmpty { try await answer() }
                try await renew()
            }
            time.advance(.milliseconds(1_000))
            for index in homes.indices { perform(index) { $0.fireTimers() } }
            try await renew()
        }
    }

    private func complaint() async throws -> String? {
        var total: Int64 = 0
        for (index, address) in addresses.enumerated() {
            let stored = try await disk.stored(in: address)
            let coins = try stored[0][0].first?.integer(1) ?? 0
            total += coins
            let home = homes[index]
            if home.coins != coins { return "home \(index) has \(home.coins) coins in memory and \(coins) on disk" }
            if home.core.messagesUnderWay > 0 || !home.core.isQuiet { return "home \(index) still waits for a message" }
            if !stored[1][0].isEmpty { return "\(stored[1][0].count) messages of home \(index) are left on disk" }
        }
        return total == 2 * Self.funds ? nil : "\(total) coins of \(2 * Self.funds)"
    }
}

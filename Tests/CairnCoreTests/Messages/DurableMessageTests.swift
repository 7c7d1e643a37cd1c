import CairnTesting
import CairnWire
import Testing

@testable import CairnCore

/// Durable messages: stored with their turn, delivered until they are decided, decided once.
@Suite("Durable messages")
struct DurableMessageTests {
    private static let receiver = HomeAddress.space(SpaceID(rawValue: 2))

    /// A payer with 100 coins, and its receiver.
    private static func make(_ disk: HomeBench.Disk = .now) -> (payer: HomeBench, receiver: HomeBench) {
        var time = ManualTime()
        let receiver = HomeBench.make(Self.receiver, disk: disk, register: Purses.register, time: time)
        // Later than the receiver's birth: no earlier life of it can have received a message that is sent now.
        time.advance(.milliseconds(1))
        var payer = HomeBench.make(.space(SpaceID(rawValue: 1)), disk: disk, register: Purses.register, time: time)
        payer.hear(Fund(100))
        payer.commit()
        var late = receiver
        late.time = time
        return (payer, late)
    }

    private static func delivery(_ actions: [HomeCore.Action]) throws -> MessageDelivery {
        try #require(actions.tells.first?.message as? MessageDelivery)
    }

    @Test func message_leaves_whenItsRowIsOnDisk() throws {
        var (payer, _) = Self.make(.later)
        #expect(payer.hear(Pay(10, to: Self.receiver)).isEmpty)
        let written = payer.pending.last?.statements.map { String($0.sql.text.prefix(18)) }
        #expect(written == ["INSERT INTO purses", "INSERT INTO timers"])
        #expect(payer.commit().tells.map(\.home) == [Self.receiver])
    }

    @Test func message_isHeardOnce_howeverOftenItComes() throws {
        var (payer, receiver) = Self.make()
        let delivery = try Self.delivery(payer.hear(Pay(10, to: Self.receiver)))
        for _ in 1...3 {
            let told = receiver.hear(delivery).tells
            #expect(told.map { ($0.message as? MessageAcknowledgement)?.outcome } == [.accepted])
        }
        #expect(receiver.coins == 10)
    }

    @Test func acknowledgement_leaves_whenTheDecisionIsOnDisk() throws {
        var (payer, receiver) = Self.make(.later)
        payer.hear(Pay(10, to: Self.receiver))
        let delivery = try Self.delivery(payer.commit())
        #expect(receiver.hear(delivery).isEmpty)
        #expect(receiver.hear(delivery).isEmpty, "nor does that of a copy")
        #expect(receiver.commit().tells.count == 2)
    }

    @Test func declinedMessage_comesBackOnce() throws {
        var (payer, receiver) = Self.make()
        receiver.hear(Fund(Coins.max))
        let delivery = try Self.delivery(payer.hear(Pay(10, to: Self.receiver)))
        let answer = try #require(receiver.hear(delivery).tells.first?.message)
        for _ in 1...2 { payer.hear(answer) }
        #expect(payer.coins == 100 && receiver.coins == Coins.max)
    }

    @Test func undecidedMessage_isDeliveredAgain_afterPausesThatGrow() throws {
        var (payer, _) = Self.make()
        payer.hear(Pay(10, to: Self.receiver))
        var times: [Int] = []
        for millisecond in 0..<4_900 {
            if payer.fireTimers().tells.contains(where: { $0.message is MessageDelivery }) { times.append(millisecond) }
            payer.time.advance(.milliseconds(1))
        }
        #expect(times == [1_000, 3_000])
    }

    @Test func messageOfAHomeThatDied_isDeliveredWhenItWakes_andIsARepeat() throws {
        var (payer, _) = Self.make()
        payer.hear(Pay(10, to: Self.receiver))
        var woken = HomeBench.make(payer.core.address, register: Purses.register, time: payer.time)
        woken.restore([[], [Self.timerRows(payer)]])
        #expect(woken.core.messagesUnderWay == 1)
        let delivery = try Self.delivery(woken.fireTimers())
        #expect(delivery.envelope.isRepeat)
    }

    /// The stored timers of a home.
    private static func timerRows(_ home: HomeBench) -> [Row] {
        home.kept.flatMap(\.statements).filter { $0.sql.text.contains("INTO timers") }.map(read)
    }

    /// The row of an insertion, as it is read.
    private static func read(_ insertion: Statement) -> Row {
        Row(insertion.arguments.map { if case .fingerprint = $0 { SQLValue.blob([0]) } else { $0 } })
    }

    @Test func repeat_isHeardOnlyWhenTheStoreKnowsNothingOfIt() throws {
        var (payer, receiver) = Self.make()
        payer.hear(Pay(10, to: Self.receiver))
        var woken = HomeBench.make(payer.core.address, register: Purses.register, time: payer.time)
        woken.restore([[], [Self.timerRows(payer)]])
        let delivery = try Self.delivery(woken.fireTimers())
        let asked = receiver.hear(delivery).inquiries
        #expect(asked.count == 1 && receiver.coins == 0)
        receiver.learn(asked[0].inquiry, rows: [])
        #expect(receiver.coins == 10)
    }

    @Test func copyAfterTheDeadline_isNotHeard() throws {
        var (payer, receiver) = Self.make()
        let delivery = try Self.delivery(payer.hear(Pay(10, to: Self.receiver)))
        receiver.time.advance(.seconds(5))
        #expect(receiver.hear(delivery).isEmpty && receiver.coins == 0)
    }

    @Test func undecidedMessage_isWithdrawnAtItsDeadline_andTheStoreSaysWhoWasFirst() throws {
        var (payer, _) = Self.make()
        payer.hear(Pay(10, to: Self.receiver))
        payer.time.advance(.seconds(5))
        let asked = payer.fireTimers().inquiries
        #expect(asked.count == 1 && payer.coins == 90, "nothing is known yet")
        let row = try #require(payer.kept.flatMap(\.statements).last { $0.sql.text.contains("messages_heard") })
        payer.learn(asked[0].inquiry, rows: [Self.read(row)])
        #expect(payer.coins == 100 && payer.core.messagesUnderWay == 0)
    }

    @Test func storeThatCannotBeAsked_isAskedAgain() {
        var (payer, _) = Self.make()
        payer.hear(Pay(10, to: Self.receiver))
        payer.time.advance(.seconds(5))
        for _ in 1...3 {
            let asked = payer.fireTimers().inquiries
            #expect(asked.count == 1)
            if let first = asked.first { payer.learn(first.inquiry, rows: nil) }
            payer.time.advance(.seconds(1))
        }
        #expect(payer.coins == 90)
    }

    @Test func rowsOfAMessage_goWhenNobodyCanHearItAnyMore() throws {
        var (payer, receiver) = Self.make()
        let delivery = try Self.delivery(payer.hear(Pay(10, to: Self.receiver)))
        payer.hear(try #require(receiver.hear(delivery).tells.first?.message))
        payer.time.advance(.milliseconds(5_999))
        payer.fireTimers()
        #expect(!payer.core.isQuiet, "so long the payer stays awake")
        payer.time.advance(.milliseconds(1))
        payer.fireTimers()
        #expect(payer.core.isQuiet)
        let last = try #require(payer.kept.last?.statements.map { String($0.sql.text.prefix(27)) })
        #expect(last.sorted() == ["DELETE FROM messages_heard ", "DELETE FROM timers WHERE ho"])
    }

    @Test func receiverThatIsLost_saysThatItHasNotHeard() throws {
        var (payer, receiver) = Self.make(.later)
        payer.hear(Pay(10, to: Self.receiver))
        let delivery = try Self.delivery(payer.commit())
        receiver.hear(delivery)
        let told = receiver.refuse().tells
        #expect(told.map { ($0.message as? MessageUnheard)?.failure } == [.refused])
        payer.hear(try #require(told.first?.message))
        #expect(payer.commit().inquiries.count == 1, "it is withdrawn before its deadline")
    }

    @Test func wireForm_saysAllThatAMessageSays() throws {
        var (payer, receiver) = Self.make()
        let delivery = try Self.delivery(payer.hear(Pay(10, to: Self.receiver)))
        receiver.hear(try MessageDelivery(payload: delivery.payload, register: Purses.register))
        #expect(receiver.coins == 10)
        let word = MessageAcknowledgement(id: delivery.envelope.id, outcome: .declined)
        let read = try MessageAcknowledgement(payload: word.payload, register: Purses.register)
        #expect(read.id == word.id && read.outcome == word.outcome)
        let unheard = MessageUnheard(id: delivery.envelope.id, failure: .refused)
        let again = try MessageUnheard(payload: unheard.payload, register: Purses.register)
        #expect(again.id == unheard.id && again.failure == unheard.failure)
    }

    @Test func messageOfAnUnknownKind_isDeclined() throws {
        var (payer, receiver) = Self.make()
        let delivery = try Self.delivery(payer.hear(Pay(10, to: Self.receiver)))
        var stranger = HomeBench.make(Self.receiver, register: FeatureRegister([]), time: receiver.time)
        stranger.time.advance(.milliseconds(1))
        let bytes = try MessageDelivery(payload: delivery.payload, register: Purses.register)
        var told = stranger.hear(bytes)
        if let asked = told.inquiries.first { told = stranger.learn(asked.inquiry, rows: []) }
        #expect(told.tells.map { ($0.message as? MessageAcknowledgement)?.outcome } == [.declined])
        receiver = stranger
    }

    @Test func kindThatTwoFeaturesDeclare_trapsAtStart() async {
        await #expect(processExitsWith: .failure) { _ = FeatureRegister([Purses.self, Purses.self]) }
    }
}

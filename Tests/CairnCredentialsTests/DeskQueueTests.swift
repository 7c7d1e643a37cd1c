import CairnTime
import Testing

@testable import CairnCredentials

/// Who is next at the desk, and who loses their place (ACC-4): fair by address, account and device.
@Suite struct DeskQueueTests {
    private typealias Asker = PasswordDesk.Asker

    private func stranger(_ address: UInt64, _ name: UInt64 = 1) -> Asker {
        Asker(.stranger, at: LimitKey(address), as: LimitKey(name))
    }

    private func familiar(_ account: UInt64, at address: UInt64 = 1) -> Asker {
        Asker(.familiar, at: LimitKey(address), as: LimitKey(account))
    }

    /// Fills the queue with jobs that are numbered in the order of coming.
    private func append(_ askers: [Asker], to queue: inout DeskQueue<Int>, from first: Int = 0, at second: Int64 = 100)
    {
        for (place, asker) in askers.enumerated() {
            _ = queue.append(
                .init(id: UInt64(first + place), asker: asker, since: .at(second), job: first + place))
        }
    }

    private func serve(_ count: Int, _ queue: inout DeskQueue<Int>, at second: Int64 = 100) -> [Int] {
        (0..<count).compactMap { _ in queue.next(at: .at(second))?.job }
    }

    @Test func addresses_takeTurns_howeverManyJobsOneHas() {
        var queue = DeskQueue<Int>(bounds: .init())
        append([stranger(1), stranger(1), stranger(1), stranger(2), stranger(3)], to: &queue)
        #expect(serve(6, &queue) == [0, 3, 4, 1, 2])
    }

    @Test func namesOfOneAddress_takeTurns() {
        var queue = DeskQueue<Int>(bounds: .init())
        append([stranger(1, 7), stranger(1, 7), stranger(1, 7), stranger(1, 8)], to: &queue)
        #expect(serve(4, &queue) == [0, 3, 1, 2])
    }

    @Test func accounts_takeTurns_fromWhereverTheyCome() {
        var queue = DeskQueue<Int>(bounds: .init())
        append([familiar(1, at: 1), familiar(1, at: 2), familiar(1, at: 3), familiar(2, at: 1)], to: &queue)
        #expect(serve(4, &queue) == [0, 3, 1, 2])
    }

    @Test func newcomer_isServedBeforeThoseWhoAskAllTheTime() {
        var queue = DeskQueue<Int>(bounds: .init())
        // Fifty accounts at fifty addresses, whose first jobs were served.
        let crowd = (1...50).map { familiar(UInt64($0), at: UInt64($0)) }
        append(crowd, to: &queue)
        _ = serve(50, &queue)
        append(crowd, to: &queue, from: 100, at: 101)
        append([stranger(99)], to: &queue, from: 200, at: 102)
        #expect(queue.ahead(of: stranger(98), at: .at(102)) == 1)
        #expect(serve(1, &queue, at: 102) == [200])
    }

    @Test func debt_endsWithTime() {
        var queue = DeskQueue<Int>(bounds: .init())
        append([stranger(1)] + (0..<20).map { stranger(2, $0) }, to: &queue)
        _ = serve(21, &queue)
        // The one who asked twenty times is a minute behind, and nobody is longer.
        append([stranger(2)], to: &queue, from: 100, at: 100)
        append([stranger(1)], to: &queue, from: 101, at: 100)
        #expect(serve(2, &queue, at: 100) == [101, 100])
        append([stranger(2)], to: &queue, from: 102, at: 161)
        append([stranger(1)], to: &queue, from: 103, at: 162)
        #expect(serve(2, &queue, at: 162) == [102, 103])
    }

    @Test func knownDevice_standsBeforeOthersWhoCameABitEarlier() {
        var queue = DeskQueue<Int>(bounds: .init())
        append([stranger(1), familiar(5)], to: &queue)
        append([Asker(.device, at: LimitKey(1), as: LimitKey(6))], to: &queue, from: 9)
        #expect(serve(3, &queue) == [9, 0, 1])
    }

    @Test func fullLane_dropsTheLastOfWhoHasTheMost() throws {
        var queue = DeskQueue<Int>(bounds: .init(strangersMax: 4))
        append([stranger(1), stranger(2), stranger(1), stranger(1)], to: &queue)
        guard case .replaced(let lost) = queue.append(.init(id: 10, asker: stranger(3), since: .at(101), job: 10))
        else {
            Issue.record("the newcomer was refused")
            return
        }
        #expect(lost.job == 3)
        guard case .refused = queue.append(.init(id: 11, asker: stranger(1), since: .at(101), job: 11)) else {
            Issue.record("who has the most got one more")
            return
        }
        // The lanes have their room each.
        guard case .taken = queue.append(.init(id: 12, asker: familiar(1), since: .at(101), job: 12)) else {
            Issue.record("strangers filled the lane of others")
            return
        }
        #expect(queue.count == 5 && serve(5, &queue, at: 101) == [0, 1, 10, 12, 2])
    }

    @Test func debts_areBounded() {
        var queue = DeskQueue<Int>(bounds: .init())
        for number in 0..<UInt64(2 * DeskQueue<Int>.ownersMax) {
            append([familiar(number)], to: &queue, from: Int(number))
            _ = serve(1, &queue)
        }
        #expect(queue.owners == DeskQueue<Int>.ownersMax)
        append([familiar(1)], to: &queue, at: 200)
        _ = serve(1, &queue, at: 200)
        append([familiar(.max)], to: &queue, at: 200)
        _ = serve(1, &queue, at: 200)
        #expect(queue.owners == 2)
    }
}

/// Mails to a mailbox (ACC-10): bounded by mailbox, and no flood keeps anybody from a link that works.
@Suite struct MailboxLimiterTests {
    private let mailbox = LimitKey(1)

    private func admits(_ limiter: MailboxLimiter, _ second: Int64, _ mailbox: LimitKey? = nil) -> Bool {
        limiter.admit(mailbox ?? self.mailbox, linkLifetime: .seconds(1_800), now: .at(second))
    }

    @Test func mailbox_getsOneMailInAPause() {
        let limiter = MailboxLimiter(pause: .seconds(300), perDayMax: 10)
        #expect(admits(limiter, 0) && !admits(limiter, 0) && !admits(limiter, 299) && admits(limiter, 300))
        #expect(admits(limiter, 0, LimitKey(2)) && limiter.figures.withheld == 2)
    }

    @Test func flood_sendsFewMails_andALinkIsAlwaysGood() {
        let limiter = MailboxLimiter(pause: .seconds(300), perDayMax: 10)
        let sent = (0..<86_400).map(Int64.init).filter { admits(limiter, $0) }
        #expect(sent.count <= 10 + 86_400 / 1_800)
        for (one, next) in zip(sent, sent.dropFirst()) { #expect(next - one <= 1_800 && next - one >= 300) }
    }

    @Test func usedLink_isFollowedByAnother() {
        let limiter = MailboxLimiter(pause: .seconds(300), perDayMax: 1)
        #expect(admits(limiter, 0) && !admits(limiter, 400))
        limiter.release(mailbox)
        #expect(admits(limiter, 401))
    }

    @Test func burst_isForThoseWhoMistype() {
        let limiter = MailboxLimiter(burstMax: 3, pause: .seconds(300), perDayMax: 10)
        #expect((0..<50).filter { _ in admits(limiter, 0) }.count == 3)
        #expect(!admits(limiter, 899) && admits(limiter, 900))
    }

    @Test func mailThatWasNotStored_isTakenBack_andTheOthersCount() {
        let limiter = MailboxLimiter(burstMax: 2, pause: .seconds(300), perDayMax: 10)
        #expect(admits(limiter, 0) && admits(limiter, 1) && !admits(limiter, 2))
        #expect(limiter.wait(mailbox, now: .at(2)) == .seconds(598))
        limiter.withdraw(mailbox, at: .at(1))
        #expect(limiter.wait(mailbox, now: .at(2)) == .zero)
        #expect(admits(limiter, 2) && !admits(limiter, 3))
    }

    @Test func waitBeyondTheMailsOfADay_isThatOfTheLastLink() {
        let limiter = MailboxLimiter(pause: .seconds(300), perDayMax: 1)
        #expect(admits(limiter, 0) && !admits(limiter, 400))
        #expect(limiter.wait(mailbox, now: .at(400)) == .seconds(1_400))
        #expect(limiter.wait(mailbox, now: .at(1_800)) == .zero)
    }

    @Test func noPause_isNoPause() {
        let limiter = MailboxLimiter(pause: .zero, perDayMax: 5)
        #expect((0..<9).filter { _ in admits(limiter, 0) }.count == 5)
    }
}

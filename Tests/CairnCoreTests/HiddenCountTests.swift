import CairnTesting
import CairnWire
import Testing

@testable import CairnCore

/// The count of others who do not share their position (VIS-9).
@Suite("HiddenCount")
struct HiddenCountTests {
    private var count = HiddenCount(hiddenBelow: 3)

    private mutating func enter(_ numbers: UInt64...) {
        for number in numbers { count.enter(.make(number), isHidden: true) }
    }

    /// The count that a receiver gets with the news; nil = none.
    private mutating func news(for account: AccountID = .stranger) -> Int? {
        count.takeNews()?.people(for: account)
    }

    @Test mutating func fewerThan3_areSentAs0() {
        enter(1, 2)
        #expect(!count.hasNews)
        #expect(news() == nil)
    }

    @Test mutating func fromThe3rdOn_areSent() {
        enter(1, 2, 3)
        #expect(news() == 3)
        enter(4)
        #expect(news() == 4)
    }

    @Test mutating func countThatFallsBelow3_isTakenBack() {
        enter(1, 2, 3)
        _ = news()
        count.leave(.make(3), isHidden: true)
        #expect(news() == 0)
    }

    @Test mutating func ownAccount_doesNotCountForItself() {
        enter(1, 2, 3, 7)
        #expect(count.takeNews()?.people(for: .make(7)) == 3)
        count.leave(.make(1), isHidden: true)
        #expect(count.takeNews()?.people(for: .make(7)) == 0)
    }

    /// An account with several connections cannot detect one stranger (findings B2).
    @Test(arguments: 0...2)
    func ownConnections_howeverMany_makeNoStrangerKnown(strangers: UInt64) {
        var count = HiddenCount(hiddenBelow: 3)
        for number in 0..<strangers { count.enter(.make(number), isHidden: true) }
        for _ in 0..<5 {
            count.enter(.make(7), isHidden: true)
            #expect(count.takeNews()?.people(for: .make(7)) == nil)
            #expect(count.lastTold(to: .make(7)) == 0)
        }
        for _ in 0..<5 {
            count.leave(.make(7), isHidden: true)
            #expect(count.takeNews()?.people(for: .make(7)) == nil)
        }
    }

    @Test mutating func connectionsOfOneAccount_areOnePerson() {
        for _ in 0..<5 { enter(1) }
        enter(2, 3)
        #expect(news() == 3)
        for _ in 0..<4 { count.leave(.make(1), isHidden: true) }
        #expect(!count.hasNews)
    }

    @Test mutating func whoSharesWithAnotherConnection_isListedAndNotCounted() {
        enter(1, 2, 3)
        count.enter(.make(3), isHidden: false)
        #expect(news() == nil)
        count.leave(.make(3), isHidden: false)
        #expect(news() == 3)
    }

    @Test mutating func ownComingAndGoing_isNoNewsForOneself() {
        enter(1, 2, 3)
        #expect(count.takeNews()?.people(for: .make(7)) == 3)
        enter(7)
        let news = count.takeNews()
        #expect(news?.people(for: .make(7)) == nil)
        #expect(news?.people(for: .stranger) == 4)
    }

    @Test mutating func whoComesAndGoesBetweenTwoTellings_isNoNews() {
        enter(1, 2, 3)
        _ = news()
        enter(4)
        count.leave(.make(4), isHidden: true)
        #expect(!count.hasNews)
    }

    @Test mutating func keyframe_hasTheCountToWhichTheNextNewsApply() {
        enter(1, 2, 3)
        _ = news()
        enter(4)
        #expect(count.lastTold(to: .stranger) == 3)
        #expect(news() == 4)
    }

    @Test mutating func anotherThreshold_isNews() {
        enter(1, 2, 3)
        _ = news()
        count.hiddenBelow = 5
        #expect(news() == 0)
    }

    /// After any changes and each sent count every receiver has the number of others, or 0 when they are few.
    @Test(arguments: 0..<20)
    func everyReceiver_knowsTheNumberOfOthers_orNothing(seed: UInt64) {
        var random = SeededRandom(seed)
        var count = HiddenCount(hiddenBelow: 3)
        var connections: [(account: UInt64, isHidden: Bool)] = []
        let receivers: [UInt64] = Array(0..<8)
        var told = [Int](repeating: 0, count: receivers.count)
        for _ in 0..<300 {
            if connections.isEmpty || Bool.random(using: &random) {
                let account = UInt64.random(in: 0..<6, using: &random)
                let isHidden = Int.random(in: 0..<4, using: &random) > 0
                connections.append((account, isHidden))
                count.enter(.make(account), isHidden: isHidden)
            } else {
                let gone = connections.remove(at: Int.random(in: 0..<connections.count, using: &random))
                count.leave(.make(gone.account), isHidden: gone.isHidden)
            }
            guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
            let news = count.takeNews()
            let listed = Set(connections.filter { !$0.isHidden }.map(\.account))
            let hidden = Set(connections.map(\.account)).subtracting(listed)
            for (index, receiver) in receivers.enumerated() {
                if let people = news?.people(for: .make(receiver)) {
                    #expect(people != told[index], "told again what was known")
                    told[index] = people
                }
                let others = hidden.subtracting([receiver]).count
                #expect(told[index] == (others < 3 ? 0 : others))
                #expect(count.lastTold(to: .make(receiver)) == told[index])
            }
        }
    }
}

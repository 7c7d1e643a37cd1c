import CairnTime
import Testing

@testable import CairnCrowd

/// The rule on friends detects a list that does not follow from the acknowledgements (FRD-5).
@Suite struct FriendRuleTests: DoctoredLogs {
    private func change(gains: Bool, _ asked: Int, _ answered: Int?) -> Observation {
        let progress = answered.map { RightChange.Progress.acknowledged(at: second($0)) } ?? .underWay
        return .did(
            bot: 0,
            FriendDeed(
                change: FriendDeed.Change(
                    pair: FriendBook.Pair(1, 0), isGain: gains, requestedAt: second(asked), progress: progress)))
    }

    private func listed(by bot: Int, _ friends: Int..., at: Int) -> Observation {
        .did(
            bot: bot,
            FriendDeed(
                listing: FriendDeed.Listing(
                    friends: Set(friends), requestedAt: second(at), acknowledgedAt: second(at + 1))))
    }

    @Test func listOfTheAcknowledgedFriends_breaksNoRule() {
        let log = [change(gains: true, 1, 2), listed(by: 0, 1, at: 3), listed(by: 1, 0, at: 3)]
        #expect(judge(log + [change(gains: false, 5, 6), listed(by: 0, at: 7)], []).isEmpty)
    }

    @Test func friendWhoIsNotListed_orListedAndNone_isCaught() {
        #expect(judge([change(gains: true, 1, 2), listed(by: 1, at: 3)], []) == ["friends_differ": 1])
        #expect(judge([listed(by: 1, 0, at: 3)], []) == ["friends_differ": 1])
        let ended = [change(gains: true, 1, 2), change(gains: false, 3, 4), listed(by: 0, 1, at: 5)]
        #expect(judge(ended, []) == ["friends_differ": 1])
    }

    @Test func changeUnderWay_mayBeInTheListOrNot() {
        let log = [change(gains: true, 1, nil), listed(by: 0, at: 3), listed(by: 0, 1, at: 3)]
        #expect(judge(log, []).isEmpty)
    }

    @Test func book_knowsWhoHasAskedWhom_exceptWhileAChangeIsUnderWay() {
        let (book, pair) = (FriendBook(), FriendBook.Pair(3, 1))
        book.set(pair, to: .asked(by: 3))
        #expect(book.askers(of: 1) == [3] && book.asked(by: 3) == [1] && book.askers(of: 3).isEmpty)
        book.begin(pair)
        #expect(book.askers(of: 1).isEmpty)
        book.end(pair)
        book.set(pair, to: .friends)
        #expect(book.friends(of: 1) == [3] && book.friends(of: 3) == [1])
        book.set(pair, to: nil)
        #expect(book.friends(of: 1).isEmpty && book.state(pair) == nil)
    }
}

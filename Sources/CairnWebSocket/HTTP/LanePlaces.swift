internal import CairnTime

/// Who has the places of a `BulkLane`, and who gives way when all are taken. A value without threads and clock.
///
/// A client has at most its share. An answer weighs as many as the answers of its client are, or those of its account
/// if these are more. When no place is free, a newcomer gets that of an answer that weighs the most, if its own would
/// weigh less: so nobody loses a place to somebody who then has as many. Of several answers the one gives way whose
/// reader was ready for more the longest ago.
struct LanePlaces: Sendable {
    /// One answer under way.
    struct Answer: Sendable {
        /// The client that it counts for; nil = unknown.
        let client: PeerAddress?
        /// The account that it counts for; nil = none.
        let account: UInt64?
        /// When its reader was last ready for more.
        var wanted: MonotonicTime
        /// Ends it, from any thread.
        let giveWay: @Sendable () -> Void
    }

    /// What a newcomer gets.
    enum Admission: Sendable {
        /// A place, and the answer that gives way for it; nil = one was free.
        case place(UInt64, instead: Answer?)
        case refused
    }

    private let answersMax: Int
    private let perClientMax: Int
    private var answers: [UInt64: Answer] = [:]
    private var byClient: [PeerAddress: Int] = [:]
    private var byAccount: [UInt64: Int] = [:]
    private var last: UInt64 = 0

    init(answersMax: Int, perClientMax: Int) {
        (self.answersMax, self.perClientMax) = (answersMax, perClientMax)
    }

    /// Answers under way.
    var count: Int { answers.count }

    mutating func admit(_ new: Answer) -> Admission {
        guard new.client.map({ byClient[$0, default: 0] }) ?? 0 < perClientMax else { return .refused }
        var instead: Answer?
        if answers.count >= answersMax {
            guard let heaviest = heaviest(for: new) else { return .refused }
            instead = answers[heaviest]
            leave(heaviest)
        }
        last += 1
        answers[last] = new
        if let client = new.client { byClient[client, default: 0] += 1 }
        if let account = new.account { byAccount[account, default: 0] += 1 }
        return .place(last, instead: instead)
    }

    /// An answer is over. One that has given way has no place any more.
    mutating func leave(_ number: UInt64) {
        guard let answer = answers.removeValue(forKey: number) else { return }
        if let client = answer.client { Self.take(client, from: &byClient) }
        if let account = answer.account { Self.take(account, from: &byAccount) }
    }

    /// The reader of an answer is ready for more.
    mutating func noteWanted(_ number: UInt64, now: MonotonicTime) { answers[number]?.wanted = now }

    private static func take<Party: Hashable>(_ party: Party, from counts: inout [Party: Int]) {
        let count = counts[party, default: 0] - 1
        counts[party] = count > 0 ? count : nil
    }

    private func weight(_ answer: Answer) -> Int {
        max(
            answer.client.map { byClient[$0, default: 0] } ?? 0,
            answer.account.map { byAccount[$0, default: 0] } ?? 0)
    }

    /// The answer that gives way for a newcomer; nil = none. Nobody gives way to one of whom nothing is known.
    private func heaviest(for new: Answer) -> UInt64? {
        guard new.client != nil || new.account != nil else { return nil }
        let heaviest = answers.max { left, right in
            let (one, other) = (weight(left.value), weight(right.value))
            guard one == other else { return one < other }
            return (left.value.wanted, left.key) > (right.value.wanted, right.key)
        }
        return heaviest.flatMap { weight($0.value) > weight(new) + 1 ? $0.key : nil }
    }
}

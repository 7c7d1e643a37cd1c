import CairnClient
import CairnGeo
import CairnTime
import CairnWire

/// Questions about posts.
extension Square {
    static let questions = [
        Question(
            name: "read_post",
            ask: { bot, random, now in
                guard let post = bot.anyPost(at: now, using: &random),
                    let ticket = try? bot.core.read(post: post, now: now)
                else { return .nothing }
                return .sent(ticket)
            },
            isAnswer: { if case .postRead = $0 { true } else { false } }),
        Question { _, _ in WireListOwnPosts() },
        Question { bot, _ -> WireListTrendingPosts? in
            guard let place = bot.told else { return nil }
            let cell = CellID(place, level: bot.plan.cellLevel)
            guard bot.follows(cell) else { return nil }
            var body = WireListTrendingPosts()
            body.cell = cell.token
            return body
        },
    ]
}

extension Bot {
    /// A post in view that has not ended.
    fileprivate func anyPost(at now: MonotonicTime, using random: inout SeededGenerator) -> WireInstance? {
        guard let place = told else { return nil }
        return chosen(from: core.view.posts(seenFrom: place, at: serverTime(at: now)), using: &random)
    }
}

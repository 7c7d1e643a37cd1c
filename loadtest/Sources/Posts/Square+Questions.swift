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
        Question(
            name: "list_own_posts",
            ask: { bot, _, now in (try? bot.core.listOwnPosts(now: now)).map { .sent($0) } ?? .nothing },
            isAnswer: isPage),
        Question(
            name: "list_trending_posts",
            ask: { bot, _, now in
                guard let place = bot.told else { return .nothing }
                let cell = CellID(place, level: bot.plan.cellLevel)
                guard bot.follows(cell), let ticket = try? bot.core.listTrendingPosts(in: cell.token, now: now) else {
                    return .nothing
                }
                return .sent(ticket)
            },
            isAnswer: isPage),
    ]

    @Sendable private static func isPage(_ result: WireReply.OneOf_Result) -> Bool {
        if case .postPage = result { true } else { false }
    }
}

extension Bot {
    /// A post in view that has not ended.
    fileprivate func anyPost(at now: MonotonicTime, using random: inout SeededGenerator) -> WireInstance? {
        guard let place = told else { return nil }
        return chosen(from: core.view.posts(seenFrom: place, at: serverTime(at: now)), using: &random)
    }
}

internal import CairnCore
internal import CairnWire

/// Lists the posts of a cell in view: best score first, then newest (PST-9).
struct ListTrendingPosts: Question {
    static let kind = MessageKind(field: 45, name: "list_trending_posts")

    private let body: WireListTrendingPosts

    init(_ body: WireListTrendingPosts) throws(Refusal) {
        try PostPage.check(count: body.count)
        self.body = body
    }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        let cell = try settings.cell(named: body.cell, component: Posts.name)
        try sender.checkView(of: cell, component: Posts.name)
        return .cell(cell)
    }

    /// A post's place in the list. Newer posts have greater ids.
    private struct Rank: Comparable {
        let score: Int32
        let id: UInt64

        static func < (a: Self, b: Self) -> Bool { (a.score, a.id) > (b.score, b.id) }
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let last = try lastRank(in: turn)
        var listed: [(rank: Rank, record: ObjectRecord)] = []
        for record in turn.objects.kept(.post, seenBy: request.sender) {
            guard let life = record.attachments[PostLife.self], !record.isOver(at: turn.lasting) else { continue }
            let rank = Rank(score: life.votes.score, id: record.id.rawValue)
            if let last, rank <= last { continue }
            listed.append((rank, record))
        }
        listed.sort { $0.rank < $1.rank }
        let count = PostPage.size(body.count)
        var page = WirePostPage()
        page.posts = listed.prefix(count).map { turn.described($0.record) }
        if listed.count > count { page.next = name(of: listed[count - 1].rank, in: turn) }
        return [.answer(request, .success(.postPage(page)))]
    }

    /// The cursor of a page: score and id of its last post. The next page begins after them, whichever posts have been
    /// added or removed since.
    private func name(of rank: Rank, in turn: Turn) -> String {
        "\(rank.score):\(turn.name(of: InstanceID(rawValue: rank.id)))"
    }

    private func lastRank(in turn: Turn) throws(Refusal) -> Rank? {
        guard !body.after.isEmpty else { return nil }
        let parts = body.after.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let score = Int32(parts[0]), let id = turn.instance(named: String(parts[1])) else {
            throw PostPage.noSuchPage
        }
        return Rank(score: score, id: id.rawValue)
    }
}

/// Pages of posts.
enum PostPage {
    private static let sizeMax: UInt32 = 100
    private static let usualSize: UInt32 = 20

    /// - Throws: `invalid_field`.
    static func check(count: UInt32) throws(Refusal) {
        guard count <= sizeMax else {
            throw Posts.refusal(
                .invalidField, "count: \(count) is not 1 to \(sizeMax)", details: ["field": "count"])
        }
    }

    /// Number of posts on a page; 0 = the usual number.
    static func size(_ count: UInt32) -> Int { Int(count == 0 ? usualSize : count) }

    static let noSuchPage = Posts.refusal(
        .invalidField, "after: no page was named so", details: ["field": "after"])
}

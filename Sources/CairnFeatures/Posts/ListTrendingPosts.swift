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

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let last = try PostPage.place(named: body.after, sortedBy: 1, in: turn)
        var live: [(record: ObjectRecord, rank: ListPlace)] = []
        for record in turn.objects.kept(.post, seenBy: request.sender) {
            guard let life = record.attachments[PostLife.self], !record.isOver(at: turn.lasting) else { continue }
            // Newer posts have greater ids.
            let rank = ListPlace([Int64(life.votes.score), Int64(bitPattern: record.id.rawValue)])
            live.append((record, rank))
        }
        let (listed, next) = live.page(after: last, count: PostPage.size(body.count), by: \.rank)
        var page = WirePostPage()
        page.posts = listed.map { turn.described($0.record) }
        // Others have written them: what has no room comes on the next page.
        let room = ListBytes.count(of: page.posts)
        page.posts.removeSubrange(room...)
        page.next = (room < listed.count ? listed[room - 1].rank : next).map { turn.name(of: $0) } ?? ""
        return [.answer(request, .success(.postPage(page)))]
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

    /// The place after which a page begins; nil = the first page.
    /// - Throws: `invalid_field` when no page ended there.
    static func place(named name: String, sortedBy count: Int, in turn: Turn) throws(Refusal) -> ListPlace? {
        guard !name.isEmpty else { return nil }
        guard let place = turn.place(named: name, sortedBy: count) else { throw noSuchPage }
        return place
    }

    private static let noSuchPage = Posts.refusal(
        .invalidField, "after: no page was named so", details: ["field": "after"])
}

internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// Lists the posts of one cell in view, or of the whole view: best score first, then newest (PST-9).
///
/// For the whole view it passes the sender's account, which counts it, and then the cells one after another. Each adds
/// its best posts to those of the cells before, and no more are carried than the page has, and one that shows that
/// another page follows.
struct ListTrendingPosts: Question {
    private let body: WireListTrendingPosts
    /// The best of the cells that were passed, in the order of the list.
    private var found: [RankedPost] = []

    /// A post as everybody sees it, and its place in the list.
    private struct RankedPost: Sendable {
        let rank: Rank
        let post: WireInstance
    }

    /// The `ListPlace` of a post, without memory of its own: each post of a cell is ranked.
    private struct Rank: Comparable, Sendable {
        private let score: Int64
        /// Newer posts have greater ids.
        private let id: Int64

        init(_ record: ObjectRecord, score: Int32) {
            (self.score, id) = (Int64(score), Int64(bitPattern: record.id.rawValue))
        }

        /// - Parameter place: one of `PostPage.place`, sorted by one value.
        init(_ place: ListPlace) { (score, id) = (place.values[0], place.values[1]) }

        var place: ListPlace { ListPlace([score, id]) }

        static func < (a: Rank, b: Rank) -> Bool { (a.score, a.id) < (b.score, b.id) }
    }

    init(_ body: WireListTrendingPosts) throws(Refusal) {
        try PostPage.check(count: body.count)
        self.body = body
    }

    private var isOfView: Bool { body.cell.isEmpty }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        guard isOfView else {
            let cell = try settings.cell(named: body.cell, component: Posts.name)
            try sender.checkView(of: cell, component: Posts.name)
            return .cell(cell)
        }
        guard sender.position != nil else {
            throw Refusal(.positionRequired, "send a position first", component: Posts.name)
        }
        return .account(sender.account)
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let last = try PostPage.place(named: body.after, sortedBy: 1, in: turn).map { Rank($0) }
        let size = PostPage.size(body.count)
        let best = (found + live(for: request.sender, after: last, count: size + 1, in: turn))
            .page(after: nil, count: size + 1, by: \.rank).entries
        // On a tour nothing of the world is in view.
        if isOfView, let next = Self.cell(of: request.sender.view, after: turn.home) {
            var command = self
            command.found = best
            return [.hand(request.with(command), .cell(next))]
        }
        let (listed, next) = best.page(after: nil, count: size, by: \.rank)
        var page = WirePostPage()
        page.posts = listed.map(\.post)
        // Others have written them: what has no room comes on the next page.
        let room = ListBytes.count(of: page.posts)
        page.posts.removeSubrange(room...)
        page.next = (room < listed.count ? listed[room - 1].rank : next).map { turn.name(of: $0.place) } ?? ""
        return [.answer(request, .success(.postPage(page)))]
    }

    /// The best posts of this home behind a place.
    private func live(for sender: Sender, after last: Rank?, count: Int, in turn: Turn) -> [RankedPost] {
        var live: [(record: ObjectRecord, rank: Rank)] = []
        for record in turn.objects.kept(.post, seenBy: sender) {
            guard let life = record.attachments[PostLife.self], !record.isOver(at: turn.lasting) else { continue }
            live.append((record, Rank(record, score: life.votes.score)))
        }
        return live.page(after: last, count: count, by: \.rank).entries
            .map { RankedPost(rank: $0.rank, post: turn.described($0.record)) }
    }

    /// The cell of a view that follows a home, the first one after an account; nil = it was the last.
    private static func cell(of view: CellSet, after home: HomeAddress) -> CellID? {
        view.first { next in
            if case .cell(let cell) = home { cell < next } else { true }
        }
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

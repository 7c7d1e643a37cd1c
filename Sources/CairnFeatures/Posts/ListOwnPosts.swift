internal import CairnCore
internal import CairnWire

/// Lists the sender's own live posts, newest first; no position is needed (PST-5). The account queries the store.
struct ListOwnPosts: Question {
    static let kind = MessageKind(field: 44, name: "list_own_posts")

    private let body: WireListOwnPosts

    init(_ body: WireListOwnPosts) throws(Refusal) {
        try PostPage.check(count: body.count)
        self.body = body
    }

    func home(for sender: Sender, settings: Settings) -> HomeAddress { .account(sender.account) }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        var last: InstanceID?
        if !body.after.isEmpty {
            last = turn.instance(named: body.after)
            guard last != nil else { throw PostPage.noSuchPage }
        }
        // One more than the page holds: if it exists, there is another page.
        let query = Posts.live(
            of: request.sender.account, at: turn.lasting, before: last, count: PostPage.size(body.count) + 1)
        return [.ask(query, request)]
    }

    func resume(_ request: Request, rows: [Row], in turn: inout Turn) -> [Effect] {
        let count = PostPage.size(body.count)
        var page = WirePostPage()
        page.posts = Posts.read(rows.prefix(count), in: &turn).map { turn.describedToOwner($0) }
        if rows.count > count, let last = try? rows[count - 1].integer(0) {
            page.next = turn.name(of: InstanceID(rawValue: UInt64(bitPattern: last)))
        }
        return [.answer(request, .success(.postPage(page)))]
    }
}

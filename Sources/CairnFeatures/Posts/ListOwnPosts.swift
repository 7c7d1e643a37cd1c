internal import CairnCore
internal import CairnWire

/// Lists the sender's own live posts, newest first; no position is needed (PST-5). The account queries the store.
struct ListOwnPosts: Question {
    private let body: WireListOwnPosts

    init(_ body: WireListOwnPosts) throws(Refusal) {
        try PostPage.check(count: body.count)
        self.body = body
    }

    func home(for sender: Sender, settings: Settings) -> HomeAddress { .account(sender.account) }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let last = try PostPage.place(named: body.after, sortedBy: 0, in: turn)
        let query = Posts.own.page(
            Posts.integer(request.sender.account.rawValue), .time(turn.lasting), after: last,
            count: PostPage.size(body.count))
        return [.ask([query], request)]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) -> [Effect] {
        let (rows, next) = Posts.own.cut(rows[0], count: PostPage.size(body.count))
        var page = WirePostPage()
        page.posts = Posts.read(rows, in: &turn).map { turn.describedToOwner($0) }
        page.next = next.map { turn.name(of: $0) } ?? ""
        return [.answer(request, .success(.postPage(page)))]
    }
}

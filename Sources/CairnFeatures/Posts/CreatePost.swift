internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// Leaves a post at the sender's position (PST-1, PST-8, PST-10).
struct CreatePost: Change {
    private let body: WireCreatePost

    init(_ body: WireCreatePost) {
        self.body = body
    }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        try Posts.check(text: body.text, settings.posts)
        return .cell(CellID(try Self.place(of: sender), level: settings.cellLevel))
    }

    /// The post's place: the one that others may learn of the author. Nothing finer is stored (PST-8).
    private static func place(of sender: Sender) throws(Refusal) -> Coordinate {
        guard let place = sender.shownPlace else {
            throw Posts.refusal(.positionRequired, "send a position first")
        }
        return place
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        guard case .cell(let cell) = turn.home else { throw ObjectTable.absence(component: Posts.name) }
        let (count, limit) = (turn.objects.count(of: .post), turn.settings.posts.perCellMax)
        guard count < limit else {
            throw Posts.refusal(.cellFull, "the cell holds \(count) posts", details: ["limit": "\(limit)"])
        }
        let post = try newPost(by: request.sender, in: cell, turn)
        post.keep(in: &turn)
        let record = turn.objects.record(post.record.id, .post) ?? post.record

        var created = WirePostCreated()
        created.post = turn.describedToOwner(record)
        let effects: [Effect] = [
            .write(Posts.insertion(of: post, in: cell)),
            .write(PostLog.entry(of: record.id, by: record.owner, at: turn.lasting)),
            .answer(request, .success(.postCreated(created))),
            .count("posts"),
            .publish(.entry(of: record, as: turn.described(record))),
        ]
        return effects + [PostsEnd.setting(for: post, in: turn)].compactMap { $0 }
    }

    private func newPost(by author: Sender, in cell: CellID, _ turn: Turn) throws(Refusal) -> Post {
        let id = turn.newInstanceID()
        let life = Duration.seconds(turn.settings.posts.lifeSeconds)
        var instance = WireInstance()
        instance.id = turn.name(of: id)
        instance.placer = turn.name(of: author.account)
        instance.created = turn.now.milliseconds
        instance.version = 1
        instance.text = body.text
        instance.cell = cell.token
        return Post(
            record: ObjectRecord(
                id: id, kind: .post, owner: author.account, ownerName: "", audience: .everyone,
                coordinate: try Self.place(of: author), ends: turn.lasting + life, wire: instance),
            life: PostLife(created: turn.now, endsShown: turn.now + life))
    }

    /// Leaves out the text: a retry sends it again.
    static func shortened(_ result: Request.Result) -> Request.Result {
        guard case .postCreated(var created) = result else { return result }
        created.post.text = ""
        return .postCreated(created)
    }

    func completed(_ result: Request.Result) -> Request.Result {
        guard case .postCreated(var created) = result, created.post.text.isEmpty else { return result }
        created.post.text = body.text
        return .postCreated(created)
    }

    func broughtIn(by result: Request.Result) -> WireInstance? {
        guard case .postCreated(let created) = result else { return nil }
        return created.post
    }
}

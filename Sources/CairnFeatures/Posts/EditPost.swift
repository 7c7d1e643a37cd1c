internal import CairnCore
internal import CairnWire

/// Changes the text of one's own post while its edit window is open (PST-4).
struct EditPost: Change {
    private let body: WireEditPost

    init(_ body: WireEditPost) {
        self.body = body
    }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        let cell = try settings.cell(named: body.cell, component: Posts.name)
        try Posts.check(text: body.text, settings.posts)
        return sender.home(lookingAt: cell)
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        guard case .cell(let cell) = turn.home else { return [try Posts.search(body.post, for: request, in: turn)] }
        var post = try Posts.own(body.post, for: request.sender, in: turn)
        guard turn.now <= post.life.editableUntil(turn.settings.posts) else {
            throw Refusal(.editWindowClosed, component: Posts.name)
        }
        post.record.wire.text = body.text
        post.record.wire.version += 1
        post.life.edited = turn.now
        post.keep(in: &turn)
        let record = turn.objects.record(post.record.id, .post) ?? post.record

        var edited = WirePostEdited()
        edited.post = turn.describedToOwner(record)
        var changed = WirePostChanged()
        changed.post = record.wire.id
        changed.version = record.wire.version
        changed.text = body.text
        changed.edited = turn.now.milliseconds
        return [
            .write(Posts.update(of: post, in: cell)),
            .answer(request, .success(.postEdited(edited))),
            .publish(Publication(of: record, .postChanged(changed), state: turn.described(record))),
        ]
    }

    /// Continues, out of view, with the store's answer.
    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        [try Posts.handOver(request, to: rows[0], named: body.cell, in: &turn)]
    }

    /// Leaves out the text: a retry sends it again.
    static func shortened(_ result: Request.Result) -> Request.Result {
        guard case .postEdited(var edited) = result else { return result }
        edited.post.text = ""
        return .postEdited(edited)
    }

    func completed(_ result: Request.Result) -> Request.Result {
        guard case .postEdited(var edited) = result, edited.post.text.isEmpty else { return result }
        edited.post.text = body.text
        return .postEdited(edited)
    }
}

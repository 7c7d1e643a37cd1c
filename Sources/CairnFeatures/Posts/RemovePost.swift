internal import CairnCore
internal import CairnWire

/// Removes one's own post (PST-6).
struct RemovePost: Change {
    private let body: WireRemovePost

    init(_ body: WireRemovePost) {
        self.body = body
    }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        sender.home(lookingAt: try settings.cell(named: body.cell, component: Posts.name))
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        guard case .cell = turn.home else { return [try Posts.search(body.post, for: request, in: turn)] }
        let record = try Posts.own(body.post, for: request.sender, in: turn).record
        turn.objects[record.id] = nil
        var removed = WirePostRemoved()
        removed.post = record.wire.id
        return [
            .write(Posts.deletion(of: record.id)),
            .answer(request, .success(.postRemoved(removed))),
            .publish(.departure(of: record)),
        ]
    }

    /// Continues, out of view, with the store's answer.
    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        [try Posts.handOver(request, to: rows[0], named: body.cell, in: &turn)]
    }
}

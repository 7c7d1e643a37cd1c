internal import CairnCore
internal import CairnWebSocket
internal import CairnWire

/// The followers of a home's topics: views that touch a cell, a person's devices.
extension Home {
    /// Answers a follower: the events since its cursor, or a snapshot, and for everyone's topic the kind's addition.
    /// All later events follow in the same order, without a gap (SES-7).
    func admit(_ request: FollowRequest) {
        let (participant, topic) = (request.participant, Topic(address, request.scope))
        host.core.value.open(request.scope)
        let excerpt = excerpt(for: request)
        let items = catchUp(request, excerpt) + addendum(to: request)
        let work = ConnectionWork.follow(
            topic, number: request.number, group: group(of: participant), isExcerpt: excerpt.isDistinct, items: items)
        shard.assumeIsolated { $0.dispatch(.connection(participant, work), to: participant.place) }
    }

    private func catchUp(_ request: FollowRequest, _ excerpt: FollowedExcerpt) -> [[UInt8]] {
        guard let stream = host.core.lend({ $0.topic(request.scope) }) else { return [] }
        let format = request.participant.format
        if let cursor = request.cursor, excerpt.holdsCursor,
            let continuation = excerpt.distinct.map({ stream.continuation(of: $0, after: cursor) })
                ?? stream.continuation(after: cursor)
        {
            resumed()
            let items = continuation.map { ServerItemEncoder.encode($0, format: format) }
            // The first says that the topic goes on; another device may have placed things among the rest.
            return items.count > 1 ? items + own(of: request) : items
        }
        let pageSize = HomeHost.snapshotPageInstances
        if let distinct = excerpt.distinct {
            return stream.snapshot(of: distinct, pageSize: pageSize)
                .map { ServerItemEncoder.encode($0, format: format) } + own(of: request)
        }
        return host.snapshots[request.scope, default: SnapshotCache()]
            .pages(of: stream, format: format, pageSize: pageSize) + own(of: request)
    }

    /// Snapshots and events are shared by all followers, so each follower's own instances are listed separately.
    private func own(of request: FollowRequest) -> [[UInt8]] {
        host.core.lend { $0.own(of: request.account, in: request.scope) }.map {
            [ServerItemEncoder.encode($0, format: request.participant.format)]
        } ?? []
    }
}

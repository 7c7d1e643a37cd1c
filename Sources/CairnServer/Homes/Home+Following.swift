internal import CairnCore
internal import CairnWebSocket
internal import CairnWire

/// Who follows a home's topics: views that touch a cell, a person's devices.
extension Home {
    /// Answers a follower: the events since its cursor, or a snapshot, and for everyone's topic the kind's addition.
    /// All later events follow in the same order, without a gap (SES-7).
    func admit(_ request: FollowRequest) {
        let items = catchUp(request) + addendum(to: request)
        let (participant, topic) = (request.participant, Topic(address, request.scope))
        let work = ConnectionWork.follow(topic, number: request.number, group: group(of: participant), items: items)
        shard.assumeIsolated { $0.dispatch(.connection(participant, work), to: participant.place) }
    }

    private func catchUp(_ request: FollowRequest) -> [[UInt8]] {
        host.core.value.open(request.scope)
        guard let stream = host.core.lend({ $0.topic(request.scope) }) else { return [] }
        let format = request.participant.format
        if let cursor = request.cursor, let continuation = stream.continuation(after: cursor) {
            resumed()
            let items = continuation.map { ServerItemEncoder.encode($0, format: format) }
            // The first says that the topic goes on; another device may have placed things among the rest.
            return items.count > 1 ? items + own(of: request) : items
        }
        return host.snapshots[request.scope, default: SnapshotCache()]
            .pages(of: stream, format: format, pageSize: HomeHost.snapshotPageInstances) + own(of: request)
    }

    /// Snapshots and events are shared by all followers, so each follower's own instances are listed separately.
    private func own(of request: FollowRequest) -> [[UInt8]] {
        host.core.lend { $0.own(of: request.account, in: request.scope) }.map {
            [ServerItemEncoder.encode($0, format: request.participant.format)]
        } ?? []
    }
}

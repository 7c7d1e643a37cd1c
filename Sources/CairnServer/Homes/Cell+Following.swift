internal import CairnCore
internal import CairnWebSocket
internal import CairnWire

/// Who watches the cell: views that touch it, by scope.
extension Cell {
    private static let snapshotPageInstances = 128

    /// A view touches the cell from now on, by one of its scopes. The follower gets what it missed since `cursor`, or a
    /// snapshot, and of everyone's topic the people who are here, followed by all that happens: one stream without a
    /// gap (SES-7).
    func follow(
        _ scope: Scope, _ participant: Participant, of account: AccountID, cursor: Cursor?, number: UInt64
    ) {
        whenAwake { cell in
            if scope == .everyone {
                cell.followers.add(participant)
            } else {
                cell.scopedFollowers[scope, default: Followers()].add(participant)
            }
            cell.admit(participant, to: scope, of: account, cursor: cursor, number: number)
        }
    }

    func unfollow(_ scope: Scope, _ participant: Participant) {
        whenAwake { cell in
            if scope == .everyone {
                cell.followers.remove(participant)
            } else if let index = cell.scopedFollowers.index(forKey: scope) {
                cell.scopedFollowers.values[index].remove(participant)
                if cell.scopedFollowers.values[index].isEmpty { cell.scopedFollowers.remove(at: index) }
            }
            cell.restIfEmpty()
        }
    }

    /// A fresh state for a follower whose events were dropped (SES-8); its connection already knows that it is stale.
    func resynchronise(_ scope: Scope, _ participant: Participant, of account: AccountID, number: UInt64) {
        whenAwake { $0.admit(participant, to: scope, of: account, cursor: nil, number: number) }
    }

    private func admit(
        _ participant: Participant, to scope: Scope, of account: AccountID, cursor: Cursor?, number: UInt64
    ) {
        var items = catchUp(participant, with: scope, of: account, from: cursor)
        // People are seen by everyone, and told of once.
        if scope == .everyone { items.append(encodedKeyframe(for: participant, of: account)) }
        let (topic, group) = (Topic(.cell(id), scope), board.group(of: participant))
        shard.assumeIsolated { [items] shard in
            shard.onShard(participant.loop) { shard in
                shard.begin(following: topic, participant, number: number, group: group, items: items)
            }
        }
    }

    /// The people who are here, for a follower who missed batches.
    func sendKeyframe(to participant: Participant, of account: AccountID, number: UInt64) {
        let keyframe = encodedKeyframe(for: participant, of: account)
        shard.assumeIsolated { shard in
            shard.onShard(participant.loop) { [id] shard in
                shard.sendKeyframe(keyframe, of: Topic(id), to: participant, number: number)
            }
        }
    }

    private func catchUp(
        _ participant: Participant, with scope: Scope, of account: AccountID, from cursor: Cursor?
    ) -> [[UInt8]] {
        core.open(scope)
        guard let stream = core.topic(scope) else { return [] }
        let format = participant.format
        if let cursor, let continuation = stream.continuation(after: cursor) {
            figures.resumed += 1
            let items = continuation.map { ServerItemEncoder.encode($0, format: format) }
            // The first says that the topic goes on; another device may have placed things among the rest.
            return items.count > 1 ? items + own(of: account, in: scope, format: format) : items
        }
        return snapshots[scope, default: SnapshotCache()]
            .pages(of: stream, format: format, pageSize: Self.snapshotPageInstances)
            + own(of: account, in: scope, format: format)
    }

    /// Snapshots and events are for all followers; which of it is one's own, each is told apart.
    private func own(of account: AccountID, in scope: Scope, format: WireFormat) -> [[UInt8]] {
        core.own(of: account, in: scope).map { [ServerItemEncoder.encode($0, format: format)] } ?? []
    }

    /// Good until the next batch, so a crowd that joins together shares it.
    private func encodedKeyframe(for participant: Participant, of account: AccountID) -> [UInt8] {
        let key = KeyframeKey(format: participant.format, people: board.hidden.lastTold(to: account))
        if let known = keyframes[key] { return known }
        let keyframe = board.keyframe(now: shard.now, people: key.people)
        let encoded = ServerItemEncoder.encode(board.item(keyframe, for: key.format), format: key.format)
        keyframes[key] = encoded
        return encoded
    }
}

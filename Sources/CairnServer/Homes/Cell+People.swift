internal import CairnCore
internal import CairnWebSocket
internal import CairnWire

/// What followers of a cell are told of the people in it, when they come.
extension Cell {
    /// The people, for a follower whose view of the cell the topic is.
    func addendum(to request: FollowRequest) -> [[UInt8]] {
        request.scope.isView ? [encodedKeyframe(for: request.participant, of: request.account)] : []
    }

    /// The group of receivers, by the place where the person stands: it decides which poses of a crowd they get.
    func group(of participant: Participant) -> UInt16 { lend { $0.group(of: participant) } }

    /// Lends the board in place: before a method that changes nothing Swift copies the whole property of an actor.
    func lend<Result>(_ body: (inout PresenceBoard) -> Result) -> Result { body(&board) }

    /// The people who are here, for a follower who missed batches.
    func sendKeyframe(of scope: Scope, to participant: Participant, of account: AccountID, number: UInt64) {
        let keyframe = encodedKeyframe(for: participant, of: account)
        let work = ConnectionWork.keyframe(keyframe, of: Topic(.cell(id), scope), number: number)
        shard.assumeIsolated { $0.dispatch(.connection(participant, work), to: participant.place) }
    }

    /// Good until the next batch, so a crowd that joins together shares it.
    private func encodedKeyframe(for participant: Participant, of account: AccountID) -> [UInt8] {
        let key = KeyframeKey(format: participant.format, people: lend { $0.hidden.lastTold(to: account) })
        if let known = keyframes[key] { return known }
        let keyframe = board.keyframe(now: shard.now, people: key.people)
        let encoded = ServerItemEncoder.encode(lend { $0.item(keyframe, for: key.format) }, format: key.format)
        keyframes[key] = encoded
        return encoded
    }
}

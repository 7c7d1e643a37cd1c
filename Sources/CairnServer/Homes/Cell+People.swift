internal import CairnCore
internal import CairnWebSocket
internal import CairnWire

/// Informs new followers of a cell about the people in it.
extension Cell {
    /// The people, for a follower whose view of the cell the topic is.
    func addendum(to request: FollowRequest) -> [[UInt8]] {
        if request.scope == .guests { return walkersKeyframe(for: request.participant.format) }
        guard request.scope.isView else { return [] }
        return [encodedKeyframe(for: request.participant, of: request.account, in: request.scope)]
    }

    /// The group of receivers, by the place where the person stands: it decides which poses of a crowd they get.
    func group(of participant: Participant) -> UInt16 { lend { $0.group(of: participant) } }

    /// Lends the board in place: before a method that changes nothing Swift copies the whole property of an actor.
    func lend<Result>(_ body: (inout PresenceBoard) -> Result) -> Result { body(&board) }

    /// The people who are here, for a follower who missed batches.
    func sendKeyframe(of scope: Scope, to participant: Participant, of account: AccountID, number: UInt64) {
        let keyframe =
            scope == .guests
            ? walkersKeyframe(for: participant.format).first
            : encodedKeyframe(for: participant, of: account, in: scope)
        guard let keyframe else { return }
        let work = ConnectionWork.keyframe(keyframe, of: Topic(.cell(id), scope), number: number)
        shard.assumeIsolated { $0.dispatch(.connection(participant, work), to: participant.place) }
    }

    /// Good until the next batch, so a crowd that joins together shares it.
    private func encodedKeyframe(
        for participant: Participant, of account: AccountID, in scope: Scope
    ) -> [UInt8] {
        let key = KeyframeKey(format: participant.format, people: lend { $0.hidden.lastTold(to: account) })
        let absent = host.excerptReaders.isEmpty ? [] : slots(absentFor: account, in: scope)
        if absent.isEmpty, let known = keyframes[key] { return known }
        let keyframe = board.keyframe(now: shard.now, people: key.people, without: absent)
        let encoded = ServerItemEncoder.encode(lend { $0.item(keyframe, for: key.format) }, format: key.format)
        if absent.isEmpty { keyframes[key] = encoded }
        return encoded
    }

    // MARK: Absent people (FRD-7)

    /// A reader of an excerpt of the cell, and the slots that do not exist for it.
    struct AbsentSlots {
        let participant: Participant
        let scope: Scope
        let slots: Set<UInt16>
    }

    /// All readers of excerpts that differ.
    func absentSlots() -> [AbsentSlots] {
        host.excerptReaders.flatMap { scope, readers in
            readers.filter { scope.isView && $0.value.isDistinct }.map { participant, reader in
                AbsentSlots(
                    participant: participant, scope: scope, slots: slots(absentFor: reader.account, in: scope))
            }
        }
    }

    private func slots(absentFor account: AccountID, in scope: Scope) -> Set<UInt16> {
        let absent = host.core.lend { $0.topic(scope)?.excerpt(for: account)?.absent } ?? []
        return lend { $0.slots(of: absent) }
    }

    func shows(anyOf people: Set<AccountID>) -> Bool { lend { !$0.slots(of: people).isEmpty } }

    func presence(
        leaving gone: Set<AccountID>, joining back: Set<AccountID>, for format: WireFormat
    ) -> [UInt8]? {
        guard let batch = board.batch(leaving: gone, joining: back, now: shard.now) else { return nil }
        return ServerItemEncoder.encode(lend { $0.item(batch, for: format) }, format: format)
    }
}

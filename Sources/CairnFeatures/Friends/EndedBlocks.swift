internal import CairnCore

/// Deletes the rows of blocks that have ended, when no invitation is left that they void: such a row says nothing else.
struct EndedBlocks: HomeTimer {
    static let kind: StaticText = "friends.ended"

    /// Most rows that one turn deletes.
    private static let atOnce = 256
    private static let pause = Duration.seconds(1)

    init() {}
    init(subject: UInt64, payload: [UInt8]) throws(ColumnFault) {}

    func fire(due: LastingTime, in turn: inout Turn) -> [Effect] {
        let ended = turn.pairs.filter { $0.endedBlock != nil }
        let over = ended.filter { turn.forgettingEndedBlock($0).isNothing }
        let effects = over.prefix(Self.atOnce).map { turn.end($0) }
        guard over.count <= Self.atOnce else { return effects + [.wake(at: turn.lasting + Self.pause, self)] }
        let rest = ended.compactMap(\.endedBlock).filter { $0 >= turn.oldestInvitation }
        return effects + (rest.min().map { [turn.wakeForEndedBlock(of: $0)] } ?? [])
    }
}

extension Turn {
    /// Invitations from before this time have lapsed.
    fileprivate var oldestInvitation: WallTime { now + .seconds(-settings.realms.invitationDays * 86_400) }

    /// What is left of a relation when a block that has ended, and voids no invitation any more, is forgotten.
    func forgettingEndedBlock(_ relation: Relation) -> Relation {
        var relation = relation
        relation.forgetEndedBlock(before: oldestInvitation)
        return relation
    }

    /// Has the row of a pair deleted in time if nothing but an ended block is left of it.
    func wakeForEndedBlock(of relation: Relation) -> [Effect] {
        guard let began = relation.endedBlock, due(of: EndedBlocks.self) == nil else { return [] }
        return [wakeForEndedBlock(of: began)]
    }

    fileprivate func wakeForEndedBlock(of began: WallTime) -> Effect {
        .wake(
            at: lasting + .milliseconds(began.milliseconds - oldestInvitation.milliseconds + 1), EndedBlocks())
    }
}

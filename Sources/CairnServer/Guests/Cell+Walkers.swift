internal import CairnCore
internal import CairnGeo
internal import CairnTime
internal import CairnWebSocket
internal import CairnWire

/// The demo's walkers, as guests see them (SES-14): on a board of their own, so that neither slots nor counts reveal
/// anything of people.
extension Cell {
    func enterWalker(
        _ participant: Participant, of account: AccountID, as person: PresenceBoard.Person?, at sample: PoseSample,
        standing: Coordinate
    ) {
        guard let person, host.context.walkers.contains(account) else {
            walkers?.leave(participant)
            return
        }
        if walkers == nil { walkers = PresenceBoard(cell: id, countHiddenBelow: 1) }
        walkers?.enter(participant, of: account, as: person, at: sample, standing: standing)
    }

    /// Tells guests who follow the cell what the walkers did since the last time. Without guests it is forgotten.
    func tellWalkers(now: MonotonicTime) {
        guard var board = walkers, board.hasNewsOfPeople else { return }
        let batch = board.takeBatch(now: now)
        let followers = host.followers(of: .guests)
        if let followers, !followers.isEmpty {
            let item = EncodedItem(
                proto: board.item(batch, for: .proto), json: followers.readsJSON ? board.item(batch, for: .json) : nil)
            dispatch(.presence(item), of: .guests, to: followers)
        }
        walkers = board.count == 0 && !board.hasNewsOfPeople ? nil : board
    }

    /// The walkers, for a guest who comes or missed batches. A guest gets it of an empty cell as well: a walker may
    /// come. Where there is no demo nothing is said of people.
    func walkersKeyframe(for format: WireFormat) -> [[UInt8]] {
        guard !host.context.walkers.isEmpty else { return [] }
        var board = walkers ?? PresenceBoard(cell: id, countHiddenBelow: 1)
        let keyframe = board.keyframe(now: shard.now, people: 0)
        return [ServerItemEncoder.encode(board.item(keyframe, for: format), format: format)]
    }

    /// Goes by what a person has chosen about guests (PRF-5).
    func goByGuestSight(of person: AccountID) { carryOut(host.goByGuestSight(of: person)) }
}

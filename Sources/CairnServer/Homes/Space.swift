internal import CairnCore
internal import CairnTime
internal import CairnWebSocket
internal import CairnWire

/// A place apart from the ground: a tour run; later also rooms, notebooks and sandboxes (SES-13). Its members follow
/// its topic and no other place's, and their positions come here.
actor Space: Home {
    nonisolated let id: SpaceID
    nonisolated let shard: Shard
    let host: HomeHost
    /// The newest movements that came while the stored state was being read: one for each member.
    private var waiting: [AccountID: Movement] = [:]
    /// More members than this do not wait; their next position comes soon.
    private static let waitingMax = 64

    nonisolated var unownedExecutor: UnownedSerialExecutor { shard.unownedExecutor }
    nonisolated var address: HomeAddress { .space(id) }

    init(id: SpaceID, shard: Shard, context: ServerContext, now: MonotonicTime) {
        self.id = id
        self.shard = shard
        host = HomeHost(.space(id), context: context, now: now)
    }

    // MARK: Volatile lane

    func move(_ movement: Movement) {
        guard case .awake = host.stage else {
            if waiting.count < Self.waitingMax || waiting[movement.account] != nil {
                waiting[movement.account] = movement
            }
            return wake()
        }
        let clock = host.context.clock
        carryOut(host.core.value.moved(movement, now: clock.now, lasting: clock.lasting))
    }

    // MARK: Home

    func awoke() {
        let movements = waiting.values
        waiting = [:]
        for movement in movements { move(movement) }
    }

    func addendum(to request: FollowRequest) -> [[UInt8]] {
        guard request.scope == .members(of: address) else { return [] }
        return host.core.value.addendum(for: request.account)
            .map { ServerItemEncoder.encode($0, format: request.participant.format) }
    }
}

internal import CairnCore
internal import CairnTime
internal import CairnWire

/// What few sessions have, in a block of its own: the others take that much less memory.
final class SessionExtras {
    var absent: Set<AccountID> = []
    var space: SpaceID?
    var cursors: [Topic: Cursor] = [:]
    var nearTours: [TourID] = []
    var toursAsked: [TourID: MonotonicTime] = [:]
    var nonce = ""
    var proof: Proof?
    var notifications = NotificationDelivery()
    var worldSnapshot: WorldSnapshotTaking?
    var puzzling: [UInt32: [UInt8]] = [:]
    var waitingPosition: Session.WaitingPosition?
    /// Changes by which others learn more of the person: all who see them are told.
    var showings = TokenBucket(rate: 1, burst: 10, now: .epoch)

    /// Whose account the person has proved to be theirs, and when (ACC-13).
    struct Proof {
        let account: AccountID
        let at: MonotonicTime
    }
}

extension Session {
    /// Counts a change of sharing if others learn more by it: each is told to all who see the person. One by which they
    /// only learn less is told at any time, and none follows without one of the others between.
    /// - Returns: the time to wait; nil = the change may be told.
    func waitToShow(_ sharing: Sharing, initially: LocationAccuracy, now: MonotonicTime) -> Duration? {
        let (isOn, gridMetres) = (sharing.isOn, sharing.gridMetres(initially: initially))
        let isMore = isOn && !shares || isOn == shares && gridMetres < self.gridMetres
        return isMore ? madeExtras.showings.take(now: now) : nil
    }

    struct WaitingPosition {
        let message: WirePosition
        let requestID: UInt32

        init(_ message: WirePosition, requestID: UInt32) {
            self.message = message
            self.requestID = requestID
        }
    }
}

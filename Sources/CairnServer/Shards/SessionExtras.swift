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

    /// Whose account the person has proved to be theirs, and when (ACC-13).
    struct Proof {
        let account: AccountID
        let at: MonotonicTime
    }
}

extension Session {
    struct WaitingPosition {
        let message: WirePosition
        let requestID: UInt32

        init(_ message: WirePosition, requestID: UInt32) {
            self.message = message
            self.requestID = requestID
        }
    }
}

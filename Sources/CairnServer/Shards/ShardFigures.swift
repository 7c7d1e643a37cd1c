internal import CairnCore
internal import CairnWire

/// What a shard has counted since it started (invariant 10).
package struct ShardFigures: Sendable {
    var wakeUps: UInt64 = 0
    var sleeps: UInt64 = 0
    var positions: UInt64 = 0
    /// Poses of people whom others see that came when they were expected.
    var posesOnTime: UInt64 = 0
    /// Times that clients were asked to send positions at other moments.
    var positionsShifted: UInt64 = 0
    /// Positions that a newer one replaced before they were taken.
    var positionsConflated: UInt64 = 0
    /// Positions that waited for their turn when their session ended.
    var positionsDropped: UInt64 = 0
    /// Cells that a user's view wanted and was not given at once.
    var cellsHeldBack: UInt64 = 0
    /// Guests who were not let look, or no longer.
    var guestRefusals: [GuestViews.Shortage: UInt64] = [:]
    var requests: UInt64 = 0
    var replies: UInt64 = 0
    /// How long requests took, by the field number of their kind.
    package var requestTimes: [UInt32: RequestFigures] = [:]
    /// Refusals by code.
    var refusals: [String: UInt64] = [:]
    /// Closures that the server decided on, by name.
    var closures: [String: UInt64] = [:]
    /// Times that cells had something to tell about people.
    var presenceBatches: UInt64 = 0
    /// Notifications that turns of homes have stored.
    var notificationsStored: UInt64 = 0
    /// Notifications that were sent to devices, repetitions included.
    var notificationsSent: UInt64 = 0
    var resynchronised: UInt64 = 0
    /// Revocations of rights that not all loops had answered after `Revocations.patience`.
    var revocationsLate: UInt64 = 0
    var homes = HomeFigures()
    /// Sessions whose connection was cut, and those of them that were taken up again.
    var detached: UInt64 = 0
    var resumed: UInt64 = 0
}

/// What homes have done by themselves: timers, and messages to other homes.
struct HomeFigures: Sendable {
    var timersFired: UInt64 = 0
    /// The latest that one has fired after its time.
    var timersLatest = Duration.zero
    /// Messages of which their teller does not know yet what has become.
    var messagesWaiting = 0
    var messagesSent: UInt64 = 0
    /// Copies that were delivered because there was no answer in time.
    var messagesResent: UInt64 = 0
    /// Messages that were declined or withdrawn.
    var messagesFailed: UInt64 = 0
    /// Steps on ways, by what happened there and the number of the step.
    var steps: [JourneyStep: [Int: UInt64]] = [:]
    /// Answers to changes that were too long to be stored.
    var repliesTooLong: UInt64 = 0
    /// Changes that were refused because of the bytes of the day's stored replies.
    var replyBytesRefused: UInt64 = 0
    /// Steps with higher numbers are counted as this one.
    private static let stepMax = 100

    /// How often something happened on ways, at whatever step.
    func steps(_ step: JourneyStep) -> UInt64 { steps[step]?.values.reduce(0, +) ?? 0 }

    mutating func note(_ event: HomeEvent) {
        switch event {
        case .timerFired(let late):
            timersFired += 1
            timersLatest = max(timersLatest, late)
        case .messageSent:
            messagesSent += 1
            messagesWaiting += 1
        case .messageResent:
            messagesResent += 1
        case .messageAccepted:
            messagesWaiting -= 1
        case .messageFailed:
            messagesWaiting -= 1
            messagesFailed += 1
        case .step(let step, let number):
            steps[step, default: [:]][min(number, Self.stepMax), default: 0] += 1
        case .replyTooLong:
            repliesTooLong += 1
        case .replyBytesRefused:
            replyBytesRefused += 1
        }
    }
}

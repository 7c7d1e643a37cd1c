package import CairnCore

/// The outcomes of mails or pushes, and the number that waits.
package struct PostmanFigures: Sendable {
    /// Entries in the outbox, up to a second ago.
    package var waiting = 0
    /// When the oldest of them was stored; nil = none waits.
    package var oldest: WallTime?
    package var sent: UInt64 = 0
    package var refused: UInt64 = 0
    /// Expired, or the adaptor is off.
    var givenUp: UInt64 = 0
    var failedAttempts: UInt64 = 0
    /// Notifications that were deleted because their account had too many; counted where pushes are decided.
    var dropped: UInt64 = 0
}

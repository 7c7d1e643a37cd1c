public import CairnTime

/// The rate limit of one connection: messages and bytes a second, checked before a message is read, and how much
/// excess is refused before the connection is closed (SES-12). Time is the caller's.
public struct MessagePace: Sendable {
    private var messages: TokenBucket
    private var bytes: TokenBucket
    private var excess: TokenBucket

    /// Excess that an unreadable message counts as; a correct client sends none.
    private static let unreadableCost = 10.0
    /// A refused message has still been received: its share of the excess grows with its bytes.
    private static let bytesPerCost = 1_024.0

    /// What becomes of a message.
    public enum Verdict: Sendable, Equatable {
        case taken
        /// Refused unread; the client may send again after `wait`.
        case refused(wait: Duration)
        /// The excess has lasted too long: close the connection.
        case closing
    }

    /// - Parameters:
    ///   - messagesBurst: messages at once, when none came for a while.
    ///   - bytesBurst: bytes at once. One message more is taken as long as any are left, and paid off afterwards.
    public init(messagesPerSecond: Int, messagesBurst: Int, bytesPerSecond: Int, bytesBurst: Int, now: MonotonicTime) {
        let rate = Double(messagesPerSecond)
        messages = TokenBucket(rate: rate, burst: Double(messagesBurst), now: now)
        bytes = TokenBucket(rate: Double(bytesPerSecond), burst: Double(bytesBurst), now: now)
        // Refusals before the close: ten seconds' worth of messages at once, a tenth of the limit for any length of
        // time.
        excess = TokenBucket(rate: max(rate / 10, 1), burst: max(rate * 10, 100), now: now)
    }

    /// One more message has come; it has not been read.
    public mutating func take(bytes count: Int, now: MonotonicTime) -> Verdict {
        let wait = bytes.wait(now: now) ?? messages.take(now: now)
        guard let wait else {
            bytes.spend(Double(count))
            return .taken
        }
        guard excess.wait(now: now) == nil else { return .closing }
        excess.spend(1 + Double(count) / Self.bytesPerCost)
        return .refused(wait: wait)
    }

    /// Time until half of the bytes at once are there. A sender of many bytes that waits for it is never refused, and
    /// leaves room for other messages.
    public mutating func waitForHalf(now: MonotonicTime) -> Duration { bytes.waitForHalf(now: now) }

    /// Whether all of it is unused, so that forgetting it changes nothing.
    public func isFull(now: MonotonicTime) -> Bool {
        messages.isFull(now: now) && bytes.isFull(now: now) && excess.isFull(now: now)
    }

    /// Counts an accepted message that turned out to be unreadable.
    /// - Returns: whether there were too many: close the connection.
    public mutating func noteUnreadable(now: MonotonicTime) -> Bool {
        guard excess.wait(now: now) == nil else { return true }
        excess.spend(Self.unreadableCost)
        return false
    }
}

public import CairnTime
public import CairnWire

/// Feedback from users to the developers of the app (STA-5).
extension ClientCore {
    /// Says what the user thinks, or what is broken (STA-5): answered with `feedbackTaken`.
    public mutating func sendFeedback(
        _ feedback: WireSendFeedback, now: MonotonicTime
    ) throws(Refusal) -> RequestTicket {
        try ask(.sendFeedback(feedback), key: makeKey(), now: now)
    }
}

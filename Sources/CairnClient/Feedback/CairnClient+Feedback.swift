public import CairnWire

/// Feedback from users to the developers of the app (STA-5).
extension CairnClient {
    /// Says what the user thinks, or what is broken (STA-5).
    /// - Returns: the id of the entry, once it is on the server's disk.
    @discardableResult
    public func sendFeedback(_ feedback: WireSendFeedback) async throws(Refusal) -> String {
        let result = try await answer { (core, now) throws(Refusal) in try core.sendFeedback(feedback, now: now) }
        guard case .feedbackTaken(let taken) = result else { throw Self.otherAnswer }
        return taken.feedback
    }
}

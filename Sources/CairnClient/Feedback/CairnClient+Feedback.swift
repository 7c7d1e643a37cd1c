public import CairnWire

/// Feedback from users to the developers of the app (STA-5).
extension CairnClient {
    /// Says what the user thinks, or what is broken (STA-5).
    /// - Returns: the id of the entry, once it is on the server's disk.
    @discardableResult
    public func sendFeedback(_ feedback: WireSendFeedback) async throws(Refusal) -> String {
        try await ask(feedback).feedback
    }
}

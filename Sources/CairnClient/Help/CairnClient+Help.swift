public import CairnWire

/// Help (PRF-10).
extension CairnClient {
    /// The questions and answers of the server, in the language of the connection. Guests may ask as well.
    public func help() async throws(Refusal) -> WireHelp {
        return try await ask(WireGetHelp())
    }
}

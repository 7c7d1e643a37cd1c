internal import CairnWire

extension Shard {
    /// A JSON message says what it called its body, and nearly always it is a name misspelt.
    func unknownKind(_ envelope: ClientEnvelope) -> Refusal {
        guard let name = envelope.unknownName else {
            return Refusal(.unknownType, component: "session")
        }
        var (message, details) = ("there is no \"\(name)\"", ["name": name])
        if let nearest = NearestName.of(name, in: SessionMessage.names + context.register.requestNames) {
            message += "; did you mean \"\(nearest)\"?"
            details["nearest"] = nearest
        }
        return Refusal(.unknownType, Refusal.Text(english: message), component: "session", details: details)
    }
}

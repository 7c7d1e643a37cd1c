import CairnWire

/// Questions about sub-realms that the bot is not in.
extension Gathering {
    static let questions = [
        Question(
            "find_realms",
            body: { _, _ in
                var body = WireFindRealms()
                // The name of every sub-realm of the crowd begins so.
                body.prefix = "Circle"
                return .findRealms(body)
            },
            isAnswer: { if case .realmList = $0 { true } else { false } })
    ]
}

import CairnWire

/// Questions about sub-realms that the bot is not in.
extension Gathering {
    static let questions = [
        Question { _, _ in
            var body = WireFindRealms()
            // The name of every sub-realm of the crowd begins so.
            body.prefix = "Circle"
            return body
        }
    ]
}

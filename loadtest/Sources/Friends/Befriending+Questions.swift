import CairnWire

/// Questions about other people.
extension Befriending {
    static let questions = [
        Question { _, _ in
            var body = WireFindUsers()
            // Every bot's name begins so.
            body.prefix = "b"
            return body
        },
        Question { _, _ in WireListBlocks() },
    ]
}

import CairnWire

/// Questions about other people.
extension Befriending {
    static let questions = [
        Question(
            "find_users",
            body: { _, _ in
                var body = WireFindUsers()
                // Every bot's name begins so.
                body.prefix = "b"
                return .findUsers(body)
            },
            isAnswer: { if case .userList = $0 { true } else { false } }),
        Question(
            "list_blocks", body: { _, _ in .listBlocks(WireListBlocks()) },
            isAnswer: { if case .userList = $0 { true } else { false } }),
    ]
}

import CairnWire

/// Questions about published tours.
extension Touring {
    static let questions = [
        Question(
            "list_tours", body: { _, _ in .listTours(WireListTours()) },
            isAnswer: { if case .tourList = $0 { true } else { false } })
    ]
}

import CairnWire

/// Questions about published tours.
extension Touring {
    static let questions = [Question { _, _ in WireListTours() }]
}

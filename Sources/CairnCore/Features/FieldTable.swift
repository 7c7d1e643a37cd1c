/// Values by the field that a kind of message has in the envelope (`MessageKind.field`). Fields are small numbers, so a
/// look-up is an index; a dictionary hashes the number each time.
struct FieldTable<Value: Sendable>: Sendable {
    private var slots: [Value?] = []
    /// Bounds the table, so that a mistyped number does not allocate a million slots.
    private static var fieldMax: UInt32 { 65_535 }

    /// Any number can be read. Setting one above 65,535 traps.
    subscript(field: UInt32) -> Value? {
        get { field < UInt32(slots.count) ? slots[Int(field)] : nil }
        set {
            precondition(field <= Self.fieldMax, "the field \(field) is too large a number")
            while slots.count <= Int(field) { slots.append(nil) }
            slots[Int(field)] = newValue
        }
    }

    /// All values, the lowest field first.
    var values: some Sequence<Value> { slots.lazy.compactMap { $0 } }
}

import CairnWire

/// Every stored value of something, in one order: two values are the same when this is. A property that somebody adds
/// is in it without being named. Messages are what they say: where their bytes lie in memory is in their mirrors, too.
func spelledOut(_ value: Any) -> String {
    if let message = value as? any WireMessage { return "\(type(of: value))(\(WireBody.encode(message)))" }
    let mirror = Mirror(reflecting: value)
    var parts = mirror.children.map { "\($0.label ?? "")=\(spelledOut($0.value))" }
    if mirror.displayStyle == .set || mirror.displayStyle == .dictionary { parts.sort() }
    guard !parts.isEmpty else { return "\(value)" }
    return "\(type(of: value))(\(parts.joined(separator: " ")))"
}

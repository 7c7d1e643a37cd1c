/// Every stored value of something, in one order: two values are the same when this is. A property that somebody adds
/// is in it without being named.
func spelledOut(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    var parts = mirror.children.map { "\($0.label ?? "")=\(spelledOut($0.value))" }
    if mirror.displayStyle == .set || mirror.displayStyle == .dictionary { parts.sort() }
    guard !parts.isEmpty else { return "\(value)" }
    return "\(type(of: value))(\(parts.joined(separator: " ")))"
}

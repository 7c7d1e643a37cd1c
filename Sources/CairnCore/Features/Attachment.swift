/// State that a feature keeps with an instance. It lives, moves between cells and is taken back with its record.
///
/// The feature declares the type in its folder and nothing else knows it. What clients see of it the feature adds in
/// `Feature.describe`.
public protocol Attachment: Sendable {}

/// What features keep with one instance: at most one value of each type. Empty takes no memory.
public struct Attachments: Sendable {
    private var values: [any Attachment] = []

    /// Nothing.
    public init() {}

    /// The value of this type; nil = there is none.
    public subscript<Value: Attachment>(_ type: Value.Type) -> Value? {
        get {
            // By type, not by a cast: a cast of each would cost more than all the rest.
            for value in values where Swift.type(of: value) == type { return value as? Value }
            return nil
        }
        set {
            let index = values.firstIndex { Swift.type(of: $0) == type }
            switch (index, newValue) {
            case (let index?, let value?): values[index] = value
            case (let index?, nil): values.remove(at: index)
            case (nil, let value?): values.append(value)
            case (nil, nil): break
            }
        }
    }
}

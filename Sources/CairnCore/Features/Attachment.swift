/// State that a feature keeps with an instance. It exists, moves between cells and is reverted together with the
/// instance's record.
///
/// Only the feature's own folder knows the type. The feature adds the parts that clients see in `Feature.describe`.
public protocol Attachment: Sendable {}

/// The attachments of one instance, at most one of each type. Without attachments it takes no memory.
public struct Attachments: Sendable {
    private var values: [any Attachment] = []

    /// No attachments.
    public init() {}

    /// The value of this type; nil = there is none.
    public subscript<Value: Attachment>(_ type: Value.Type) -> Value? {
        get {
            // Compares types. A cast of each element would cost more than everything else here.
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

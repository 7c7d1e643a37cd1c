/// A kind of client message: the number of its field in `ClientMessage.body`.
///
/// Two kinds are equal when their numbers are; the name is for people (logs, metrics, refusals).
public struct MessageKind: Hashable, Sendable, CustomStringConvertible {
    /// Lowest number of a body. Lower fields belong to the envelope itself (`id`, `key` and later ones).
    public static let firstField: UInt32 = 10

    /// Number of the field in `ClientMessage.body`, at least `firstField`.
    public let field: UInt32
    /// Name of the field in the schema, for instance `place`.
    public let name: String

    /// - Precondition: `field` is a body's number, not the envelope's.
    public init(field: UInt32, name: String) {
        precondition(field >= Self.firstField, "MessageKind \(name): field \(field) belongs to the envelope")
        self.field = field
        self.name = name
    }

    public static func == (a: Self, b: Self) -> Bool { a.field == b.field }
    public func hash(into hasher: inout Hasher) { hasher.combine(field) }
    public var description: String { name }
}

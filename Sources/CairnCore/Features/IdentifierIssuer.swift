public import CairnWire
internal import Synchronization

/// One source of identifiers for a whole process, from any thread: what it hands out strictly increases. It also knows
/// by which names they leave the server, and which one is meant by a name that comes in.
public final class IdentifierIssuer: Sendable {
    private let source: Mutex<IdentifierSource>
    private let veil: Veil

    /// - Parameters:
    ///   - node: the process that makes them.
    ///   - last: the greatest number that is already taken, for instance the largest in the database.
    ///   - veil: gives the names; the same for as long as a world lives.
    public init(
        node: NodeID = .only, after last: UInt64 = 0,
        veil: Veil = Veil(key: [UInt8](repeating: 0, count: Veil.keyByteCount))
    ) {
        source = Mutex(IdentifierSource(node: node, after: last))
        self.veil = veil
    }

    /// By this name clients know what the identifier stands for. It does not tell when that was made.
    public func name<Tag>(of identifier: Identifier<Tag>) -> String {
        Identifier<Tag>(rawValue: veil.veiled(identifier.rawValue)).description
    }

    /// What a client means by a name; nil = nothing has such a name. Identifiers as they were given out before there
    /// were names mean themselves.
    public func identifier<Tag>(named name: String, _ tag: Tag.Type = Tag.self) -> Identifier<Tag>? {
        Identifier<Tag>(name).map { Identifier(rawValue: veil.unveiled($0.rawValue)) }
    }

    /// - Parameter milliseconds: the time, since 1970-01-01 UTC.
    public func next<Tag>(_ tag: Tag.Type = Tag.self, at milliseconds: Int64) -> Identifier<Tag> {
        source.withLock { source in
            var generator = SystemRandomNumberGenerator()
            return source.next(tag, at: milliseconds, using: &generator)
        }
    }
}

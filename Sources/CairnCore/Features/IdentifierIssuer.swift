public import CairnWire
internal import Synchronization

/// One source of identifiers for a whole process, from any thread: what it hands out strictly increases.
public final class IdentifierIssuer: Sendable {
    private let source: Mutex<IdentifierSource>

    /// - Parameter last: the greatest number that is already taken, for instance the largest in the database.
    public init(after last: UInt64 = 0) {
        source = Mutex(IdentifierSource(after: last))
    }

    /// - Parameter milliseconds: the time, since 1970-01-01 UTC.
    public func next<Tag>(_ tag: Tag.Type = Tag.self, at milliseconds: Int64) -> Identifier<Tag> {
        source.withLock { source in
            var generator = SystemRandomNumberGenerator()
            return source.next(tag, at: milliseconds, using: &generator)
        }
    }
}

public import CairnWire
internal import Synchronization

/// The process's source of identifiers, usable from any thread; they strictly increase. It also translates between
/// identifiers and their names on the wire.
public final class IdentifierIssuer: Sendable {
    private struct State: Sendable {
        var source: IdentifierSource
        var bits = SequenceBits()
    }

    private let state: Mutex<State>
    private let veil: Veil

    /// - Parameters:
    ///   - node: the process that issues them.
    ///   - last: the greatest number that is already taken, for instance the largest in the database.
    ///   - veil: gives the names; it stays the same as long as the world exists.
    public init(
        node: NodeID = .only, after last: UInt64 = 0,
        veil: Veil = Veil(key: [UInt8](repeating: 0, count: Veil.keyByteCount))
    ) {
        state = Mutex(State(source: IdentifierSource(node: node, after: last)))
        self.veil = veil
    }

    /// The name on the wire of an identifier. It does not reveal when the thing was made.
    public func name<Tag>(of identifier: Identifier<Tag>) -> String {
        Identifier<Tag>(rawValue: veil.veiled(identifier.rawValue)).description
    }

    /// The identifier of a name on the wire; nil = not a name. An identifier that was issued before names existed is
    /// its own name.
    public func identifier<Tag>(named name: String, _ tag: Tag.Type = Tag.self) -> Identifier<Tag>? {
        Identifier<Tag>(name).map { Identifier(rawValue: veil.unveiled($0.rawValue)) }
    }

    /// - Parameter time: becomes part of the identifier.
    public func next<Tag>(_ tag: Tag.Type = Tag.self, at time: WallTime) -> Identifier<Tag> {
        state.withLock { $0.source.next(tag, at: time.milliseconds, using: &$0.bits) }
    }
}

/// Splits each of the system's random numbers among five identifiers, which need 12 random bits each: a call into the
/// system takes longer than all other work here.
private struct SequenceBits: RandomNumberGenerator, Sendable {
    private static let bitsEach = 12
    private var number: UInt64 = 0
    private var left = 0

    /// Only the lowest 12 bits are random.
    mutating func next() -> UInt64 {
        if left == 0 {
            var system = SystemRandomNumberGenerator()
            number = system.next()
            left = UInt64.bitWidth / Self.bitsEach
        }
        left -= 1
        defer { number >>= UInt64(Self.bitsEach) }
        return number & (1 << UInt64(Self.bitsEach) - 1)
    }
}

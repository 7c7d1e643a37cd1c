public import CairnTime

/// A value that another node can be sent.
///
/// Loops of one process hand such values to one another as they are: nothing is encoded there. A value holds no
/// closure, no task and no reference, because they cannot be encoded: no code assumes that two loops share a process.
///
/// The form is positional: values one after the other, without names. Nodes of a cluster run the same version of it
/// (`NodeEncoder.version`); what is stored has another form.
public protocol NodeCodable: Sendable {
    /// Writes the value behind what the encoder holds.
    func encode(to encoder: inout NodeEncoder)
    /// Reads what `encode(to:)` wrote. Any bytes may come: they are refused, and never trap.
    init(from decoder: inout NodeDecoder) throws(NodeFault)
}

extension NodeCodable {
    /// The value as bytes, with the version of their form in front.
    /// - Parameter now: of this node.
    public func encoded(now: MonotonicTime) -> [UInt8] {
        var encoder = NodeEncoder(now: now)
        encoder.put(NodeEncoder.version, self)
        return encoder.bytes
    }

    /// The value that these bytes are, all of them.
    /// - Parameters:
    ///   - register: knows commands and messages by their kinds.
    ///   - now: of this node.
    public init(encoded bytes: [UInt8], register: FeatureRegister, now: MonotonicTime) throws(NodeFault) {
        var decoder = NodeDecoder(bytes, register: register, now: now)
        guard try decoder.get(UInt8.self) == NodeEncoder.version else { throw .otherVersion }
        self = try decoder.get()
        guard decoder.isAtEnd else { throw .surplus }
    }
}

/// Why bytes of another node are no value.
public enum NodeFault: Error, Hashable, Sendable {
    /// They end within it.
    case truncated
    /// Some are left behind it.
    case surplus
    /// A node with another form wrote them.
    case otherVersion
    /// A number stands for no case, no text or no value of its type.
    case outOfRange
    /// A message is unreadable, or of a kind that no feature here registers.
    case unreadable
}

public import CairnTime
public import CairnWire

/// Reads what `NodeEncoder` wrote. A count is checked against the bytes that are left before anything is made of it.
public struct NodeDecoder: Sendable {
    private let source: [UInt8]
    private var offset = 0
    /// Knows commands and messages by their kinds.
    public let register: FeatureRegister
    private let now: MonotonicTime

    /// - Parameter now: of this node.
    init(_ bytes: [UInt8], register: FeatureRegister, now: MonotonicTime) {
        source = bytes
        self.register = register
        self.now = now
    }

    var isAtEnd: Bool { offset == source.count }

    /// Reads a value.
    public mutating func get<Value: NodeCodable>(_ type: Value.Type = Value.self) throws(NodeFault) -> Value {
        try Value(from: &self)
    }

    /// Reads a number.
    public mutating func number<Number: FixedWidthInteger>(
        _ type: Number.Type = Number.self
    ) throws(NodeFault) -> Number {
        let width = MemoryLayout<Number>.size
        let start = try advance(by: width)
        let raw = source.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: Number.self) }
        return Number(littleEndian: raw)
    }

    /// Reads how many elements follow, each of at least one byte.
    public mutating func count() throws(NodeFault) -> Int {
        let count = Int(try number(UInt32.self))
        guard count <= source.count - offset else { throw .truncated }
        return count
    }

    /// Reads bytes.
    public mutating func bytes() throws(NodeFault) -> [UInt8] {
        let count = try count()
        let start = try advance(by: count)
        return Array(source[start..<start + count])
    }

    /// Reads a message.
    public mutating func message<Message: WireMessage>(
        _ type: Message.Type = Message.self
    ) throws(NodeFault) -> Message {
        let body = try bytes()
        do throws(Refusal) {
            return try WireBody.decode(Message.self, from: body)
        } catch {
            throw .unreadable
        }
    }

    /// Reads a moment, as of the clock of this node. One from before its start is its start.
    public mutating func moment() throws(NodeFault) -> MonotonicTime {
        let age = try number(Int64.self)
        return now - .microseconds(age)
    }

    /// - Returns: the offset before the bytes that were stepped over.
    private mutating func advance(by count: Int) throws(NodeFault) -> Int {
        guard count <= source.count - offset else { throw .truncated }
        defer { offset += count }
        return offset
    }
}

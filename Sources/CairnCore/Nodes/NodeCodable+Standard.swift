// Numbers, texts and collections of the standard library.

extension UInt8: NodeCodable {}
extension UInt16: NodeCodable {}
extension UInt32: NodeCodable {}
extension UInt64: NodeCodable {}
extension Int64: NodeCodable {}
extension Int: NodeCodable {}

extension NodeCodable where Self: FixedWidthInteger {
    public func encode(to encoder: inout NodeEncoder) { encoder.put(number: self) }
    public init(from decoder: inout NodeDecoder) throws(NodeFault) { self = try decoder.number() }
}

extension Bool: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) { encoder.put(number: self ? 1 as UInt8 : 0) }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        switch try decoder.number(UInt8.self) {
        case 0: self = false
        case 1: self = true
        default: throw .outOfRange
        }
    }
}

extension Double: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) { encoder.put(number: bitPattern) }
    public init(from decoder: inout NodeDecoder) throws(NodeFault) { self.init(bitPattern: try decoder.number()) }
}

extension Float: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) { encoder.put(number: bitPattern) }
    public init(from decoder: inout NodeDecoder) throws(NodeFault) { self.init(bitPattern: try decoder.number()) }
}

extension Duration: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) {
        encoder.put(components.seconds, components.attoseconds)
    }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        self.init(secondsComponent: try decoder.get(), attosecondsComponent: try decoder.get())
    }
}

extension WallTime: NodeCodable {}
extension LastingTime: NodeCodable {}

extension NodeCodable where Self: Timestamp {
    public func encode(to encoder: inout NodeEncoder) { encoder.put(number: milliseconds) }
    public init(from decoder: inout NodeDecoder) throws(NodeFault) { self.init(milliseconds: try decoder.number()) }
}

extension String: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) { encoder.put(bytes: Array(utf8)) }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        guard let text = String(validating: try decoder.bytes(), as: UTF8.self) else { throw .outOfRange }
        self = text
    }
}

extension Optional: NodeCodable where Wrapped: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) {
        encoder.put(self != nil)
        if let self { encoder.put(self) }
    }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        self = try decoder.get(Bool.self) ? try decoder.get(Wrapped.self) : nil
    }
}

extension Array: NodeCodable where Element: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) {
        encoder.put(count: count)
        for element in self { encoder.put(element) }
    }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        self = []
        for _ in 0..<(try decoder.count()) { append(try decoder.get()) }
    }
}

extension Set: NodeCodable where Element: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) { encoder.put(Array(self)) }
    public init(from decoder: inout NodeDecoder) throws(NodeFault) { self.init(try decoder.get([Element].self)) }
}

extension Dictionary: NodeCodable where Key: NodeCodable, Value: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) {
        encoder.put(count: count)
        for (key, value) in self { encoder.put(key, value) }
    }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        self = [:]
        for _ in 0..<(try decoder.count()) { self[try decoder.get()] = try decoder.get(Value.self) }
    }
}

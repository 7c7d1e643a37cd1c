extension Sequence<UInt8> {
    /// Two lower-case hexadecimal digits for each byte.
    public var hexadecimal: String {
        let digits = flatMap { [Self.digit($0 >> 4), Self.digit($0 & 15)] }
        return String(decoding: digits, as: Unicode.ASCII.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
}

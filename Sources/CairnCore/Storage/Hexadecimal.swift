extension [UInt8] {
    /// Two lower-case hexadecimal digits for each byte.
    public var hexadecimal: String {
        String(unsafeUninitializedCapacity: 2 * count) { text in
            for (index, byte) in enumerated() {
                text[2 * index] = Self.digit(byte >> 4)
                text[2 * index + 1] = Self.digit(byte & 15)
            }
            return 2 * count
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
}

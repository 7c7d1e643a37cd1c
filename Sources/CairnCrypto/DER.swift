/// The few forms of DER (X.690) in which keys and signatures are written.
enum DER {
    /// Elements one behind the other.
    static func sequence(_ elements: [UInt8]) -> [UInt8] { element(0x30, elements) }

    /// Whole bytes.
    static func bitString(_ bytes: [UInt8]) -> [UInt8] { element(0x03, [0] + bytes) }

    /// A number that is not negative, from its bytes, the highest first. Leading zeros are left out.
    static func integer(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let digits = Array(bytes.drop { $0 == 0 })
        // With a first bit of 1 it would be negative. Zero has one byte.
        let isPadded = digits.first.map { $0 >= 0x80 } ?? true
        return element(0x02, isPadded ? [0] + digits : digits)
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag] + length(of: content) + content
    }

    /// One byte below 128; above, how many bytes the length has, and these.
    private static func length(of content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [UInt8(content.count)] }
        let bytes = withUnsafeBytes(of: content.count.bigEndian) { Array($0.drop { $0 == 0 }) }
        return [0x80 | UInt8(bytes.count)] + bytes
    }
}

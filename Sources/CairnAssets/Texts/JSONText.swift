/// A JSON object as UTF-8 (RFC 8259), such as a tour in GeoJSON. It is kept as it is: what its members mean, and
/// whether they are taken at all, says who reads it.
enum JSONText {
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let blanks = Array(" \t\r\n".utf8)
    /// Blanks before the object that are looked through.
    private static let blanksMax = 256

    static func recognises(_ content: some Collection<UInt8>) -> Bool {
        let start = content.starts(with: mark) ? content.dropFirst(mark.count) : content.dropFirst(0)
        return start.prefix(blanksMax).first { !blanks.contains($0) } == UInt8(ascii: "{")
    }

    /// The text without a byte order mark.
    static func cleaned(_ bytes: [UInt8]) throws(AssetFault) -> [UInt8] {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .damaged("it is no UTF-8") }
        return bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    }
}

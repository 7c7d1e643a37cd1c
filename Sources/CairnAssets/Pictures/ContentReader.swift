/// Reads a content from its beginning. Nothing beyond the end is read: what is missing is a fault.
struct ContentReader {
    private let bytes: ArraySlice<UInt8>
    private(set) var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    var left: Int { bytes.endIndex - position }
    var isAtEnd: Bool { left == 0 }

    mutating func take(_ count: Int) throws(AssetFault) -> ArraySlice<UInt8> {
        guard count >= 0, count <= left else { throw .damaged("it ends too early") }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func byte() throws(AssetFault) -> UInt8 {
        guard !isAtEnd else { throw .damaged("it ends too early") }
        defer { position += 1 }
        return bytes[position]
    }

    /// Two bytes, the highest first.
    mutating func short() throws(AssetFault) -> Int { Int(try byte()) << 8 | Int(try byte()) }

    /// Four bytes, the highest first.
    mutating func long() throws(AssetFault) -> Int { try short() << 16 | (try short()) }

    /// Goes on at a place of the content.
    mutating func move(to place: Int) throws(AssetFault) {
        guard place >= bytes.startIndex, place <= bytes.endIndex else { throw .damaged("it ends too early") }
        position = place
    }
}

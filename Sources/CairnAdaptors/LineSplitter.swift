/// Cuts a stream of bytes into lines. It holds at most one line of `bytesMax` bytes.
struct LineSplitter {
    /// A piece of the stream.
    enum Piece: Equatable {
        /// Without its end.
        case line([UInt8])
        /// `bytesMax` bytes without an end; the rest of the line is passed over.
        case overlong
    }

    private let bytesMax: Int
    private var line: [UInt8] = []
    private var isOverlong = false

    init(bytesMax: Int) { self.bytesMax = bytesMax }

    /// Hands each line that the bytes complete to `body`, until it returns false.
    mutating func take(_ bytes: some Sequence<UInt8>, _ body: (Piece) -> Bool) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                defer {
                    line.removeAll(keepingCapacity: true)
                    isOverlong = false
                }
                if !isOverlong && !body(.line(line)) { return }
            } else if line.count < bytesMax {
                line.append(byte)
            } else {
                // Each further `bytesMax` bytes count as another overlong line: an endless one is noticed.
                isOverlong = true
                line.removeAll(keepingCapacity: true)
                if !body(.overlong) { return }
            }
        }
    }
}

internal import CZlib

/// The inflation of zlib (RFC 1950), 64 KiB at a time. Not copyable: zlib's state points to itself.
struct Inflater: ~Copyable {
    /// Owned: initialised in `init`, freed in `deinit`, never handed out. At one address, because zlib checks it.
    private let stream: UnsafeMutablePointer<z_stream>
    private var room = [UInt8](repeating: 0, count: 65_536)
    private var isOver = false
    /// Bytes of the stream so far. What comes behind its end is passed over.
    private(set) var consumed = 0

    init() {
        // The memory is this value's own until deinit.
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let result = inflateInit_(stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(result == Z_OK, "zlib: out of memory, or another version than this was built with")
    }

    deinit {
        inflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Inflates the next bytes and hands out what they give.
    /// - Parameter isLast: the stream has to end within these bytes.
    mutating func take(
        _ bytes: ArraySlice<UInt8>, isLast: Bool, _ give: (ArraySlice<UInt8>) throws(AssetFault) -> Void
    ) throws(AssetFault) {
        var input = Array(bytes)
        var used = 0
        while !isOver {
            let (state, taken, made) = step(&input, from: used)
            used += taken
            guard state == Z_OK || state == Z_STREAM_END || state == Z_BUF_ERROR else {
                throw .damaged("its image data do not inflate")
            }
            isOver = state == Z_STREAM_END
            if made > 0 { try give(room[..<made]) }
            // The room was not filled, so zlib wants more input.
            if made < room.count { break }
        }
        consumed += used
        guard isOver || (used == input.count && !isLast) else { throw .damaged("its image data have a wrong length") }
    }

    private mutating func step(_ input: inout [UInt8], from used: Int) -> (state: Int32, taken: Int, made: Int) {
        let left = input.count - used
        return input.withUnsafeMutableBufferPointer { input in
            room.withUnsafeMutableBufferPointer { output in
                // Both buffers live until the call returns, and zlib forgets them below.
                stream.pointee.next_in = input.baseAddress.map { $0 + used }
                stream.pointee.avail_in = UInt32(left)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(output.count)
                let state = inflate(stream, Z_NO_FLUSH)
                let (taken, made) = (left - Int(stream.pointee.avail_in), output.count - Int(stream.pointee.avail_out))
                stream.pointee.next_in = nil
                stream.pointee.next_out = nil
                return (state, taken, made)
            }
        }
    }
}

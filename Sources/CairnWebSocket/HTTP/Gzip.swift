internal import CZlib

/// The gzip of zlib (RFC 1952). Not copyable: zlib's state points to itself.
struct Gzip: ~Copyable {
    /// Owned: initialised in `init`, freed in `deinit`, never handed out. At one address, because zlib checks it.
    private let stream: UnsafeMutablePointer<z_stream>

    init() {
        // The memory is this value's own until deinit.
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 15 bits of window and 16 for gzip's head and sum; 8 is zlib's own default of memory, 256 KiB in all.
        let result = deflateInit2_(
            stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        precondition(result == Z_OK, "zlib: out of memory, or another version than this was built with")
    }

    deinit {
        deflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// What packing `bytes` gives, of these and earlier ones; nothing, as long as zlib collects.
    /// - Parameter isLast: nothing follows, and everything comes out.
    mutating func pack(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
        var bytes = bytes
        var packed: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 16_384)
        bytes.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            repeat {
                let made = room.withUnsafeMutableBufferPointer { output in
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = UInt32(output.count)
                    // The only errors are those of misuse: both buffers live until the call returns.
                    _ = deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                    return output.count - Int(stream.pointee.avail_out)
                }
                packed += room[..<made]
            } while stream.pointee.avail_out == 0
            stream.pointee.next_in = nil
            stream.pointee.next_out = nil
        }
        return packed
    }

    /// The whole of something small. Takes its time: before the start, or on the bulk lane.
    static func packed(_ bytes: [UInt8]) -> [UInt8] {
        var gzip = Gzip()
        return gzip.pack(bytes, isLast: true)
    }
}

/// Another body, packed while it goes out.
actor GzipBody: BodySource {
    nonisolated var byteCount: Int? { nil }
    private let plain: any BodySource
    private var gzip = Gzip()
    private var cutter = PieceCutter()
    private var isOver = false

    init(_ plain: any BodySource) {
        self.plain = plain
    }

    func next() async throws -> [UInt8]? {
        while cutter.isEmpty && !isOver {
            let piece = try await plain.next()
            isOver = piece == nil
            cutter.put(gzip.pack(piece ?? [], isLast: isOver))
        }
        return cutter.take()
    }
}

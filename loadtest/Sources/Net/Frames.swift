/// RFC 6455 as far as a load bot needs it.
enum Frames {
    enum Opcode: UInt8 {
        case continuation = 0
        case text = 1
        case binary = 2
        case close = 8
        case ping = 9
        case pong = 10
    }

    /// A frame at the start of some bytes, its payload in place.
    struct Frame {
        let opcode: Opcode
        let isFinal: Bool
        let payload: Range<Int>
        /// Bytes of header and payload.
        var end: Int { payload.upperBound }
    }

    enum Reading {
        case frame(Frame)
        /// The frame is incomplete.
        case incomplete
        /// A server must not send this frame.
        case broken(String)
    }

    /// Reads the frame that begins at `start`. Frames of a server are not masked.
    static func read(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Reading {
        let available = bytes.count - start
        guard available >= 2 else { return .incomplete }
        let (first, second) = (bytes[start], bytes[start + 1])
        guard first & 0x70 == 0 else { return .broken("a reserved bit is set") }
        guard let opcode = Opcode(rawValue: first & 0x0F) else { return .broken("opcode \(first & 0x0F)") }
        guard second & 0x80 == 0 else { return .broken("a server's frame is masked") }
        var header = 2
        var length = Int(second)
        if second == 126 {
            guard available >= 4 else { return .incomplete }
            header = 4
            length = Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: start + 2, as: UInt16.self)))
        } else if second == 127 {
            guard available >= 10 else { return .incomplete }
            header = 10
            let long = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: start + 2, as: UInt64.self))
            guard long <= 1 << 30 else { return .broken("a frame of \(long) bytes") }
            length = Int(long)
        }
        guard available >= header + length else { return .incomplete }
        let payload = start + header..<start + header + length
        return .frame(Frame(opcode: opcode, isFinal: first & 0x80 != 0, payload: payload))
    }

    /// Bytes of the header in front of an unmasked payload.
    static func headerBytes(of payloadBytes: Int) -> Int { payloadBytes < 126 ? 2 : payloadBytes < 65_536 ? 4 : 10 }

    /// Appends a masked frame, as clients send them.
    static func append(_ opcode: Opcode, _ payload: some Collection<UInt8>, mask: UInt32, to out: inout [UInt8]) {
        out.append(0x80 | opcode.rawValue)
        let length = payload.count
        switch length {
        case ..<126: out.append(0x80 | UInt8(length))
        case ..<65_536:
            out.append(0x80 | 126)
            withUnsafeBytes(of: UInt16(length).bigEndian) { out.append(contentsOf: $0) }
        default:
            out.append(0x80 | 127)
            withUnsafeBytes(of: UInt64(length).bigEndian) { out.append(contentsOf: $0) }
        }
        withUnsafeBytes(of: mask) { key in
            out.append(contentsOf: key)
            var index = 0
            for byte in payload {
                out.append(byte ^ key[index & 3])
                index &+= 1
            }
        }
    }
}

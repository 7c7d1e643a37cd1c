internal import Foundation

/// Blocking reads and writes on loopback sockets.
enum RawSocket {
    struct Frame {
        let isFinal: Bool
        let opcode: UInt8
        let payload: [UInt8]
    }

    /// A TCP connection to 127.0.0.1.
    static func connect(port: Int, receiveBufferBytes: Int? = nil) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw BenchError("socket: \(String(cString: strerror(errno)))") }
        if let receiveBufferBytes {
            // Set before connecting, so that the TCP window is never larger.
            var bytes = Int32(receiveBufferBytes)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        var noDelay: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &noDelay, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        // The C API takes any family's address; the length says which it is.
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let cause = String(cString: strerror(errno))
            close(descriptor)
            throw BenchError("connect to port \(port): \(cause)")
        }
        return descriptor
    }

    /// Sends all bytes; stops when the other side is gone.
    @discardableResult
    static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            // The slice is the array's own memory, borrowed for one call.
            let count = bytes[sent...].withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Reads exactly `count` bytes; nil when the connection ends before.
    static func read(_ count: Int, from descriptor: Int32) -> [UInt8]? {
        guard count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            // The slice is the array's own memory, borrowed for one call.
            let got = bytes[filled...].withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else { return nil }
            filled += got
        }
        return bytes
    }

    /// Reads everything until the connection ends.
    static func readAll(_ descriptor: Int32) -> [UInt8] {
        var all: [UInt8] = []
        while let byte = read(1, from: descriptor) { all += byte }
        return all
    }

    /// Reads the lines up to the first empty one.
    static func readHead(_ descriptor: Int32) -> String {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8), let byte = read(1, from: descriptor) { head += byte }
        return String(decoding: head, as: UTF8.self)
    }

    /// Reads the server's next frame; nil when the connection ends.
    static func readFrame(_ descriptor: Int32) -> Frame? {
        guard let start = read(2, from: descriptor) else { return nil }
        var count = Int(start[1] & 0x7F)
        if count >= 126 {
            guard let long = read(count == 126 ? 2 : 8, from: descriptor) else { return nil }
            count = long.reduce(0) { $0 << 8 | Int($1) }
        }
        guard let payload = read(count, from: descriptor) else { return nil }
        return Frame(isFinal: start[0] & 0x80 != 0, opcode: start[0] & 0x0F, payload: payload)
    }
}

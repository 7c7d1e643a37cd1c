import CairnTesting
import Foundation
import Synchronization

@testable import cairn_crowd

/// A proxy between a crowd and a real server, on its own port, that falsifies messages of the server.
final class TamperingProxy: Sendable {
    let port: UInt16
    private let serverPort: Int
    private let listener: Int32
    private let result: Mutex<Tampering>
    private let isStopped = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)

    /// One connection of the crowd, with its connection to the server. Confined to the proxy's thread.
    private struct Link {
        let crowd: Int32
        let server: Int32
        var isUpgraded = false
        /// Bytes from the server that are not a whole frame yet.
        var unread: [UInt8] = []
    }

    init(serverPort: Int, _ kind: Tampering.Kind) throws {
        self.serverPort = serverPort
        result = Mutex(Tampering(kind))
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        // The C API takes any family's address; the length says which it is.
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 256) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw BenchError("the proxy could not listen: \(String(cString: strerror(errno)))") }
        port = address.sin_port.bigEndian
        let thread = Thread { [self] in
            run()
            ended.signal()
        }
        thread.name = "tampering proxy"
        thread.start()
    }

    /// Ends the proxy.
    /// - Returns: the tampering, with its counts.
    func stop() -> Tampering {
        isStopped.store(true, ordering: .relaxed)
        ended.wait()
        return result.withLock { $0 }
    }

    // MARK: Thread

    private func run() {
        var links: [Link] = []
        defer {
            close(listener)
            for link in links {
                close(link.crowd)
                close(link.server)
            }
        }
        while !isStopped.load(ordering: .relaxed) {
            var polled = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
            for link in links {
                polled.append(pollfd(fd: link.crowd, events: Int16(POLLIN), revents: 0))
                polled.append(pollfd(fd: link.server, events: Int16(POLLIN), revents: 0))
            }
            guard poll(&polled, nfds_t(polled.count), 50) > 0 else { continue }
            for index in links.indices {
                if polled[1 + 2 * index].revents != 0 { forward(&links[index]) }
                if polled[2 + 2 * index].revents != 0 { answer(&links[index], index, links.map(\.crowd)) }
            }
            if polled[0].revents != 0, let link = accepted() { links.append(link) }
        }
    }

    private func accepted() -> Link? {
        let crowd = accept(listener, nil, nil)
        guard crowd >= 0 else { return nil }
        guard let server = try? Self.connect(port: serverPort) else {
            close(crowd)
            return nil
        }
        return Link(crowd: crowd, server: server)
    }

    private func forward(_ link: inout Link) {
        let bytes = Self.read(link.crowd)
        if bytes.isEmpty { shutdown(link.server, Int32(SHUT_WR)) }
        Self.send(bytes, to: link.server)
    }

    private func answer(_ link: inout Link, _ number: Int, _ crowd: [Int32]) {
        let bytes = Self.read(link.server)
        if bytes.isEmpty { shutdown(link.crowd, Int32(SHUT_WR)) }
        link.unread += bytes
        if !link.isUpgraded {
            guard let end = link.unread.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return }
            Self.send(Array(link.unread[..<end]), to: link.crowd)
            link.unread.removeFirst(end)
            link.isUpgraded = true
        }
        let unread = link.unread
        var taken = 0
        var out: [UInt8] = []
        unread.withUnsafeBytes { raw in
            while case .frame(let frame) = Frames.read(raw, at: taken) {
                if frame.opcode == .binary, frame.isFinal {
                    let (changed, strays) = result.withLock { tampering in
                        (tampering.change(Array(raw[frame.payload]), on: number), tampering.takeStrays())
                    }
                    if !changed.isEmpty { out += Self.frame(changed) }
                    for stray in strays { Self.send(Self.frame(stray.bytes), to: crowd[stray.link]) }
                } else {
                    out += raw[taken..<frame.end]
                }
                taken = frame.end
            }
        }
        link.unread.removeFirst(taken)
        Self.send(out, to: link.crowd)
    }

    // MARK: Bytes

    /// A frame as a server sends it: unfragmented, binary, without a mask.
    private static func frame(_ payload: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [0x82]
        switch payload.count {
        case ..<126: bytes.append(UInt8(payload.count))
        case ..<65_536: bytes += [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default: bytes += [127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        return bytes + payload
    }

    private static func connect(port: Int) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var noDelay: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &noDelay, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        // The C API takes any family's address; the length says which it is.
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw BenchError("connect to port \(port): \(String(cString: strerror(errno)))") }
        return descriptor
    }

    private static func read(_ descriptor: Int32) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
            // The buffer is borrowed for the call, which returns the number of bytes in it.
            count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
        }
    }

    private static func send(_ bytes: [UInt8], to descriptor: Int32) {
        var sent = 0
        while sent < bytes.count {
            // The slice is the array's own memory, borrowed for one call.
            let count = bytes[sent...].withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }
}

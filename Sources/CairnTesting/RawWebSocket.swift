internal import Foundation
internal import Synchronization

/// A WebSocket client on a plain POSIX socket. It shares no code with what it tests, and it reads only when the test
/// lets it, so it can be as slow as a test needs.
public final class RawWebSocket: Sendable {
    /// What arrives from the server.
    public enum Arrival: Sendable {
        case binary([UInt8])
        case text([UInt8])
        /// The connection is gone; 1006 when there was no CLOSE.
        case closed(code: UInt16)
    }

    private let descriptor: Int32
    private let gate = NSCondition()
    private let isReading: Mutex<Bool>
    /// Whether the descriptor is still ours: after closing, its number may be reused.
    private let isOpen = Mutex(true)
    private let arrived: @Sendable (Arrival) -> Void

    /// Connects to loopback and shakes hands.
    ///
    /// - Parameters:
    ///   - receiveBufferBytes: size of the kernel's receive buffer; nil = the kernel's default.
    ///   - reads: false = nothing is read until `resumeReading`.
    ///   - arrived: called with each whole message and once with the end, on a thread of this connection's own.
    /// - Throws: `BenchError` with the server's answer when the handshake fails.
    public init(
        port: Int, path: String = "/v1", subprotocol: String = "cairn.v1.proto", receiveBufferBytes: Int? = nil,
        reads: Bool = true, arrived: @escaping @Sendable (Arrival) -> Void
    ) throws {
        descriptor = try RawSocket.connect(port: port, receiveBufferBytes: receiveBufferBytes)
        self.arrived = arrived
        isReading = Mutex(reads)
        let request = """
            GET \(path) HTTP/1.1\r
            Host: 127.0.0.1:\(port)\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
            Sec-WebSocket-Version: 13\r
            Sec-WebSocket-Protocol: \(subprotocol)\r
            \r\n
            """
        RawSocket.send(Array(request.utf8), to: descriptor)
        let head = RawSocket.readHead(descriptor)
        guard head.hasPrefix("HTTP/1.1 101") else {
            Foundation.close(descriptor)
            throw BenchError("no WebSocket: \(head.prefix { $0 != "\r\n" && $0 != "\r" })")
        }
        let thread = Thread { [self] in readAll() }
        thread.stackSize = 256 << 10
        thread.start()
    }

    // MARK: Out

    /// Sends one whole text message.
    public func send(text: [UInt8]) { send(text, opcode: 1) }

    /// Sends one whole binary message.
    public func send(binary: [UInt8]) { send(binary, opcode: 2) }

    /// Sends `count` pings without payload, in as few system calls as possible.
    @discardableResult
    public func send(pings count: Int) -> Bool {
        let frames = [UInt8]((0..<count).map { _ in [0x89, 0x80, 0, 0, 0, 0] as [UInt8] }.joined())
        return isOpen.withLock { $0 && RawSocket.send(frames, to: descriptor) }
    }

    /// Starts the closing handshake; `closed` follows when the other side has answered.
    public func close(code: UInt16 = 1_000) {
        send([UInt8(code >> 8), UInt8(code & 0xFF)], opcode: 8)
        resumeReading()
    }

    /// Drops the connection without a CLOSE.
    public func abort() {
        isOpen.withLock { if $0 { _ = shutdown(descriptor, Int32(SHUT_RDWR)) } }
        resumeReading()
    }

    /// Shuts down the sending half of the TCP connection, without a CLOSE.
    public func endSending() {
        isOpen.withLock { if $0 { _ = shutdown(descriptor, Int32(SHUT_WR)) } }
    }

    // MARK: In

    /// Stops reading: input then waits in the kernel, and once its buffer is full, at the sender.
    public func pauseReading() {
        isReading.withLock { $0 = false }
    }

    /// Reads again.
    public func resumeReading() {
        gate.lock()
        isReading.withLock { $0 = true }
        gate.broadcast()
        gate.unlock()
    }

    private func waitUntilReading() {
        gate.lock()
        while !isReading.withLock({ $0 }) { gate.wait() }
        gate.unlock()
    }

    private func send(_ payload: [UInt8], opcode: UInt8) {
        var frame: [UInt8] = [0x80 | opcode]
        switch payload.count {
        case ..<126: frame.append(0x80 | UInt8(payload.count))
        case ..<65_536: frame += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default: frame += [0x80 | 127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: payload.count >> ($0 * 8)) }
        }
        let mask: [UInt8] = [0x12, 0x34, 0x56, 0x78]
        frame += mask
        for (place, byte) in payload.enumerated() { frame.append(byte ^ mask[place & 3]) }
        // One frame at a time, from any thread.
        isOpen.withLock { if $0 { RawSocket.send(frame, to: descriptor) } }
    }

    private func readAll() {
        var code: UInt16 = 1_006
        var message: [UInt8] = []
        var isText = false
        frames: while true {
            waitUntilReading()
            guard let frame = RawSocket.readFrame(descriptor) else { break }
            switch frame.opcode {
            case 0, 1, 2:
                if frame.opcode != 0 { isText = frame.opcode == 1 }
                message += frame.payload
                guard frame.isFinal else { continue }
                arrived(isText ? .text(message) : .binary(message))
                message = []
            case 8:
                if frame.payload.count >= 2 { code = UInt16(frame.payload[0]) << 8 | UInt16(frame.payload[1]) }
                send(Array(frame.payload.prefix(2)), opcode: 8)
                break frames
            case 9: send(frame.payload, opcode: 10)
            default: break
            }
        }
        isOpen.withLock { isOpen in
            isOpen = false
            Foundation.close(descriptor)
        }
        arrived(.closed(code: code))
    }
}

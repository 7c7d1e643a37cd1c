import CairnTime
import CairnWire
import Glibc

/// All connections of a crowd on one thread.
///
/// It is written for one purpose: thousands of readers on half a core. One `recv` reads all bytes of a socket into a
/// shared buffer, and frames are passed on in place. `WebSocketLoop`'s client passes received bytes one by one through
/// libwebsockets and reads a random number for every mask, which at a few million poses a second costs more than a core
/// (docs/decisions, the crowd's sockets).
final class SocketLoop: ConnectionLoop {
    private let endpoint: Endpoint
    /// Nil without TLS.
    private let secure: SecureClient?
    private let request: [UInt8]
    private let opcode: Frames.Opcode
    private let epoll = Epoll()
    private var sockets: [BotSocket]
    private var frame: [UInt8] = []
    private var mask: UInt32 = 0x9E37_79B9
    weak var handler: (any SocketHandler)?
    /// When the next tick is due.
    private var due: MonotonicTime = .epoch
    /// When the present turn began to pass on received bytes.
    private var turnBegan: MonotonicTime?
    /// The longest possible delay of received bytes, in the present second and in the one before.
    private var waits: (now: Duration, before: Duration, since: MonotonicTime) = (.zero, .zero, .epoch)

    /// More than a server sends in one message (its outbox holds 256 KiB).
    private static let bufferBytes = 1 << 20
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: SocketLoop.bufferBytes, alignment: 16)

    /// A fixed nonce of RFC 6455 1.3 and its answer: nonces protect against caches, and there are none here.
    private static let nonce = "dGhlIHNhbXBsZSBub25jZQ=="
    private static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    /// - Parameter secure: the TLS client, required for a `wss` endpoint.
    init(endpoint: Endpoint, secure: SecureClient? = nil, format: WireFormat, capacity: Int) {
        precondition(endpoint.isSecure == (secure != nil), "TLS is the URL's to ask for")
        self.endpoint = endpoint
        self.secure = secure
        opcode = format == .proto ? .binary : .text
        sockets = Array(repeating: BotSocket(), count: capacity)
        request = Array(
            """
            GET \(endpoint.path) HTTP/1.1\r
            Host: \(endpoint.authority)\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Version: 13\r
            Sec-WebSocket-Key: \(Self.nonce)\r
            Sec-WebSocket-Protocol: \(format.subprotocol)\r
            \r

            """.utf8)
    }

    deinit { buffer.deallocate() }

    static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(microseconds: UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000)
    }

    var now: MonotonicTime { Self.now }

    func run() {
        defer { for bot in sockets.indices { abort(bot) } }
        due = Self.now
        while true {
            let before = Self.now
            turnBegan = nil
            epoll.poll(microseconds: due.microseconds(since: before)) { tag, ready in
                if turnBegan == nil { turnBegan = Self.now }
                self.ready(Int(tag), ready)
            }
            let now = Self.now
            noteTurn(from: turnBegan ?? now, to: now)
            guard now >= due else { continue }
            turnBegan = due
            switch handler?.ticked(now: now) ?? .end {
            case .next(let at): due = at
            case .end: return
            }
            noteTurn(from: turnBegan ?? now, to: Self.now)
        }
    }

    func tick(by time: MonotonicTime) { due = min(due, time) }

    /// The longest turn of the last second or two, including the present one.
    func lag(at now: MonotonicTime) -> Duration {
        let running = turnBegan.map { now - $0 } ?? .zero
        return max(waits.now, waits.before, running)
    }

    private func noteTurn(from began: MonotonicTime, to now: MonotonicTime) {
        if now - waits.since > .seconds(1) { waits = (.zero, waits.now, now) }
        waits.now = max(waits.now, now - began)
    }

    // MARK: Calls

    func connect(_ bot: Int, bufferBytes: Int32?) {
        precondition(sockets[bot].phase == .closed, "bot \(bot) is connected")
        let descriptor = socket(endpoint.family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return fail(bot, "socket: \(String(cString: strerror(errno)))") }
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        if var bufferBytes {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bufferBytes, socklen_t(MemoryLayout<Int32>.size))
        }
        let result = endpoint.address.withUnsafeBytes { bytes in
            // The size of an address of this family.
            Glibc.connect(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
        }
        guard result == 0 || errno == EINPROGRESS else {
            let reason = String(cString: strerror(errno))
            Glibc.close(descriptor)
            return fail(bot, "connect: \(reason)")
        }
        sockets[bot] = BotSocket(phase: .connecting, descriptor: descriptor)
        epoll.add(descriptor, [.output], tag: UInt64(bot))
    }

    func send(_ message: [UInt8], on bot: Int) {
        guard sockets[bot].phase == .open else { return }
        send(opcode, message, on: bot)
    }

    func pause(_ bot: Int, _ isPaused: Bool) {
        guard sockets[bot].phase == .open, sockets[bot].isPaused != isPaused else { return }
        sockets[bot].isPaused = isPaused
        watch(bot)
        if hasMore(bot) { readAll(bot) }
    }

    func abort(_ bot: Int) {
        guard sockets[bot].descriptor >= 0 else { return }
        release(bot)
    }

    // MARK: Inside

    private func fail(_ bot: Int, _ reason: String) {
        let code = sockets[bot].closeCode
        release(bot)
        handler?.closed(bot, code: code, reason: reason)
    }

    private func release(_ bot: Int) {
        if let session = sockets[bot].session { secure?.end(session) }
        if sockets[bot].descriptor >= 0 {
            epoll.remove(sockets[bot].descriptor)
            Glibc.close(sockets[bot].descriptor)
        }
        sockets[bot] = BotSocket()
    }

    private func ready(_ bot: Int, _ ready: Epoll.Interest) {
        guard sockets[bot].descriptor >= 0 else { return }
        if sockets[bot].phase == .connecting {
            connected(bot)
            return
        }
        if sockets[bot].phase == .securing { return shakeHands(bot) }
        if ready.contains(.output) { flush(bot) }
        if !ready.isDisjoint(with: [.input, .error, .hangUp]) { readAll(bot) }
    }

    /// Only the session knows whether the TLS record holds more bytes than were read.
    private func readAll(_ bot: Int) {
        repeat { read(bot) } while hasMore(bot)
    }

    private func hasMore(_ bot: Int) -> Bool {
        guard let secure, let session = sockets[bot].session, !sockets[bot].isPaused else { return false }
        return secure.hasMore(session)
    }

    private func connected(_ bot: Int) {
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(sockets[bot].descriptor, SOL_SOCKET, SO_ERROR, &error, &length)
        guard error == 0 else { return fail(bot, "connect: \(String(cString: strerror(error)))") }
        guard let secure else { return upgrade(bot) }
        sockets[bot].phase = .securing
        sockets[bot].session = secure.begin(on: sockets[bot].descriptor)
        shakeHands(bot)
    }

    private func shakeHands(_ bot: Int) {
        guard let secure, let session = sockets[bot].session else { return }
        switch secure.shakeHands(session) {
        case .bytes: upgrade(bot)
        case .again(let wantsOutput):
            epoll.modify(sockets[bot].descriptor, wantsOutput ? [.output] : [.input], tag: UInt64(bot))
        case .closed: fail(bot, "TLS: the server closed the connection")
        case .failed(let reason): fail(bot, "TLS: \(reason)")
        }
    }

    private func upgrade(_ bot: Int) {
        sockets[bot].phase = .upgrading
        epoll.modify(sockets[bot].descriptor, [.input], tag: UInt64(bot))
        write(request, on: bot)
    }

    private func send(_ opcode: Frames.Opcode, _ payload: [UInt8], on bot: Int) {
        // xorshift: masks only have to differ.
        mask ^= mask << 13
        mask ^= mask >> 17
        mask ^= mask << 5
        frame.removeAll(keepingCapacity: true)
        Frames.append(opcode, payload, mask: mask, to: &frame)
        write(frame, on: bot)
    }

    private func write(_ bytes: [UInt8], on bot: Int) {
        guard sockets[bot].unsent.isEmpty else {
            sockets[bot].unsent.append(contentsOf: bytes)
            return
        }
        let sent = bytes.withUnsafeBytes { transmit($0, on: bot) }
        guard sent < bytes.count else { return }
        // Reading the socket returns the error again, with its reason.
        sockets[bot].unsent = Array(bytes[max(0, sent)...])
        watch(bot)
    }

    /// - Returns: number of bytes taken; negative for none.
    private func transmit(_ bytes: UnsafeRawBufferPointer, on bot: Int) -> Int {
        guard let secure, let session = sockets[bot].session else {
            return Glibc.send(sockets[bot].descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
        // With partial writes one call takes one record.
        var taken = 0
        while taken < bytes.count {
            // The rest, lent for the call.
            let rest = UnsafeRawBufferPointer(rebasing: bytes[taken...])
            guard case .bytes(let count) = secure.write(session, rest) else { break }
            taken += count
        }
        return taken
    }

    /// - Returns: number of received bytes; nil when there are none now, or the connection has failed.
    private func receive(_ bot: Int, into room: UnsafeMutableRawBufferPointer) -> Int? {
        guard let secure, let session = sockets[bot].session else {
            let count = recv(sockets[bot].descriptor, room.baseAddress, room.count, 0)
            if count > 0 { return count }
            if count < 0, errno == EAGAIN || errno == EINTR { return nil }
            fail(bot, count == 0 ? Self.closedByServer : String(cString: strerror(errno)))
            return nil
        }
        switch secure.read(session, into: room) {
        case .bytes(let count): return count
        case .again: return nil
        case .closed: fail(bot, Self.closedByServer)
        case .failed(let reason): fail(bot, reason)
        }
        return nil
    }

    private static let closedByServer = "the server closed the connection"

    /// Sets the events for which epoll watches a socket.
    private func watch(_ bot: Int) {
        var interest: Epoll.Interest = sockets[bot].isPaused ? [] : [.input]
        if !sockets[bot].unsent.isEmpty { interest.insert(.output) }
        epoll.modify(sockets[bot].descriptor, interest, tag: UInt64(bot))
    }

    private func flush(_ bot: Int) {
        let waiting = sockets[bot].unsent
        sockets[bot].unsent = []
        watch(bot)
        if !waiting.isEmpty { write(waiting, on: bot) }
    }

    private func read(_ bot: Int) {
        let kept = sockets[bot].unread.count
        guard kept < buffer.count else { return fail(bot, "a message over \(buffer.count) bytes") }
        if kept > 0 {
            sockets[bot].unread.withUnsafeBytes { buffer.copyMemory(from: $0) }
            sockets[bot].unread.removeAll(keepingCapacity: true)
        }
        // The rest of the buffer, lent for the call.
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[kept...])
        guard let count = receive(bot, into: room) else {
            if sockets[bot].descriptor >= 0 { sockets[bot].unread = Array(buffer[..<kept]) }
            return
        }
        // The received bytes, valid until the next read overwrites the buffer. Unprocessed bytes are copied below.
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<(kept + count)])
        let taken = sockets[bot].phase == .upgrading ? takeUpgrade(bytes, bot) : takeFrames(bytes, from: 0, bot)
        guard let taken, sockets[bot].descriptor >= 0, taken < bytes.count else { return }
        sockets[bot].unread = Array(bytes[taken...])
    }

    /// - Returns: number of processed bytes; nil when the connection is gone.
    private func takeUpgrade(_ bytes: UnsafeRawBufferPointer, _ bot: Int) -> Int? {
        guard let end = Self.endOfHead(bytes) else { return 0 }
        let head = String(decoding: bytes[..<end], as: UTF8.self)
        let lines = head.split(separator: "\r\n")
        let agrees = lines.contains { $0.lowercased().hasPrefix("sec-websocket-accept:") && $0.contains(Self.accept) }
        guard lines.first?.hasPrefix("HTTP/1.1 101") == true, agrees else {
            fail(bot, "refused: \(lines.first ?? "")")
            return nil
        }
        sockets[bot].phase = .open
        handler?.opened(bot)
        return takeFrames(bytes, from: end, bot)
    }

    private static func endOfHead(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.count >= 4 else { return nil }
        for index in 3..<bytes.count
        where bytes[index] == 10 && bytes[index - 1] == 13 && bytes[index - 2] == 10 && bytes[index - 3] == 13 {
            return index + 1
        }
        return nil
    }

    private func takeFrames(_ bytes: UnsafeRawBufferPointer, from start: Int, _ bot: Int) -> Int? {
        var offset = start
        while offset < bytes.count {
            switch Frames.read(bytes, at: offset) {
            case .incomplete: return offset
            case .broken(let reason):
                sockets[bot].closeCode = 1002
                fail(bot, reason)
                return nil
            case .frame(let frame):
                // A part of `bytes`, within which `Frames.read` found the frame; lent for the call.
                let payload = UnsafeRawBufferPointer(rebasing: bytes[frame.payload])
                take(frame, payload, wireBytes: frame.end - offset, bot)
                guard sockets[bot].descriptor >= 0 else { return nil }
                offset = frame.end
            }
        }
        return offset
    }

    private func take(_ frame: Frames.Frame, _ payload: UnsafeRawBufferPointer, wireBytes: Int, _ bot: Int) {
        switch frame.opcode {
        case .binary, .text:
            guard frame.isFinal else {
                sockets[bot].fragments = Array(payload)
                return
            }
            handler?.received(payload, wireBytes: wireBytes, on: bot)
        case .continuation:
            sockets[bot].fragments.append(contentsOf: payload)
            guard frame.isFinal else { return }
            let whole = sockets[bot].fragments
            sockets[bot].fragments = []
            whole.withUnsafeBytes { handler?.received($0, wireBytes: wireBytes, on: bot) }
        case .ping: send(.pong, Array(payload), on: bot)
        case .pong: break
        case .close:
            let code = payload.count >= 2 ? UInt16(payload[0]) << 8 | UInt16(payload[1]) : 1005
            if sockets[bot].phase == .open { send(.close, Array(payload.prefix(2)), on: bot) }
            release(bot)
            handler?.closed(bot, code: code, reason: String(decoding: payload.dropFirst(2), as: UTF8.self))
        }
    }
}

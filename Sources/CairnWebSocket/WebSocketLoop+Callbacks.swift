internal import CWebSockets
internal import CairnText
internal import CairnTime
internal import Foundation

/// What C is given to find its loop again. The loop owns it and destroys the C side in its deinit, so it outlives it.
final class CallbackTarget {
    weak var loop: WebSocketLoop?
    /// What was logged before there was a loop.
    var lines: [String] = []
}

private func owner(_ context: UnsafeMutableRawPointer?) -> WebSocketLoop? {
    // The pointer is the loop's own CallbackTarget, alive as long as the C side is.
    context.flatMap { Unmanaged<CallbackTarget>.fromOpaque($0).takeUnretainedValue().loop }
}

private func text(_ pointer: UnsafePointer<CChar>?) -> String {
    pointer.map { String(cString: $0) } ?? ""
}

/// What a stranger has written into the head of a request. Its grammar is ASCII (RFC 9110, 5.5; RFC 3986), so each
/// other byte is a question mark: no letter of Unicode swallows a comma or a quote, or makes a comparison slow, in any
/// parser of a field.
private func head(_ pointer: UnsafePointer<CChar>?) -> String {
    guard let pointer else { return "" }
    let bytes = UnsafeRawBufferPointer(start: pointer, count: strlen(pointer))
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    return String(decoding: bytes.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
}

/// A query, whose values may be in any script; empty if it is no stream-safe text.
private func queryText(_ pointer: UnsafePointer<CChar>?) -> String {
    let text = text(pointer)
    return StreamSafe.holds(text) ? text : ""
}

extension PeerAddress {
    fileprivate init(_ address: cws_address) {
        var bytes = address.bytes
        let halves = withUnsafeBytes(of: &bytes) { raw in
            (raw.loadUnaligned(as: UInt64.self), raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        self.init(high: UInt64(bigEndian: halves.0), low: UInt64(bigEndian: halves.1))
    }
}

extension Handshake {
    fileprivate init(_ handshake: cws_handshake) {
        self.init(
            address: PeerAddress(handshake.address), path: head(handshake.path), query: queryText(handshake.query),
            origin: head(handshake.origin), host: head(handshake.host), authorization: head(handshake.authorization),
            cookie: head(handshake.cookie), subprotocol: head(handshake.subprotocol),
            forwarding: Forwarding(handshake.forwarding), isTLS: handshake.tls != 0, connection: handshake.id)
    }
}

extension Forwarding {
    fileprivate init(_ forwarding: cws_forwarding) {
        self.init(
            xForwardedFor: head(forwarding.x_forwarded_for), forwarded: head(forwarding.forwarded),
            isAny: forwarding.any != 0, isLikely: forwarding.likely != 0)
    }
}

extension HTTPHead {
    fileprivate init(_ request: cws_http_head) {
        self.init(
            address: PeerAddress(request.address), method: head(request.method), path: head(request.path),
            query: queryText(request.query), host: head(request.host), authorization: head(request.authorization),
            cookie: head(request.cookie), isTLS: request.tls != 0)
        ifNoneMatch = head(request.if_none_match)
        range = head(request.range)
        ifRange = head(request.if_range)
        acceptEncoding = head(request.accept_encoding)
        acceptLanguage = head(request.accept_language)
        origin = head(request.origin)
        forwarding = Forwarding(request.forwarding)
    }
}

extension WebSocketLoop {
    static func makeLoop(options: LoopOptions, context: UnsafeMutableRawPointer) -> OpaquePointer? {
        var callbacks = cws_callbacks()
        callbacks.on_admit = { context, address in
            guard let address, let handler = owner(context)?.handler else {
                return Int32(TransportRejection.admission.rawValue)
            }
            return handler.rejection(of: PeerAddress(address.pointee)).map { Int32($0.rawValue) } ?? CWS_ADMITTED
        }
        callbacks.on_released = { context, address, id in
            guard let address else { return }
            owner(context)?.handler?.released(PeerAddress(address.pointee), id)
        }
        callbacks.on_handshake = { context, request, handshake in
            guard let request, let handshake, let loop = owner(context) else { return }
            loop.judge(request, Handshake(handshake.pointee))
        }
        callbacks.on_open = { context, id, handshake, tag in
            guard let handshake else { return }
            owner(context)?.opened(id, handshake: Handshake(handshake.pointee), tag: tag)
        }
        callbacks.on_message = { context, id, bytes, length, isText in
            owner(context)?.received(UnsafeRawBufferPointer(start: bytes, count: length), isText: isText != 0, from: id)
        }
        callbacks.on_pong = { context, id in
            guard let loop = owner(context) else { return }
            loop.connection(id)?.lastHeard = loop.now
        }
        callbacks.on_drained = { context, id in
            guard let loop = owner(context), let connection = loop.connection(id) else { return }
            loop.drained(connection)
        }
        callbacks.on_breach = { context, id, reason in
            guard let loop = owner(context), let rejection = TransportRejection(rawValue: Int(reason.rawValue)) else {
                return
            }
            loop.handler?.breached(id, rejection)
            if let connection = loop.connection(id) { loop.flush(connection) }
        }
        callbacks.on_closed = { context, id, code in owner(context)?.closed(id, code: code) }
        callbacks.on_connect_failed = { context, tag, reason in
            owner(context)?.handler?.connectFailed(tag: tag, reason: text(reason))
        }
        callbacks.on_request = { context, request, head in
            guard let request, let head else { return }
            owner(context)?.answer(request, head.pointee)
        }
        callbacks.on_body_wanted = { context, id in owner(context)?.bodyWanted(id) }
        callbacks.on_body_ended = { context, id, completed in
            owner(context)?.bodyEnded(id, completed: completed != 0)
        }
        callbacks.on_reject = { context, reason in
            let index = Int(reason.rawValue)
            guard let loop = owner(context), index < loop.counters.rejections.count else { return }
            loop.counters.rejections[index] += 1
        }
        callbacks.on_wake = { context in owner(context)?.drainMailbox() }
        callbacks.on_timer = { context in owner(context)?.timerFired() }
        callbacks.on_turn_end = { context in owner(context)?.endTurn() }
        callbacks.on_log = { context, level, line in
            guard let loop = owner(context) else {
                // Not made yet: what keeps it from being made is part of the error.
                context.map { Unmanaged<CallbackTarget>.fromOpaque($0).takeUnretainedValue() }?.lines.append(text(line))
                return
            }
            loop.handler?.logged(text(line), level: Int(level))
        }
        return withCOptions(options) { cOptions in cws_loop_create(&cOptions, &callbacks, context) }
    }

    /// Lends the options as C wants them; the strings live for the length of the call, the C side copies what it keeps.
    private static func withCOptions<Result>(_ options: LoopOptions, _ body: (inout cws_options) -> Result) -> Result {
        let names = options.subprotocols.map { strdup($0) }
        var list: [UnsafePointer<CChar>?] = names.map { UnsafePointer($0) } + [nil]
        let echo = options.echoPath.map { strdup($0) } ?? nil
        let certificate = options.tlsCertificatePath.map { strdup($0) } ?? nil
        let key = options.tlsKeyPath.map { strdup($0) } ?? nil
        defer { (names + [echo, certificate, key]).forEach { free($0) } }
        return list.withUnsafeMutableBufferPointer { list in
            var cOptions = cws_options()
            cOptions.subprotocols = UnsafePointer(list.baseAddress)
            cOptions.echo_path = UnsafePointer(echo)
            cOptions.tls_certificate_path = UnsafePointer(certificate)
            cOptions.tls_key_path = UnsafePointer(key)
            cOptions.message_bytes_max = options.messageBytesMax
            cOptions.message_fragments_max = UInt32(options.messageFragmentsMax)
            cOptions.message_seconds_max = UInt32(options.messageSecondsMax)
            cOptions.handshake_seconds_max = UInt32(options.handshakeSecondsMax)
            cOptions.unacknowledged_seconds_max = UInt32(options.unacknowledgedSecondsMax)
            cOptions.receive_buffer_bytes = UInt32(options.receiveBufferBytes)
            cOptions.service_buffer_bytes = UInt32(options.serviceBufferBytes)
            cOptions.connections_max = UInt32(options.connectionsMax)
            cOptions.gather_us = UInt32(options.gatherMilliseconds) * 1_000
            cOptions.input_bytes_per_second = UInt32(options.inputBytesPerSecond)
            return body(&cOptions)
        }
    }

    // MARK: Events

    private func opened(_ id: ConnectionID, handshake: Handshake, tag: UInt64) {
        let slot = Int(cws_slot(id))
        while connections.count <= slot { connections.append(nil) }
        let isText = handshake.subprotocol != options.subprotocols.first
        let framing = options.textFramings[handshake.subprotocol] ?? options.textFraming
        connections[slot] = Connection(id: id, isText: isText, framing: framing, now: now)
        counters.connections += 1
        counters.opened += 1
        handler?.opened(id, handshake: handshake, tag: tag)
    }

    private func received(_ bytes: UnsafeRawBufferPointer, isText: Bool, from id: ConnectionID) {
        guard let connection = connection(id), !connection.isClosing else { return }
        connection.lastHeard = now
        counters.messagesReceived += 1
        counters.bytesReceived += UInt64(bytes.count)
        handler?.received(bytes, isText: isText, from: id)
        if isOverBudget { makeRoom() }
    }

    private func closed(_ id: ConnectionID, code: UInt16) {
        guard let connection = connection(id) else { return }
        connection.isClosing = true
        for fanOut in connection.followed.all { remove(connection, from: fanOut) }
        if connection.isBlocked { behind -= 1 }
        counters.bytesQueued -= connection.outbox.bytes
        counters.itemsWaiting -= connection.outbox.entries.count
        counters.itemsLost += UInt64(connection.outbox.entries.count)
        counters.connections -= 1
        counters.closed += 1
        connections[Int(cws_slot(id))] = nil
        handler?.closed(id, code: connection.isSilent ? options.silentCloseCode : code)
    }

    private func judge(_ request: OpaquePointer, _ handshake: Handshake) {
        guard let handler else { return reply(to: request, Self.starting) }
        if let refusal = handler.refusal(of: handshake) { reply(to: request, refusal) }
    }

    private static let starting = HTTPResponse(status: 503, body: Array("starting\n".utf8))

    private func answer(_ request: OpaquePointer, _ head: cws_http_head) {
        switch handler?.answer(to: HTTPHead(head)) ?? .now(Self.starting) {
        case .now(let response): reply(to: request, response)
        case .later(let later): answerLater(request, later)
        }
    }

    /// Answers at once what is short; the rest goes out in pieces.
    func reply(to request: OpaquePointer, _ response: HTTPResponse) {
        guard let short = response.shortBody else {
            return answerLater(request, LaterAnswer { response })
        }
        let headers = response.headers.map { $0 + "\r\n" }.joined()
        short.withUnsafeBufferPointer { body in
            cws_http_reply(
                request, UInt16(response.status), response.contentType, headers, body.baseAddress, body.count)
        }
    }

    private func timerFired() {
        let current = now
        noteLateness(now: current)
        if let due = nextTick, due <= current {
            nextTick = nil
            handler?.ticked(now: current)
        }
        if nextSweep <= current {
            let lateness = current - nextSweep
            nextSweep = current + .seconds(1)
            sweep(now: current, isLate: lateness >= Self.lateSweep)
            handler?.swept(now: current)
        }
        armTimer()
    }

    private func endTurn() {
        drainMailbox()
        handler?.turnEnded()
        flushAll()
        if isOverBudget { makeRoom() }
    }

    /// A loop that has stood still for this long has input of that time to read: who seems silent may have spoken.
    private static let lateSweep: Duration = .milliseconds(500)

    /// Pings quiet connections, closes silent ones (SES-4) and readers that stay behind (SES-8), asks for keyframes
    /// that were put off, and frees what empty outboxes hold.
    /// - Parameter isLate: the loop or the whole process stood still; no connection is closed for that time.
    private func sweep(now: MonotonicTime, isLate: Bool) {
        let pingAfter = Duration.seconds(options.pingSeconds)
        let dropAfter = Duration.seconds(options.silenceSeconds)
        let behindMax = Duration.seconds(options.behindSecondsMax)
        for case let connection? in connections where !connection.isClosing {
            let quiet = now - connection.lastHeard
            // A ping has had the time since the last sweep, a second or more, for its answer.
            let isUnanswered = connection.lastPinged > connection.lastHeard
            if quiet >= dropAfter, isUnanswered, !connection.isPaused, !isLate {
                counters.closedSilent += 1
                connection.isSilent = true
                // The peer may be alive without answering pings. A dead one costs the wait for an answer.
                close(connection.id, code: options.silentCloseCode, reason: "silent")
            } else if let since = connection.behindSince, now - since >= behindMax, !isLate {
                closeAsSlow(connection)
            } else if quiet >= pingAfter && now - connection.lastPinged >= pingAfter {
                connection.lastPinged = now
                cws_ping(loop, connection.id)
            }
            if !connection.isBlocked, !connection.missed.isEmpty { askForMissed(connection) }
            connection.outbox.giveBackMemory()
        }
    }
}

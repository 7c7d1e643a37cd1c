internal import CWebSockets
internal import CairnTime

/// One answer of the bulk lane, as its loop sees it. Confined to the loop's thread.
final class BodyPipe {
    /// A connection carries many answers one after the other: this one's number.
    let serial: UInt64
    let place: BulkLane.Place
    var source: (any BodySource)?
    var pace: HTTPResponse.Pace?
    /// Makes the head or the next piece; there is never more than one.
    var work: Task<Void, Never>?

    init(serial: UInt64, place: BulkLane.Place) {
        self.serial = serial
        self.place = place
    }
}

/// Answers that come later, in pieces. The loop asks for a piece when the one before is with the kernel, the lane makes
/// it, and the loop writes it behind the events of a turn.
extension WebSocketLoop {
    /// Has the lane make the answer to a request.
    func answerLater(_ request: OpaquePointer, _ later: LaterAnswer) {
        lastBody += 1
        let serial = lastBody
        let giveWay: @Sendable () -> Void = { [weak self] in self?.post { [weak self] in self?.cut(serial) } }
        guard let lane = options.bulkLane, let place = lane.admit(later, giveWay: giveWay) else {
            return reply(to: request, Self.busy)
        }
        let id = cws_http_defer(request)
        guard id != 0 else { return reply(to: request, Self.busy) }
        let pipe = BodyPipe(serial: serial, place: place)
        bodies[id] = pipe
        pipe.work = Task(executorPreference: lane) { [weak self] in
            let response = await later.make()
            self?.post { [weak self] in self?.begin(response, id, serial) }
            withExtendedLifetime(place) {}
        }
    }

    private static var busy: HTTPResponse {
        // Spread, so that not all come back at once (B23).
        let headers = ["Cache-Control: no-store", "Retry-After: \(Int.random(in: 2...6))"]
        return HTTPResponse(status: 503, headers: headers, body: Array("too many large answers under way\n".utf8))
    }

    /// The lane has the head.
    private func begin(_ response: HTTPResponse, _ id: ConnectionID, _ serial: UInt64) {
        guard let pipe = bodies[id], pipe.serial == serial else { return }
        let source: any BodySource =
            switch response.body {
            case .bytes(let bytes): BytesBody(bytes)
            case .stream(let source): source
            }
        pipe.source = source
        pipe.pace = response.pace
        let headers = response.headers.map { $0 + "\r\n" }.joined()
        cws_http_begin(
            loop, id, UInt16(response.status), response.contentType, headers, source.byteCount.map(Int64.init) ?? -1)
    }

    /// The socket has taken all so far.
    func bodyWanted(_ id: ConnectionID) {
        guard let lane = options.bulkLane, let pipe = bodies[id], let source = pipe.source else { return }
        let (serial, place, pace) = (pipe.serial, pipe.place, pipe.pace)
        place.noteWanted()
        pipe.work = Task(executorPreference: lane) { [weak self] in
            do {
                let piece = try await source.next()
                let wait = piece.flatMap { pace?($0.count, .now) } ?? .zero
                if wait > .zero { try await Task.sleep(for: wait) }
                self?.post { [weak self] in self?.give(piece, id, serial) }
            } catch {
                self?.post { [weak self] in self?.cut(id, serial) }
            }
            withExtendedLifetime(place) {}
        }
    }

    /// The lane has the next piece, or knows that there is none.
    private func give(_ piece: [UInt8]?, _ id: ConnectionID, _ serial: UInt64) {
        guard let pipe = bodies[id], pipe.serial == serial else { return }
        let bytes = piece ?? []
        options.bulkLane?.note(bytes: bytes.count)
        bytes.withUnsafeBufferPointer { bytes in
            _ = cws_http_piece(loop, id, bytes.baseAddress, bytes.count, piece == nil ? 1 : 0)
        }
    }

    /// The source has failed: what the client has is not the whole, and must not look like it.
    private func cut(_ id: ConnectionID, _ serial: UInt64) {
        guard let pipe = bodies[id], pipe.serial == serial else { return }
        cws_http_cut(loop, id)
    }

    /// The answer gives way to another client's, which is rare: all answers are searched for it. The client asks for
    /// the rest of it, or again.
    private func cut(_ serial: UInt64) {
        guard let id = bodies.first(where: { $0.value.serial == serial })?.key else { return }
        cws_http_cut(loop, id)
    }

    /// The answer is over.
    func bodyEnded(_ id: ConnectionID, completed: Bool) {
        guard let pipe = bodies.removeValue(forKey: id) else { return }
        pipe.work?.cancel()
        options.bulkLane?.noteEnd(completed: completed)
    }
}

public import CairnGeo
public import CairnWire
internal import Synchronization

/// A client at the other end of a real socket that records everything it receives.
public final class TestClient: Sendable {
    public let format: WireFormat
    private let socket: RawWebSocket
    private let journal: Journal<ClientRecord>
    private let lastID = Mutex<UInt32>(0)

    /// Connects, without a hello.
    ///
    /// - Parameters:
    ///   - receiveBufferBytes: see `RawWebSocket`.
    ///   - topics: the topics of an earlier connection, to resume from.
    ///   - keepsItems: false = single items are not kept, for long runs.
    ///   - seen: called with every message, as bytes and decoded, on the connection's own thread.
    public init(
        port: Int, format: WireFormat = .proto, receiveBufferBytes: Int? = nil, topics: [String: TopicLog] = [:],
        keepsItems: Bool = true,
        seen: @escaping @Sendable (_ bytes: [UInt8], _ message: WireServerMessage) -> Void = { _, _ in }
    ) throws {
        self.format = format
        let journal = Journal(ClientRecord(topics: topics, keepsItems: keepsItems))
        self.journal = journal
        socket = try RawWebSocket(
            port: port, subprotocol: format.subprotocol, receiveBufferBytes: receiveBufferBytes
        ) { arrival in
            journal.note { record in
                switch arrival {
                case .binary(let bytes), .text(let bytes):
                    do {
                        let message = try ServerMessageDecoder.decode(bytes, format: format)
                        seen(bytes, message)
                        record.receive(message)
                    } catch {
                        record.unreadable("\(error)")
                    }
                case .closed(let code): record.closed(code: code)
                }
            }
        }
    }

    // MARK: Saying

    /// Sends a message unchanged.
    public func send(_ message: WireClientMessage) {
        let bytes = ClientMessageEncoder.encode(message, format: format)
        switch format {
        case .proto: socket.send(binary: bytes)
        case .json: socket.send(text: bytes)
        }
    }

    /// Sends any bytes, also invalid ones.
    public func send(raw bytes: [UInt8], asText: Bool? = nil) {
        if asText ?? (format == .json) { socket.send(text: bytes) } else { socket.send(binary: bytes) }
    }

    /// Sends a request without waiting for the answer; returns the request's id.
    ///
    /// - Parameter key: nil = a key that no other request of this client has.
    @discardableResult
    public func push(_ body: WireClientMessage.OneOf_Body, key: String? = nil) -> UInt32 {
        var message = WireClientMessage()
        message.id = lastID.withLock { id in
            id += 1
            return id
        }
        message.key = key ?? "\(ObjectIdentifier(self).hashValue)-\(message.id)"
        message.body = body
        send(message)
        return message.id
    }

    /// Waits for the answer to a request.
    public func reply(to id: UInt32) async throws -> WireReply.OneOf_Result {
        try await journal.wait(for: "the reply to request \(id)") { $0.replies[id]?.result }
    }

    /// Sends a request and waits for the answer.
    public func ask(
        _ body: WireClientMessage.OneOf_Body, key: String? = nil
    ) async throws -> WireReply.OneOf_Result {
        try await reply(to: push(body, key: key))
    }

    /// Sends a request and expects a refusal.
    public func refusal(of body: WireClientMessage.OneOf_Body, key: String? = nil) async throws -> WireRefusal {
        let result = try await ask(body, key: key)
        guard case .refusal(let refusal) = result else { throw BenchError("not refused: \(result)") }
        return refusal
    }

    // MARK: What everybody does

    /// Sends a hello and waits for the welcome.
    @discardableResult
    public func hello(_ hello: WireHello) async throws -> WireWelcome {
        let result = try await ask(.hello(hello))
        guard case .welcome(let welcome) = result else { throw BenchError("no welcome: \(result)") }
        return welcome
    }

    /// Sends a position and waits for its answer; returns the cell's token.
    @discardableResult
    public func move(to place: Coordinate) async throws -> String {
        let result = try await ask(.position(.make(at: place)))
        guard case .positioned(let positioned) = result else { throw BenchError("not moved: \(result)") }
        return positioned.cell
    }

    /// Sends a position and waits until every topic of the new view is complete.
    @discardableResult
    public func stand(at place: Coordinate, viewing radiusMetres: Double = 100) async throws -> String {
        let cell = try await move(to: place)
        let topics = cells(touching: place, radiusMetres: radiusMetres, level: 16).map(\.token)
        try await wait(until: "snapshots of the view") { record in
            topics.allSatisfy { record.topics[$0].map { $0.snapshotCount + $0.continuedCount > 0 } ?? false }
        }
        return cell
    }

    /// Places an object and waits for the acknowledgement; returns the instance as everybody sees it.
    public func place(
        at place: Coordinate, object: String = "preset:flag", key: String? = nil
    ) async throws -> WireInstance {
        let result = try await ask(.placing(object, .make(at: place)), key: key)
        guard case .placed(let placed) = result else { throw BenchError("not placed: \(result)") }
        return placed.instance.asOthersSee
    }

    // MARK: Hearing

    /// Everything received so far.
    public var record: ClientRecord { journal.now }

    /// Waits until the record fulfils a condition.
    public func wait(
        until what: String, patience: Duration = .seconds(120), _ condition: @escaping @Sendable (ClientRecord) -> Bool
    ) async throws {
        try await journal.wait(until: what, patience: patience, condition)
    }

    /// Waits until `match` finds something in the record, and returns it.
    public func wait<Found: Sendable>(
        for what: String, patience: Duration = .seconds(120), _ match: @escaping @Sendable (ClientRecord) -> Found?
    ) async throws -> Found {
        try await journal.wait(for: what, patience: patience, match)
    }

    /// Waits for the end of the connection; returns the close code.
    public func closedCode() async throws -> UInt16 {
        try await journal.wait(for: "the end of the connection") { $0.closedCode }
    }

    /// Stops reading.
    public func pauseReading() { socket.pauseReading() }
    /// Resumes reading.
    public func resumeReading() { socket.resumeReading() }
    /// Starts the closing handshake.
    public func close() { socket.close() }
    /// Drops the connection without a CLOSE.
    public func abort() { socket.abort() }
}

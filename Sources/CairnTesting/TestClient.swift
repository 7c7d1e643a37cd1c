public import CairnGeo
public import CairnWire
internal import Synchronization

/// Somebody at the other end of a real socket, who writes down all they are told.
public final class TestClient: Sendable {
    public let format: WireFormat
    private let socket: RawWebSocket
    private let journal: Journal<ClientRecord>
    private let lastID = Mutex<UInt32>(0)

    /// Connects; says nothing.
    ///
    /// - Parameters:
    ///   - receiveBufferBytes: see `RawWebSocket`.
    ///   - topics: what an earlier connection was told, to go on from.
    ///   - keepsItems: false = what has been told is not remembered item by item, for long runs.
    ///   - seen: is given all that is told, as bytes and as what they say, on the connection's own thread.
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

    /// Sends a message as it is.
    public func send(_ message: WireClientMessage) {
        let bytes = ClientMessageEncoder.encode(message, format: format)
        switch format {
        case .proto: socket.send(binary: bytes)
        case .json: socket.send(text: bytes)
        }
    }

    /// Sends bytes that need not be a message.
    public func send(raw bytes: [UInt8], asText: Bool? = nil) {
        if asText ?? (format == .json) { socket.send(text: bytes) } else { socket.send(binary: bytes) }
    }

    /// Asks, without waiting for the answer; gives the request's id.
    ///
    /// - Parameter key: nil = one that no other request of this client has.
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

    /// The answer to a request, once it has come.
    public func reply(to id: UInt32) async throws -> WireReply.OneOf_Result {
        try await journal.wait(for: "the reply to request \(id)") { $0.replies[id]?.result }
    }

    /// Asks and waits for the answer.
    public func ask(
        _ body: WireClientMessage.OneOf_Body, key: String? = nil
    ) async throws -> WireReply.OneOf_Result {
        try await reply(to: push(body, key: key))
    }

    /// Asks and expects to be refused.
    public func refusal(of body: WireClientMessage.OneOf_Body, key: String? = nil) async throws -> WireRefusal {
        let result = try await ask(body, key: key)
        guard case .refusal(let refusal) = result else { throw BenchError("not refused: \(result)") }
        return refusal
    }

    // MARK: What everybody does

    /// Says hello and waits for the welcome.
    @discardableResult
    public func hello(_ hello: WireHello) async throws -> WireWelcome {
        let result = try await ask(.hello(hello))
        guard case .welcome(let welcome) = result else { throw BenchError("no welcome: \(result)") }
        return welcome
    }

    /// Goes somewhere and waits until the server knows; gives the cell's token.
    @discardableResult
    public func move(to place: Coordinate) async throws -> String {
        let result = try await ask(.position(.make(at: place)))
        guard case .positioned(let positioned) = result else { throw BenchError("not moved: \(result)") }
        return positioned.cell
    }

    /// Goes somewhere and waits until everything that the view touches there is known.
    @discardableResult
    public func stand(at place: Coordinate, viewing radiusMetres: Double = 100) async throws -> String {
        let cell = try await move(to: place)
        let topics = cells(touching: place, radiusMetres: radiusMetres, level: 16).map(\.token)
        try await wait(until: "snapshots of the view") { record in
            topics.allSatisfy { record.topics[$0].map { $0.snapshotCount + $0.continuedCount > 0 } ?? false }
        }
        return cell
    }

    /// Places something and waits for the acknowledgement; gives it as everybody sees it.
    public func place(
        at place: Coordinate, object: String = "preset:flag", key: String? = nil
    ) async throws -> WireInstance {
        let result = try await ask(.placing(object, .make(at: place)), key: key)
        guard case .placed(let placed) = result else { throw BenchError("not placed: \(result)") }
        return placed.instance.asOthersSee
    }

    // MARK: Hearing

    /// All that has been told so far.
    public var record: ClientRecord { journal.now }

    /// Waits until what has been told fulfils a condition.
    public func wait(
        until what: String, patience: Duration = .seconds(30), _ condition: @escaping @Sendable (ClientRecord) -> Bool
    ) async throws {
        try await journal.wait(until: what, patience: patience, condition)
    }

    /// Waits for something that is told.
    public func wait<Found: Sendable>(
        for what: String, patience: Duration = .seconds(30), _ match: @escaping @Sendable (ClientRecord) -> Found?
    ) async throws -> Found {
        try await journal.wait(for: what, patience: patience, match)
    }

    /// Waits for the end of the connection; gives the close code.
    public func closedCode() async throws -> UInt16 {
        try await journal.wait(for: "the end of the connection") { $0.closedCode }
    }

    /// Reads nothing from now on.
    public func pauseReading() { socket.pauseReading() }
    /// Reads again.
    public func resumeReading() { socket.resumeReading() }
    /// Says goodbye.
    public func close() { socket.close() }
    /// Drops the connection without a word.
    public func abort() { socket.abort() }
}

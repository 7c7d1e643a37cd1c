import CairnTesting
import CairnTime
import CairnWebSocket
import Foundation
import Testing

/// A loop that listens on a free port, and what has happened on it.
final class LoopBench: Sendable {
    let loop: WebSocketLoop
    let port: Int
    let journal = Journal(LoopRecord())

    private init(_ index: Int, _ options: LoopOptions, hooks: LoopHooks) throws {
        loop = try WebSocketLoop(index: index, options: options)
        port = try loop.listen(address: "127.0.0.1", port: 0, backlog: 64)
        loop.start { [loop, journal] in RecordingHandler(loop: loop, journal: journal, hooks: hooks) }
    }

    /// Starts a loop, lends it and ends its thread.
    static func running<Result: Sendable>(
        index: Int = 0, hooks: LoopHooks = LoopHooks(), options change: (inout LoopOptions) -> Void = { _ in },
        _ body: (LoopBench) async throws -> Result
    ) async throws -> Result {
        var options = LoopOptions()
        options.subprotocols = ["test.binary", "test.text"]
        options.textFraming = TextFraming(prefix: "[", separator: ",", suffix: "]")
        change(&options)
        let bench = try LoopBench(index, options, hooks: hooks)
        do {
            let result = try await body(bench)
            try await bench.stop()
            return result
        } catch {
            try await bench.stop()
            throw error
        }
    }

    private func stop() async throws {
        loop.stop()
        try await journal.wait(until: "the end of the loop") { $0.hasEnded }
    }

    /// Runs `body` on the loop's thread, in one turn of the loop. What is run next may still come into the same turn.
    func run<Result: Sendable>(_ body: @escaping @Sendable (WebSocketLoop) -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            loop.post { [loop] in continuation.resume(returning: body(loop)) }
        }
    }

    /// As `run`, and waits until what it queued has been sent or cannot be.
    func runAndFlush(_ body: @escaping @Sendable (WebSocketLoop) -> Void) async {
        await run(body)
        while await run({ $0.counters.itemsWaiting > 0 && $0.behind == 0 }) {}
    }

    /// Opens a WebSocket to another loop; gives its id here and there.
    func connect(
        to other: LoopBench, tag: UInt64 = 1, subprotocol: String = "test.binary"
    ) async throws -> (here: ConnectionID, there: ConnectionID) {
        let before = other.journal.look { $0.opened.count }
        let port = other.port
        await run { $0.connect(host: "127.0.0.1", port: port, path: "/", subprotocol: subprotocol, tag: tag) }
        try await journal.wait(until: "the open connection") { record in
            record.opened.contains { $0.tag == tag } || record.failed.contains { $0.tag == tag }
        }
        guard let here = journal.look({ record in record.opened.first { $0.tag == tag }?.id }) else {
            throw BenchError("not connected: \(journal.now.failed)")
        }
        return (here, try await other.opened(after: before))
    }

    /// The id of the next connection that is accepted.
    func opened(after count: Int) async throws -> ConnectionID {
        try await journal.wait(for: "an accepted connection") { record in
            record.opened.count > count ? record.opened[count].id : nil
        }
    }

    /// Connects a socket of no library; gives its id on the loop.
    func accept(
        _ subprotocol: String = "test.binary", receiveBufferBytes: Int? = nil, reads: Bool = true,
        arrived: @escaping @Sendable (RawWebSocket.Arrival) -> Void = { _ in }
    ) async throws -> (socket: RawWebSocket, id: ConnectionID) {
        let before = journal.look { $0.opened.count }
        let socket = try RawWebSocket(
            port: port, path: "/", subprotocol: subprotocol, receiveBufferBytes: receiveBufferBytes, reads: reads,
            arrived: arrived)
        return (socket, try await opened(after: before))
    }

    var counters: LoopCounters { get async { await run { $0.counters } } }
}

/// What has happened on a loop.
struct LoopRecord: Sendable {
    var opened: [(id: ConnectionID, subprotocol: String, tag: UInt64)] = []
    var messages: [(id: ConnectionID, bytes: [UInt8], isText: Bool)] = []
    var caughtUp: [(id: ConnectionID, stale: [FanOutKey], missed: [FanOutKey])] = []
    var closed: [(id: ConnectionID, code: UInt16)] = []
    var failed: [(tag: UInt64, reason: String)] = []
    var ticks: [MonotonicTime] = []
    /// How many messages each turn brought that brought any.
    var batches: [Int] = []
    var released = 0
    var sweeps = 0
    var hasEnded = false

    var texts: [String] { messages.map { String(decoding: $0.bytes, as: UTF8.self) } }
}

/// What a test wants to happen on the loop's thread.
struct LoopHooks: Sendable {
    var admits: @Sendable () -> Bool = { true }
    var refusal: @Sendable (Handshake) -> HTTPResponse? = { _ in nil }
    var answer: @Sendable (HTTPHead) -> HTTPAnswer = { _ in .now(HTTPResponse(status: 404, body: [])) }
    var received: @Sendable (WebSocketLoop, ConnectionID) -> Void = { _, _ in }
    var caughtUp: @Sendable (WebSocketLoop, ConnectionID) -> Void = { _, _ in }
    var ticked: @Sendable (WebSocketLoop) -> Void = { _ in }
    var outboxesOverBudget: @Sendable (WebSocketLoop) -> Void = { _ in }
}

private final class RecordingHandler: LoopHandler {
    private let loop: WebSocketLoop
    private let journal: Journal<LoopRecord>
    private let hooks: LoopHooks

    init(loop: WebSocketLoop, journal: Journal<LoopRecord>, hooks: LoopHooks) {
        self.loop = loop
        self.journal = journal
        self.hooks = hooks
    }

    deinit {
        journal.note { $0.hasEnded = true }
    }

    func rejection(of address: PeerAddress) -> TransportRejection? {
        address.isLoopback && hooks.admits() ? nil : .admission
    }
    func released(_ address: PeerAddress, _ connection: ConnectionID) { journal.note { $0.released += 1 } }
    func refusal(of handshake: Handshake) -> HTTPResponse? { hooks.refusal(handshake) }

    func opened(_ connection: ConnectionID, handshake: Handshake, tag: UInt64) {
        journal.note { $0.opened.append((connection, handshake.subprotocol, tag)) }
    }

    func received(_ bytes: UnsafeRawBufferPointer, isText: Bool, from connection: ConnectionID) {
        // The bytes live only during this call.
        let copy = [UInt8](bytes)
        journal.note { $0.messages.append((connection, copy, isText)) }
        hooks.received(loop, connection)
    }

    func caughtUp(_ connection: ConnectionID, stale: [FanOutKey], missed: [FanOutKey]) {
        hooks.caughtUp(loop, connection)
        journal.note { $0.caughtUp.append((connection, stale, missed)) }
    }

    func closed(_ connection: ConnectionID, code: UInt16) { journal.note { $0.closed.append((connection, code)) } }
    func connectFailed(tag: UInt64, reason: String) { journal.note { $0.failed.append((tag, reason)) } }
    func answer(to head: HTTPHead) -> HTTPAnswer { hooks.answer(head) }

    func ticked(now: MonotonicTime) {
        journal.note { $0.ticks.append(now) }
        hooks.ticked(loop)
    }

    func outboxesOverBudget() { hooks.outboxesOverBudget(loop) }
    func swept(now: MonotonicTime) { journal.note { $0.sweeps += 1 } }
    func turnEnded() {
        journal.note { record in
            let count = record.messages.count - record.batches.reduce(0, +)
            if count > 0 { record.batches.append(count) }
        }
    }
    func logged(_ line: String, level: Int) {}
}

extension FanOutKey {
    static func make(_ number: UInt64 = 1) -> FanOutKey { FanOutKey(place: number) }
}

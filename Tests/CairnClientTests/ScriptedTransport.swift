import CairnClient
import CairnTime
import CairnWire
import Synchronization

/// A transport whose server is the test: it sees every connection and every message, and says what comes back.
final class ScriptedTransport: ClientTransport {
    private let connections: AsyncStream<ScriptedConnection>
    private let sink: AsyncStream<ScriptedConnection>.Continuation

    init() {
        (connections, sink) = AsyncStream.makeStream()
    }

    func connect(
        to url: ServerURL, format: WireFormat, receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> any ClientConnection {
        let connection = ScriptedConnection(receive: receive)
        sink.yield(connection)
        return connection
    }

    /// The next connection that the client asks for.
    func next() async -> ScriptedConnection {
        for await connection in connections { return connection }
        preconditionFailure("no more connections")
    }

    /// The next connection, opened and welcomed.
    func welcome(_ welcome: WireWelcome = .make()) async -> (connection: ScriptedConnection, hello: WireHello) {
        let connection = await next()
        connection.receive(.opened)
        let hello = await connection.sent()
        connection.receive(.reply(id: hello.id, .welcome(welcome)))
        return (connection, hello.hello)
    }
}

/// One connection of a `ScriptedTransport`.
final class ScriptedConnection: ClientConnection {
    let receive: @Sendable (TransportEvent) -> Void
    private let messages: AsyncStream<[UInt8]>
    private let sink: AsyncStream<[UInt8]>.Continuation
    private let ending = Mutex<UInt16?>(nil)

    init(receive: @escaping @Sendable (TransportEvent) -> Void) {
        self.receive = receive
        (messages, sink) = AsyncStream.makeStream()
    }

    func send(_ message: [UInt8]) { sink.yield(message) }

    func close(code: UInt16) {
        ending.withLock { $0 = code }
        receive(.closed(code: code, reason: ""))
    }

    func abort() { close(code: 1006) }

    /// How the client ended it; nil = it did not.
    var closedWith: UInt16? { ending.withLock { $0 } }

    /// The next message that the client sends.
    func sent() async -> WireClientMessage {
        for await message in messages { return (try? WireBody.decode(from: message)) ?? WireClientMessage() }
        preconditionFailure("no more messages")
    }

    func receive(_ items: WireItem...) {
        receive(
            .received(
                ServerItemEncoder.message(items.map { ServerItemEncoder.encode($0, format: .proto) }, format: .proto)))
    }
}

/// A clock that the test moves.
final class ManualTime: Sendable {
    private struct State {
        var now: MonotonicTime = .epoch
        var sleepers: [(until: MonotonicTime, wake: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())
    private let sleeps: AsyncStream<MonotonicTime>
    private let sink: AsyncStream<MonotonicTime>.Continuation

    init() {
        (sleeps, sink) = AsyncStream.makeStream()
    }

    var clientTime: ClientTime {
        ClientTime(
            now: { self.state.withLock { $0.now } },
            sleep: { until in
                await withCheckedContinuation { wake in
                    let isPast = self.state.withLock { state in
                        if state.now < until { state.sleepers.append((until, wake)) }
                        return state.now >= until
                    }
                    if isPast { wake.resume() }
                    self.sink.yield(until)
                }
            })
    }

    /// Waits until somebody sleeps, then moves the time to the end of that sleep.
    @discardableResult
    func skipNextSleep() async -> MonotonicTime {
        for await until in sleeps {
            let woken = state.withLock { state in
                state.now = max(state.now, until)
                let woken = state.sleepers.filter { $0.until <= state.now }
                state.sleepers.removeAll { $0.until <= state.now }
                return woken
            }
            for sleeper in woken { sleeper.wake.resume() }
            return until
        }
        preconditionFailure("nobody sleeps any more")
    }
}

internal import CairnTime
public import CairnWire
internal import Synchronization

/// Connecting, reconnecting and receiving.
extension CairnClient {
    /// Opens a session and waits for the welcome. After the first one the client reconnects without another call.
    /// - Returns: the welcome; at once if there is a session.
    /// - Throws: `unreachable` when no connection can be opened, the server's refusal of `hello`, or `client_closed`.
    @discardableResult
    public func connect() async throws(Refusal) -> WireWelcome {
        if core.phase == .live, let welcome = core.welcome { return welcome }
        let result = await withCheckedContinuation { (done: CheckedContinuation<Result<WireWelcome, Refusal>, Never>) in
            greeters.append(done)
            if case .none = link { open() }
        }
        return try result.get()
    }

    /// Ends the session; the client does not reconnect until `connect` is called. Requests without an answer throw
    /// `client_closed`; the server may have carried them out.
    public func disconnect() {
        let closed = Refusal(.clientClosed, "the client was closed", component: Self.component)
        if case .connection(let connection) = link { connection.close(code: 1_000) }
        if case .pausing(let task) = link { task.cancel() }
        link = .none
        linkNumber += 1
        hasBeenLive = false
        _ = core.connectionClosed(code: 1_000, now: time.now())
        for (ticket, waiter) in waiters {
            core.abandon(ticket)
            waiter.resume(returning: .refusal(closed))
        }
        waiters = [:]
        failGreeters(closed)
    }

    static let component = "client"

    // MARK: Inside

    private func open() {
        linkNumber += 1
        let number = linkNumber
        // Bounded: for a client that cannot keep up a new snapshot is better than a long backlog.
        let (stream, inbox) = AsyncStream.makeStream(
            of: TransportEvent.self, bufferingPolicy: .bufferingOldest(options.inboxMessagesMax))
        let overflow = Overflow()
        let connection = transport.connect(to: url, format: options.format) { event in
            if case .dropped = inbox.yield(event) { overflow.happened() }
            if case .closed = event { inbox.finish() }
        }
        overflow.onOverflow { connection.abort() }
        link = .connection(connection)
        Task { [weak self] in
            for await event in stream { await self?.receive(event, of: number) }
            // Also when the `closed` itself did not fit in.
            await self?.receive(.closed(code: 1006, reason: "the inbox was full"), of: number)
        }
    }

    private func receive(_ event: TransportEvent, of number: UInt64) {
        guard number == linkNumber, case .connection(let connection) = link else { return }
        let now = time.now()
        switch event {
        case .opened:
            core.connectionOpened(now: now)
        case .received(let bytes):
            for event in bytes.withUnsafeBytes({ core.receive($0, now: now) }) { receive(event, on: connection) }
        case .closed(let code, let reason):
            closed(code: code, reason: reason, now: now)
        }
        flush()
    }

    private func receive(_ event: ClientEvent, on connection: any ClientConnection) {
        switch event {
        case .welcomed(let welcome):
            hasBeenLive = true
            for greeter in greeters { greeter.resume(returning: .success(welcome)) }
            greeters = []
        case .answered(let ticket, let answer):
            waiters.removeValue(forKey: ticket)?.resume(returning: answer)
        case .refused(let refusal) where core.phase == .greeting:
            failGreeters(refusal)
        case .positionsShifted(by: let shift): positionTimer?.shift(by: shift)
        case .violation(let violation) where violation.rule.spoilsTheView:
            // The state of the topic cannot be trusted: a new connection gets a new snapshot.
            core.distrust(violation.topic)
            connection.abort()
        default: break
        }
        tell(event)
    }

    private func closed(code: UInt16, reason: String, now: MonotonicTime) {
        let reconnection = core.connectionClosed(code: code, now: now)
        link = .none
        tell(.disconnected(hasBeenLive ? reconnection : .never(reason: reason)))
        guard hasBeenLive, case .after(let pause) = reconnection else {
            let why = reason.isEmpty ? "close code \(code)" : reason
            return failGreeters(Refusal(.unreachable, "\(url): \(why)", component: Self.component))
        }
        let until = now + pause
        link = .pausing(
            Task { [weak self, time] in
                await time.sleep(until)
                guard !Task.isCancelled else { return }
                await self?.comeBack()
            })
    }

    private func comeBack() {
        guard case .pausing = link else { return }
        open()
    }

    private func failGreeters(_ refusal: Refusal) {
        for greeter in greeters { greeter.resume(returning: .failure(refusal)) }
        greeters = []
    }

    /// Sends the core's outgoing messages and schedules its next wake.
    func flush() {
        let messages = core.takeOutgoing()
        if case .connection(let connection) = link {
            for message in messages { connection.send(message) }
        }
        guard let wake = core.nextWake, wake < wakeSetFor ?? .distantFuture else { return }
        wakeSetFor = wake
        Task { [weak self, time] in
            await time.sleep(wake)
            await self?.wake(wake)
        }
    }

    private func wake(_ wake: MonotonicTime) {
        if wakeSetFor == wake { wakeSetFor = nil }
        for event in core.wake(now: time.now()) { tell(event) }
        flush()
    }
}

/// Cuts a connection whose inbox has overflowed.
private final class Overflow: Sendable {
    private let state = Mutex(State())

    private struct State {
        var cut: (@Sendable () -> Void)?
        var hasHappened = false
    }

    func happened() {
        let cut = state.withLock { state in
            state.hasHappened = true
            return state.cut
        }
        cut?()
    }

    /// Sets how to cut the connection, once it is known.
    func onOverflow(_ cut: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.cut = cut
            return state.hasHappened
        }
        if isLate { cut() }
    }
}

extension Violation.Rule {
    /// Whether the client's state of the topic may differ from the server's.
    fileprivate var spoilsTheView: Bool {
        switch self {
        case .gap, .reordered, .brokenSnapshot, .enteredTwice, .unknownInstance, .versionBack: true
        default: false
        }
    }
}

extension Refusal.Code {
    /// No connection to the server could be opened.
    public static let unreachable = Self(rawValue: "unreachable")
    /// `CairnClient.disconnect` was called.
    public static let clientClosed = Self(rawValue: "client_closed")
    /// The task that made the call was cancelled; the server may have carried it out.
    public static let cancelled = Self(rawValue: "cancelled")
}

internal import CWebSockets
internal import CairnThreads
public import CairnTime
internal import Foundation
internal import Synchronization

/// One event loop: a thread with its own sockets, its own fan-out tables and its own share of the world.
///
/// It is also a serial executor, so actors can live on its thread: what arrives on a socket reaches the actor that
/// decides without a hop. Everything but `post`, `enqueue`, `start`, `stop` and `index` belongs to the loop's thread
/// and traps elsewhere.
public final class WebSocketLoop: SerialExecutor, @unchecked Sendable {
    // @unchecked: all mutable state but the mailbox is confined to the loop's thread, checked by preconditionOnLoop().

    public let index: Int
    private let mailbox = Mutex(Mailbox())
    private let threadIdentity = Atomic<UInt>(0)
    /// Not the thread itself: it holds the loop, and neither would ever go.
    private let isRunning = Atomic<Bool>(false)

    // Confined to the loop's thread from here on.
    var options: LoopOptions
    let loop: OpaquePointer
    private let target: CallbackTarget
    var handler: (any LoopHandler)?
    var connections: [Connection?] = []
    var fanOuts: [FanOutKey: FanOut] = [:]
    var flushing = FlushQueue()
    /// Answers of the bulk lane that are under way, by their connection.
    var bodies: [ConnectionID: BodyPipe] = [:]
    var lastBody: UInt64 = 0
    /// Outboxes have grown beyond the budget that the loops share.
    var isOverBudget = false
    /// Connections that take no bytes at present.
    public internal(set) var behind = 0
    var scratch: Scratch
    var nextTick: MonotonicTime?
    var nextSweep: MonotonicTime = .epoch
    /// What the timer is set for: no time before the call that set it.
    private var timerDue: MonotonicTime = .epoch
    /// How late the timer was that called `ticked` or `swept` last.
    public private(set) var timerLateness: Duration = .zero
    public internal(set) var counters = LoopCounters()

    private struct Mailbox {
        var jobs: [Job] = []
        var isOpen = true
    }

    private enum Job {
        case job(UnownedJob)
        case work(@Sendable () -> Void)
    }

    /// - Throws: `LoopError` when libwebsockets or libuv cannot set up, for instance for want of the TLS files.
    public init(index: Int, options: LoopOptions) throws(LoopError) {
        self.index = index
        self.options = options
        let target = CallbackTarget()
        // Unretained: the C loop has the pointer until cws_loop_destroy in deinit, and `target` is kept longer.
        let context = Unmanaged.passUnretained(target).toOpaque()
        guard let loop = Self.makeLoop(options: options, context: context) else {
            throw LoopError(
                component: "transport", operation: "create loop \(index)",
                cause: target.lines.isEmpty ? "unknown" : target.lines.joined(separator: "; "))
        }
        self.loop = loop
        self.target = target
        scratch = Scratch(capacity: 65_536)
        target.loop = self
    }

    deinit {
        cws_loop_destroy(loop)
    }

    // MARK: Threads

    /// Starts the thread. `handler` is made there, so it can be confined to it.
    public func start(handler make: @escaping @Sendable () -> any LoopHandler) {
        isRunning.store(true, ordering: .releasing)
        let thread = Thread { [self] in
            threadIdentity.store(UInt(pthread_self()), ordering: .releasing)
            handler = make()
            ThreadName.set("cairn-loop-\(index)")
            nextSweep = now + .seconds(1)
            armTimer()
            drainMailbox()
            cws_loop_run(loop)
            handler = nil
            mailbox.withLock { $0.isOpen = false }
            drainMailbox()
            isRunning.store(false, ordering: .releasing)
        }
        thread.stackSize = 2 << 20
        thread.start()
    }

    /// Drops every connection and ends the thread. Returns at once; `isFinished` tells when it has ended.
    public func stop() {
        post { [self] in cws_loop_stop(loop) }
    }

    public var isFinished: Bool { !isRunning.load(ordering: .acquiring) }

    /// Pieces of work that other threads have posted and that have not begun. From any thread.
    public var jobsWaiting: Int { mailbox.withLock { $0.jobs.count } }

    /// Whether the caller is on the loop's thread.
    public var isCurrent: Bool {
        threadIdentity.load(ordering: .relaxed) == UInt(pthread_self())
    }

    /// Traps on every thread but the loop's. To be called first by whatever touches what is confined to that thread.
    public func preconditionOnLoop() {
        precondition(isCurrent, "only the thread of loop \(index) may do this")
    }

    /// Runs `work` on the loop's thread soon, after everything that was posted before. From any thread.
    public func post(_ work: @escaping @Sendable () -> Void) {
        put(.work(work))
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        put(.job(UnownedJob(job)))
    }

    public func checkIsolated() {
        preconditionOnLoop()
    }

    public func isIsolatingCurrentContext() -> Bool? {
        isCurrent
    }

    private func put(_ job: Job) {
        let needsWake = mailbox.withLock { mailbox in
            mailbox.jobs.append(job)
            return mailbox.jobs.count == 1 && mailbox.isOpen
        }
        if needsWake { cws_loop_wake(loop) }
    }

    /// Runs what has been posted, and what that adds, but not for ever.
    func drainMailbox() {
        for _ in 0..<8 {
            let jobs = mailbox.withLock { mailbox in
                let jobs = mailbox.jobs
                mailbox.jobs = []
                return jobs
            }
            guard !jobs.isEmpty else { return }
            for job in jobs {
                switch job {
                case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
                case .work(let work): work()
                }
            }
        }
        let isEmpty = mailbox.withLock { $0.jobs.isEmpty }
        if !isEmpty { cws_loop_wake(loop) }
    }

    // MARK: Time

    /// The clock of all loops.
    public var now: MonotonicTime { .now }

    /// `ticked` will be called at `time` or soon after; the earliest request counts.
    public func requestTick(at time: MonotonicTime) {
        preconditionOnLoop()
        guard time < nextTick ?? .distantFuture else { return }
        nextTick = time
        armTimer()
    }

    func armTimer() {
        let due = min(nextTick ?? .distantFuture, nextSweep)
        let current = now
        timerDue = max(due, current)
        cws_loop_set_timer(loop, Int64((due.microseconds(since: current) + 999) / 1_000))
    }

    /// While much comes that is not urgent, input waits for more up to this long from now on; zero = never.
    public func gather(_ wait: Duration) {
        preconditionOnLoop()
        cws_loop_set_gather(loop, UInt32(wait.microseconds))
    }

    /// Says of the message at hand that it must not wait. Input waits less, the more of it is urgent, and does not wait
    /// when one in sixteen messages is.
    public func wasUrgent() {
        preconditionOnLoop()
        cws_gather_urgent(loop)
    }

    /// The timer has fired.
    func noteLateness(now: MonotonicTime) {
        timerLateness = max(.zero, now - timerDue)
    }

    // MARK: Sockets

    /// Whether a first loop could listen there; the loops of one process share a port, two servers must not.
    public static func checkPort(_ port: Int, address: String) throws(LoopError) {
        let result = cws_port_error(address, UInt16(port))
        guard result == 0 else {
            throw LoopError(
                component: "transport", operation: "listen on \(address):\(port)",
                cause: String(cString: strerror(-result)))
        }
    }

    /// Listens on `address`:`port` beside the other loops (SO_REUSEPORT). Before `start` or on the loop's thread.
    /// - Returns: the port, useful when 0 was asked for.
    public func listen(address: String, port: Int, backlog: Int) throws(LoopError) -> Int {
        let result = cws_listen(loop, address, UInt16(port), Int32(backlog))
        guard result > 0 else {
            throw LoopError(
                component: "transport", operation: "listen on \(address):\(port)",
                cause: String(cString: strerror(-result)))
        }
        return Int(result)
    }

    /// Stops accepting; open connections stay.
    public func stopListening() {
        preconditionOnLoop()
        cws_unlisten(loop)
    }

    /// Takes over what may change while the loop runs: pings, silence, outboxes, input and how long it waits. The rest
    /// waits for a restart.
    public func apply(_ changed: LoopOptions) {
        preconditionOnLoop()
        options.pingSeconds = changed.pingSeconds
        options.silenceSeconds = changed.silenceSeconds
        options.outboxBytesMax = changed.outboxBytesMax
        options.behindSecondsMax = changed.behindSecondsMax
        cws_set_unacknowledged(loop, UInt32(options.unacknowledgedSecondsMax))
        options.inputBytesPerSecond = changed.inputBytesPerSecond
        cws_set_input_rate(loop, UInt32(options.inputBytesPerSecond))
        options.gatherMilliseconds = changed.gatherMilliseconds
        cws_loop_set_gather(loop, UInt32(options.gatherMilliseconds) * 1_000)
    }

    /// Takes the certificate and key files anew for handshakes from now on; false = they are unusable, the old stay.
    public func reloadTLS() -> Bool {
        preconditionOnLoop()
        return cws_reload_tls(loop) == 0
    }

    /// Opens a WebSocket to a server at a numeric address; `opened` or `connectFailed` follows.
    public func connect(
        host: String, port: Int, path: String, subprotocol: String, tls: Bool = false, allowsSelfSigned: Bool = false,
        tag: UInt64
    ) {
        preconditionOnLoop()
        let result = cws_connect(
            loop, host, UInt16(port), path, subprotocol, tls ? 1 : 0, allowsSelfSigned ? 1 : 0, tag)
        if result != 0 { handler?.connectFailed(tag: tag, reason: "cannot connect to \(host):\(port)") }
    }
}

/// A transport failure: what failed, doing what, and why (ENG-1).
public struct LoopError: Error, Sendable, CustomStringConvertible {
    public let component: String
    public let operation: String
    public let cause: String

    public var description: String { "\(component): \(operation): \(cause)" }
}

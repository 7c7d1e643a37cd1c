import CairnTime

/// The connections of a crowd and its clock: those of a `SocketLoop`, or of a run that was recorded. Confined to one
/// thread, on which it calls its handler.
protocol ConnectionLoop: AnyObject {
    /// Not retained.
    var handler: (any SocketHandler)? { get set }
    /// The present time. A recorded one stands still during a call of the handler.
    var now: MonotonicTime { get }

    /// Runs on the calling thread until a tick ends it; open connections are then dropped.
    func run()
    /// Schedules the tick no later than this.
    func tick(by time: MonotonicTime)
    /// Longest possible delay of received bytes in this loop.
    func lag(at now: MonotonicTime) -> Duration
    /// Starts to connect a bot; `opened` or `closed` follows.
    /// - Parameter bufferBytes: of the kernel's receive buffer; nil = its own choice.
    func connect(_ bot: Int, bufferBytes: Int32?)
    /// Sends one message. Ignored when the connection is not open.
    func send(_ message: [UInt8], on bot: Int)
    /// Stops or resumes reading, so that the server finds the connection slow.
    func pause(_ bot: Int, _ isPaused: Bool)
    /// Drops the connection without a close frame, as a phone in a tunnel does; `closed` is not called.
    func abort(_ bot: Int)
}

extension ConnectionLoop {
    func connect(_ bot: Int) { connect(bot, bufferBytes: nil) }
}

/// Receives a loop's events. Every call is made on the loop's thread.
protocol SocketHandler: AnyObject {
    func opened(_ bot: Int)
    /// One whole message; the bytes are valid only during the call. `wireBytes` includes the frame header.
    func received(_ bytes: UnsafeRawBufferPointer, wireBytes: Int, on bot: Int)
    /// Called once for each `connect` that fails, and once after `opened`.
    func closed(_ bot: Int, code: UInt16, reason: String)
    /// The requested time has come.
    func ticked(now: MonotonicTime) -> LoopTurn
}

/// The loop's next step after a tick.
enum LoopTurn {
    /// The time of the next tick.
    case next(at: MonotonicTime)
    case end
}

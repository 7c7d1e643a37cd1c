/// A coded "no" to a request. Nothing was changed, and the connection lives (SES-3).
public struct Refusal: Error, Hashable, Sendable {
    /// The code, on which the client acts.
    public var code: Code
    /// For people, in English; a client may show a text of its own for the code.
    public var message: String
    /// The part of the server that refused, for instance `session`; empty = not given.
    public var component: String
    /// How long to wait before the same request may succeed; nil = change the request first.
    public var retryAfter: Duration?
    /// Figures that belong to the code, for instance `limit` and `count` of a quota.
    public var details: [String: String]

    /// - Parameters:
    ///   - message: nil = the code's own.
    ///   - retryAfter: nil = the code's own, which is nil where waiting does not help.
    public init(
        _ code: Code, _ message: String? = nil, component: String = "", retryAfter: Duration? = nil,
        details: [String: String] = [:]
    ) {
        self.code = code
        self.message = message ?? code.message
        self.component = component
        self.retryAfter = retryAfter ?? code.retryAfter
        self.details = details
    }

    /// The refusal as it goes to the client.
    /// - Parameter correlation: the id of the refusal in the server's log; empty = not logged.
    public func wire(correlation: String) -> WireRefusal {
        var wire = WireRefusal()
        wire.code = code.rawValue
        wire.message = message
        wire.component = component
        if let retryAfter { wire.retryAfter = retryAfter.wholeMilliseconds }
        wire.correlation = correlation
        wire.details = details
        return wire
    }

    /// The refusal that a server sent. Codes that this build does not know are kept as they are.
    public init(_ wire: WireRefusal) {
        code = Code(rawValue: wire.code)
        message = wire.message
        component = wire.component
        retryAfter = wire.hasRetryAfter ? .milliseconds(Int64(wire.retryAfter)) : nil
        details = wire.details
    }
}

extension Duration {
    /// Milliseconds rounded up, so that no client retries too early, and clamped to the wire's range: 0 to
    /// 4,294,967,295 (49 days).
    var wholeMilliseconds: UInt32 {
        guard self > .zero else { return 0 }
        let (seconds, attoseconds) = components
        let attosecondsPerMillisecond: Int64 = 1_000_000_000_000_000
        let fraction = (attoseconds + attosecondsPerMillisecond - 1) / attosecondsPerMillisecond
        guard seconds <= Int64(UInt32.max) / 1000 else { return .max }
        return UInt32(clamping: seconds * 1000 + fraction)
    }
}

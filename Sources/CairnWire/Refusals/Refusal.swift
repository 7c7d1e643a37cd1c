/// A coded "no" to a request. Nothing was changed, and the connection lives (SES-3).
public struct Refusal: Error, Hashable, Sendable {
    /// The code, on which the client acts.
    public var code: Code
    /// For people; nil = the code's own sentence. A client may show a text of its own for the code.
    public var text: Text?
    /// The part of the server that refused, for instance `session`; empty = not given.
    public var component: String
    /// How long to wait before the same request may succeed; nil = change the request first.
    public var retryAfter: Duration?
    /// Figures that belong to the code, for instance `limit` and `count` of a quota.
    public var details: [String: String]

    /// - Parameters:
    ///   - text: nil = the code's own.
    ///   - retryAfter: nil = the code's own, which is nil where waiting does not help.
    public init(
        _ code: Code, _ text: Text? = nil, component: String = "", retryAfter: Duration? = nil,
        details: [String: String] = [:]
    ) {
        self.code = code
        self.text = text
        self.component = component
        self.retryAfter = retryAfter ?? code.retryAfter
        self.details = details
    }

    /// For people, in English as the server has it, or as a server has sent it.
    public var message: String { text?.description ?? code.message }

    /// The refusal as it goes to the client.
    /// - Parameters:
    ///   - correlation: the id of the refusal in the server's log; empty = not logged.
    ///   - message: the sentence in the client's language; nil = English.
    public func wire(correlation: String, message: String? = nil) -> WireRefusal {
        var wire = WireRefusal()
        wire.code = code.rawValue
        wire.message = message ?? self.message
        wire.component = component
        if let retryAfter { wire.retryAfter = retryAfter.wholeMilliseconds }
        wire.correlation = correlation
        wire.details = details
        return wire
    }

    /// The refusal that a server sent. Codes that this build does not know are kept as they are.
    public init(_ wire: WireRefusal) {
        code = Code(rawValue: wire.code)
        text = Text(english: wire.message)
        component = wire.component
        retryAfter = wire.hasRetryAfter ? .milliseconds(Int64(wire.retryAfter)) : nil
        details = wire.details
    }
}

extension Refusal {
    /// Two refusals are equal when a client is told the same.
    public static func == (a: Self, b: Self) -> Bool {
        a.code == b.code && a.message == b.message && a.component == b.component && a.retryAfter == b.retryAfter
            && a.details == b.details
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(component)
        hasher.combine(details)
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

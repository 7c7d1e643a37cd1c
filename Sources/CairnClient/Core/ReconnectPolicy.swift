internal import CairnWire

/// When to reconnect: after pauses that grow, with a random part so that a crowd does not reconnect at one moment, and
/// never sooner than the server asked for (SES-11).
public struct ReconnectPolicy: Hashable, Sendable {
    /// Ceiling of the first pause; it doubles with each attempt that fails.
    public var pause = Duration.milliseconds(500)
    public var pauseMax = Duration.seconds(30)
    /// A connection that stayed open for this long counts as a success: the next pause is the first again.
    public var stableAfter = Duration.seconds(10)

    public init() {}

    /// - Parameters:
    ///   - code: the WebSocket close code, 1006 when there was none.
    ///   - closing: the server's last message, if it said goodbye.
    ///   - attempt: connections in a row that have failed or ended soon, from 0.
    func reconnection(
        code: UInt16, closing: WireClosing?, attempt: Int, using generator: inout some RandomNumberGenerator
    ) -> Reconnection {
        let next = Closure.next(after: code)
        guard next == .withBackoff else { return .never(reason: closing?.code ?? "close code \(code)") }
        if let closing, !closing.hasReconnectAfter, Self.isOurs(code) { return .never(reason: closing.code) }
        let ceiling = min(pause * Double(UInt64(1) << UInt64(min(attempt, 20))), pauseMax)
        // "Full jitter": anywhere up to the ceiling spreads a crowd best.
        let jittered = ceiling * Double.random(in: 0...1, using: &generator)
        guard let closing, closing.hasReconnectAfter else { return .after(jittered) }
        return .after(.milliseconds(Int64(closing.reconnectAfter)) + jittered)
    }

    /// A close code that the server chose, so that its `closing` message speaks of the same end; 1006 and the like mean
    /// that the link broke meanwhile.
    private static func isOurs(_ code: UInt16) -> Bool { proxies.contains(code) || Closure(code: code) != nil }

    /// Close codes by which a proxy may replace one that it does not know.
    private static let proxies: Set<UInt16> = [1001, 1011]
}

/// What operators ask about a loop's connections.
extension WebSocketLoop {
    /// Whether the connection takes no bytes at present; nil when it is gone.
    public func isBehind(_ id: ConnectionID) -> Bool? {
        connection(id).map { $0.isBlocked || $0.isClosing }
    }

    /// Sends what waits for one connection now, not at the end of the turn.
    public func flush(_ id: ConnectionID) {
        if let connection = connection(id) { flush(connection) }
    }

    /// Bytes that wait for one connection; nil when it is gone.
    public func waitingBytes(_ id: ConnectionID) -> Int? { connection(id)?.outbox.bytes }

    /// Works out how many bytes a second each key's followers were given since the last time.
    public func measureFanOuts(seconds: Double) {
        preconditionOnLoop()
        for fanOut in fanOuts.values {
            fanOut.bytesPerSecond = Double(fanOut.bytesQueued - fanOut.bytesMeasured) / seconds
            fanOut.bytesMeasured = fanOut.bytesQueued
        }
    }

    /// What that gave, for keys with anything.
    public func fanOutRates() -> [(FanOutKey, Double)] {
        preconditionOnLoop()
        return fanOuts.compactMap { $0.value.bytesPerSecond > 0 ? ($0.key, $0.value.bytesPerSecond) : nil }
    }

    /// Bytes of events that wait for slow readers, by what they follow. Readers that keep up have nothing waiting
    /// between two turns, so this looks at few.
    public func waitingEventBytes() -> [FanOutKey: Int] {
        preconditionOnLoop()
        var bytes: [FanOutKey: Int] = [:]
        for case let connection? in connections where connection.isBlocked {
            for entry in connection.outbox.entries {
                guard case .events(let fanOut) = entry.lane else { continue }
                bytes[fanOut.key, default: 0] += entry.bytes.count
            }
        }
        return bytes
    }
}

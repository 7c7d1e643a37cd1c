/// Items that are taken back while they wait for readers who are behind.
extension WebSocketLoop {
    /// Withdraws what waits of `key` for followers that are behind: they are not sent it any more, and resynchronise
    /// from a snapshot instead. All others are sent everything in this turn.
    public func withdraw(_ key: FanOutKey) {
        preconditionOnLoop()
        guard let fanOut = fanOuts[key] else { return }
        for connection in fanOut.subscribers where connection.isBlocked && drop(key, for: connection) > 0 {
            connection.stale.insert(key)
        }
    }
}

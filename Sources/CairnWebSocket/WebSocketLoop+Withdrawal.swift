/// Items that are taken back while they wait for readers who are behind.
extension WebSocketLoop {
    /// Withdraws what waits of a key that a connection follows, when it is behind: it is not sent it any more, and
    /// resynchronises from a snapshot instead. One that is not behind is sent everything in this turn.
    public func withdraw(_ key: FanOutKey, from id: ConnectionID) {
        preconditionOnLoop()
        guard let connection = connection(id), connection.isBlocked, drop(key, for: connection) > 0 else { return }
        connection.stale.insert(key)
    }
}

/// Items that are taken back while they wait. An outbox is gone through once, for however many keys.
extension WebSocketLoop {
    /// Revokes: the connection no longer follows these keys, and their items in its outbox are dropped unsent.
    /// - Returns: whether it has missed something of them.
    @discardableResult
    public func revoke(_ keys: Set<FanOutKey>, _ id: ConnectionID) -> Bool {
        guard let connection = connection(id) else { return false }
        var isBehind = false
        for key in keys where unfollow(key, id) { isBehind = true }
        return !drop(keys, for: connection).isEmpty || isBehind
    }

    /// Withdraws what waits of keys that a connection follows, when it is behind: it is not sent it any more, and
    /// resynchronises from snapshots of those of which something waited. One that is not behind is sent everything in
    /// this turn.
    public func withdraw(_ keys: Set<FanOutKey>, from id: ConnectionID) {
        preconditionOnLoop()
        guard let connection = connection(id), connection.isBlocked else { return }
        connection.stale.formUnion(drop(keys, for: connection))
    }

    /// Drops the items of keys in an outbox.
    /// - Returns: the keys of which there were some.
    private func drop(_ keys: Set<FanOutKey>, for connection: Connection) -> Set<FanOutKey> {
        let before = connection.outbox.bytes
        let dropped = connection.outbox.dropAll(of: keys)
        counters.itemsRevoked += UInt64(dropped.count)
        counters.itemsWaiting -= dropped.count
        counters.bytesQueued -= before - connection.outbox.bytes
        return dropped.topics
    }
}

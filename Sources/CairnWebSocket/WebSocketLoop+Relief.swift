/// Making room in memory.
extension WebSocketLoop {
    /// Closes the connections for which most waits, until half of all that waits here is gone. What waited for them is
    /// dropped at once: a peer that reads nothing would not get it, nor a word of why; the close code says it.
    /// - Parameters:
    ///   - bytesLeast: who has less waiting stays.
    ///   - isEligible: whether a connection may be closed.
    /// - Returns: how many are closed.
    public func closeFurthestBehind(
        waitingAtLeast bytesLeast: Int, code: UInt16, reason: String, where isEligible: (ConnectionID) -> Bool
    ) -> Int {
        preconditionOnLoop()
        let goal = counters.bytesQueued / 2
        let furthest = connections.compactMap { $0 }
            .filter { !$0.isClosing && $0.outbox.bytes >= bytesLeast && isEligible($0.id) }
            .sorted { $0.outbox.bytes > $1.outbox.bytes }
        var count = 0
        for connection in furthest where counters.bytesQueued > goal {
            drop(connection)
            close(connection.id, code: code, reason: reason)
            count += 1
        }
        return count
    }

    /// Outboxes have outgrown their budget: the handler closes those whom it can do without. Called between messages,
    /// when the handler is in the middle of nothing.
    func makeRoom() {
        isOverBudget = false
        let before = counters.bytesQueued
        handler?.outboxesOverBudget()
        let freed = before - counters.bytesQueued
        options.outboxBudget?.giveBack(max(freed, Self.budgetStepBytes))
    }

    /// When no connection can be closed it is not tried again at once.
    private static let budgetStepBytes = 1 << 20

    /// Nothing that waits for the connection is sent.
    private func drop(_ connection: Connection) {
        counters.bytesQueued -= connection.outbox.bytes
        counters.itemsWaiting -= connection.outbox.entries.count
        counters.itemsLost += UInt64(connection.outbox.entries.count)
        connection.outbox = Outbox()
    }
}

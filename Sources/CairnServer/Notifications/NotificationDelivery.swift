/// How far one connection has been sent its person's notifications.
struct NotificationDelivery: Hashable, Sendable {
    /// The number of the last one that was looked at: it was sent, or is of a kind that is switched off.
    private(set) var sent: Int64
    /// The number that the last message named, for its acknowledgement.
    private var marked: Int64 = 0
    /// The number of the last one that was acknowledged.
    private(set) var received: Int64
    /// The number of unread ones, as the client knows it.
    private var unread = 0
    /// Sent since the last acknowledgement.
    private var unacknowledged = 0
    private var isReading = false
    /// Something may have changed since the reading began.
    private var isStale = false

    init(received: Int64 = 0) {
        (sent, self.received) = (received, received)
    }

    /// Begins to read what is to be sent.
    /// - Returns: false = that is under way, or acknowledgements have to come first.
    mutating func begin() -> Bool {
        guard !isReading else {
            isStale = true
            return false
        }
        guard unacknowledged < SignIn.notificationsMax else { return false }
        (isReading, isStale) = (true, false)
        return true
    }

    /// Ends the reading.
    /// - Parameter batch: nil = the store cannot be read; the next change or connection tries again.
    /// - Returns: whether the batch is to be sent, and whether there is more to read.
    mutating func end(_ batch: NotificationBatch?) -> (isSent: Bool, isAgain: Bool) {
        isReading = false
        guard let batch else { return (false, false) }
        let isNews = !batch.notifications.isEmpty || batch.unread != unread
        unread = batch.unread
        sent = max(sent, batch.last ?? 0)
        if !batch.notifications.isEmpty { marked = sent }
        unacknowledged += batch.notifications.count
        return (isNews, isStale || batch.isFull)
    }

    /// The device has acknowledged what was sent up to a number.
    mutating func acknowledge(through number: Int64) {
        received = max(received, min(number, sent))
        if number >= marked { unacknowledged = 0 }
    }
}

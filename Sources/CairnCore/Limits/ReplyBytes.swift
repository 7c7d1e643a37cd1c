internal import CairnWire
internal import DequeModule

/// The bytes that the stored replies of one account take in a day, whatever the kinds of its changes (SYN-2).
///
/// `reserve` is called before a change goes to the home that decides, `settle` when that home has decided. A change
/// reserves the most that a reply can take, because its size is known only afterwards.
struct ReplyBytes: Sendable {
    /// Most bytes in a day; the setting may change while the server runs, and what was counted stays counted.
    var limit: Int
    /// The bytes of each hour with the time of its last reply: at most 25 entries.
    private var hours: Deque<(last: LastingTime, bytes: Int)> = []
    /// Changes that are not decided yet.
    private var reserved = 0

    private static let span = Quota.Span.day

    init(limit: Int) { self.limit = limit }

    /// The query that restores the use, at a time.
    static func stored(of account: AccountID, now: LastingTime) -> Query {
        StoredReply.bytes(of: account, after: now - span.length)
    }

    /// Restores the use from the rows of `stored(of:now:)`. They are computed and not stored, so none is damaged.
    mutating func restore(_ rows: [Row]) {
        for row in rows {
            guard let bytes = try? row.integer(0), let last = try? row.lastingTime(1) else { continue }
            add(Int(clamping: bytes), at: last)
        }
    }

    /// The bytes of the day that ends at `now`.
    mutating func used(now: LastingTime) -> Int {
        let start = now - Self.span.length
        while let first = hours.first, first.last <= start { hours.removeFirst() }
        return hours.reduce(0) { $0 + $1.bytes }
    }

    /// Reserves the bytes of one more reply, if the day has room for them.
    mutating func reserve(now: LastingTime) -> Reservation {
        let used = used(now: now)
        guard used + StoredReply.bytesMax <= limit else { return .refused(refusal(used, now: now)) }
        guard used + (reserved + 1) * StoredReply.bytesMax <= limit else { return .wait }
        reserved += 1
        return .granted
    }

    /// Ends one reservation.
    /// - Parameter bytes: what was stored; 0 = nothing.
    mutating func settle(bytes: Int, now: LastingTime) {
        reserved -= 1
        if bytes > 0 { add(bytes, at: now) }
    }

    /// Times do not decrease.
    private mutating func add(_ bytes: Int, at time: LastingTime) {
        let hour = { (time: LastingTime) in time.milliseconds / 3_600_000 }
        if let last = hours.indices.last, hour(hours[last].last) == hour(time) {
            hours[last] = (time, hours[last].bytes + bytes)
        } else {
            hours.append((time, bytes))
        }
    }

    /// Says when enough of the oldest hours are over.
    private func refusal(_ used: Int, now: LastingTime) -> Refusal {
        var left = used
        var wait = Self.span.length
        for hour in hours where left + StoredReply.bytesMax > limit {
            left -= hour.bytes
            wait = hour.last + Self.span.length - now
        }
        return Refusal(
            .rateLimited, "\(used) bytes of stored answers in the last \(Self.span.name), the limit is \(limit)",
            component: "changes", retryAfter: wait,
            details: ["count": "\(used)", "limit": "\(limit)", "period": "\(Self.span.name)"])
    }
}

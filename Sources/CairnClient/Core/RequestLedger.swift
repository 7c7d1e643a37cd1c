internal import CairnTime
internal import CairnWire

/// The requests without an answer, in the order in which they were made (PLC-8).
///
/// A change keeps its idempotency key however often it is sent, so sending it again is always safe (SYN-2). When a
/// connection is cut everything unanswered goes back to waiting and is sent again, in order, on the next one.
struct RequestLedger: Sendable {
    struct Entry: Sendable {
        let body: WireClientMessage.OneOf_Body
        /// Empty for questions, which change nothing.
        let key: String
        var state = State.unsent
        /// Number of temporary refusals.
        var delays = 0
    }

    enum State: Hashable, Sendable {
        case unsent
        case sent(id: UInt32)
        case waiting(until: MonotonicTime)
    }

    private var entries: [RequestTicket: Entry] = [:]
    private var ticketsByID: [UInt32: RequestTicket] = [:]
    private var lastTicket: UInt64 = 0
    private var lastID: UInt32 = 0
    /// When the first request that was put off is due; nil = none was.
    private(set) var nextWake: MonotonicTime?

    var count: Int { entries.count }

    /// - Parameter key: the idempotency key; empty for a question.
    mutating func add(_ body: WireClientMessage.OneOf_Body, key: String) -> RequestTicket {
        lastTicket += 1
        let ticket = RequestTicket(number: lastTicket)
        entries[ticket] = Entry(body: body, key: key)
        return ticket
    }

    /// Forgets a request; a late answer to it is ignored.
    mutating func remove(_ ticket: RequestTicket) {
        guard let entry = entries.removeValue(forKey: ticket) else { return }
        if case .sent(let id) = entry.state { ticketsByID[id] = nil }
    }

    /// The next id for a request: never 0, and never that of a request under way.
    mutating func nextID() -> UInt32 {
        repeat { lastID = lastID == .max ? 1 : lastID + 1 } while ticketsByID[lastID] != nil
        return lastID
    }

    /// Everything that may be sent at `now`, oldest first, marked as sent.
    mutating func takeDue(now: MonotonicTime) -> [WireClientMessage] {
        var due: [RequestTicket] = []
        nextWake = nil
        for (ticket, entry) in entries {
            switch entry.state {
            case .unsent: due.append(ticket)
            case .waiting(let until) where until <= now: due.append(ticket)
            case .waiting(let until): nextWake = min(nextWake ?? .distantFuture, until)
            case .sent: break
            }
        }
        return due.sorted().compactMap { send($0) }
    }

    /// Marks one request as sent; returns its message.
    mutating func send(_ ticket: RequestTicket) -> WireClientMessage? {
        guard var entry = entries[ticket] else { return nil }
        let id = nextID()
        entry.state = .sent(id: id)
        entries[ticket] = entry
        ticketsByID[id] = ticket
        var message = WireClientMessage()
        message.id = id
        message.key = entry.key
        message.body = entry.body
        return message
    }

    /// The request that an answer belongs to.
    func request(answeredBy id: UInt32) -> (ticket: RequestTicket, entry: Entry)? {
        guard let ticket = ticketsByID[id], let entry = entries[ticket] else { return nil }
        return (ticket, entry)
    }

    /// The server has refused a request temporarily: `takeDue` gives it again at a time, with a new id.
    mutating func putOff(_ ticket: RequestTicket, until: MonotonicTime) {
        guard var entry = entries[ticket] else { return }
        if case .sent(let id) = entry.state { ticketsByID[id] = nil }
        entry.state = .waiting(until: until)
        entry.delays += 1
        entries[ticket] = entry
        nextWake = min(nextWake ?? .distantFuture, until)
    }

    /// The connection is gone: nothing is under way any more.
    mutating func disconnect() {
        ticketsByID = [:]
        for (ticket, entry) in entries {
            if case .sent = entry.state { entries[ticket]?.state = .unsent }
        }
    }
}

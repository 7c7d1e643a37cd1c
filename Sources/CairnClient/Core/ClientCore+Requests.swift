public import CairnWire

/// What a client can ask for. Each call may be made at any time: without a connection it waits for one.
///
/// A change is sent with an idempotency key and sent again until it is answered, so it happens once or is refused
/// (PLC-8).
extension ClientCore {
    /// Says where the user is (SES-5). Not acknowledged: the newest wins, and it is said again on every new connection.
    public mutating func move(to position: WirePosition) {
        self.position = position
        guard phase == .live else { return }
        var message = WireClientMessage()
        message.position = position
        emit(message)
    }

    /// Says where the user is and asks for the cell: answered with `positioned`.
    public mutating func locate(at position: WirePosition, now: UInt64) throws(Refusal) -> RequestTicket {
        self.position = position
        return try ask(.position(position), key: "", now: now)
    }

    /// Switches the sharing of one's position on or off (VIS-9): answered with `done`.
    public mutating func share(_ shares: Bool, accuracyMetres: UInt32? = nil, now: UInt64) throws(Refusal)
        -> RequestTicket
    {
        profile.sharesPosition = shares
        if let accuracyMetres { profile.shareAccuracyMetres = accuracyMetres }
        var body = WireShare()
        body.position = shares
        if let accuracyMetres { body.accuracy = accuracyMetres }
        return try ask(.share(body), key: "", now: now)
    }

    /// Ends the token at once; the connection becomes a guest (ACC-6). Answered with `done`.
    public mutating func signOut(now: UInt64) throws(Refusal) -> RequestTicket {
        let ticket = try ask(.signOut(WireSignOut()), key: "", now: now)
        forgetSignIn()
        return ticket
    }

    /// What a guest does not have.
    mutating func forgetSignIn() {
        profile.token = ""
        welcome?.session = ""
        position = nil
    }

    /// Gives the server a newer token of the app's backend (ACC-12): answered with `refreshed`.
    public mutating func refresh(_ token: String, now: UInt64) throws(Refusal) -> RequestTicket {
        var body = WireRefresh()
        body.token = token
        return try ask(.refresh(body), key: "", now: now)
    }

    /// The token to come back with from now on.
    public mutating func use(token: String) { profile.token = token }

    /// Gives up waiting for an answer. The server may have done it all the same.
    public mutating func abandon(_ ticket: RequestTicket) {
        ledger.remove(ticket)
    }

    /// Sends a request, at once or with the next connection. What a feature asks for stands in its folder.
    mutating func ask(
        _ body: WireClientMessage.OneOf_Body, key: String, now: UInt64
    ) throws(Refusal) -> RequestTicket {
        guard ledger.count < limits.requestsMax else {
            throw Refusal(
                .limitReached, "\(ledger.count) requests are waiting for an answer", component: "client",
                details: ["limit": "\(limits.requestsMax)", "count": "\(ledger.count)"])
        }
        let ticket = ledger.add(body, key: key)
        if phase == .live, let message = ledger.send(ticket) { emit(message) }
        return ticket
    }

    /// A new idempotency key: 128 random bits in hexadecimal.
    mutating func makeKey() -> String {
        String(generator.next(), radix: 16) + "-" + String(generator.next(), radix: 16)
    }
}

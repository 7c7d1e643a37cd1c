public import CairnTime
public import CairnWire

/// The requests of a client. Each may be made at any time: without a connection it waits for one.
///
/// A change is sent with an idempotency key and sent again until it is answered, so it happens once or is refused
/// (PLC-8).
extension ClientCore {
    /// Sends the user's position (SES-5), without acknowledgement. The newest one counts, and every new connection
    /// sends it again. One of a guest whom the server has put off is sent when the pause is over.
    public mutating func move(to position: WirePosition) {
        let position = position.known
        self.position = position
        guard phase == .live, lookAt == nil else { return }
        var message = WireClientMessage()
        message.position = position
        emit(message)
    }

    /// Sends the user's position and asks for the cell: answered with `positioned`.
    public mutating func locate(at position: WirePosition, now: MonotonicTime) throws(Refusal) -> RequestTicket {
        let position = position.known
        self.position = position
        return try ask(position, now: now)
    }

    /// Switches the sharing of one's position on or off (VIS-9): answered with `done`.
    public mutating func share(_ shares: Bool, accuracyMetres: UInt32? = nil, now: MonotonicTime) throws(Refusal)
        -> RequestTicket
    {
        profile.sharesPosition = shares
        if let accuracyMetres { profile.shareAccuracyMetres = accuracyMetres }
        var body = WireShare()
        body.position = shares
        if let accuracyMetres { body.accuracy = accuracyMetres }
        return try ask(body, now: now)
    }

    /// Ends the token at once; the connection becomes a guest (ACC-6). Answered with `done`.
    public mutating func signOut(now: MonotonicTime) throws(Refusal) -> RequestTicket {
        let ticket = try ask(WireSignOut(), now: now)
        forgetSignIn()
        return ticket
    }

    /// Drops the token, the session and the position, which a guest does not have, and the word about sharing, which
    /// was the person's.
    mutating func forgetSignIn() {
        profile.token = ""
        forgetSharing()
        welcome?.session = ""
        position = nil
        lookAt = nil
    }

    /// The server has forgotten what was said about sharing.
    mutating func forgetSharing() { (profile.sharesPosition, profile.shareAccuracyMetres) = (nil, nil) }

    /// The token for later connections.
    public mutating func use(token: String) { profile.token = token }

    /// Stops waiting for an answer. The server may carry out the request all the same.
    public mutating func abandon(_ ticket: RequestTicket) {
        ledger.remove(ticket)
    }

    /// Sends a request, at once or with the next connection: answered with a `Body.Success`.
    /// - Parameter key: of a change; nil = a new one. One of an earlier attempt, for instance from before the app was
    ///   restarted, gives that attempt's answer. What is no change is sent without a key.
    public mutating func ask<Body: RequestBody>(
        _ body: Body, key: String? = nil, now: MonotonicTime
    ) throws(Refusal) -> RequestTicket {
        guard ledger.count < limits.requestsMax else {
            throw Refusal(
                .limitReached, "\(ledger.count) requests are waiting for an answer", component: "client",
                details: ["limit": "\(limits.requestsMax)", "count": "\(ledger.count)"])
        }
        let ticket = ledger.add(body.inEnvelope, key: Body.needsKey ? key ?? makeKey() : "")
        if phase == .live, let message = ledger.send(ticket) { emit(message) }
        return ticket
    }

    /// A new idempotency key: 128 random bits in hexadecimal.
    mutating func makeKey() -> String {
        String(generator.next(), radix: 16) + "-" + String(generator.next(), radix: 16)
    }
}

extension WirePosition {
    /// Without what the device does not know and gives as no number.
    fileprivate var known: WirePosition {
        var known = self
        if accuracy.isNaN { known.clearAccuracy() }
        if heading.isNaN { known.clearHeading() }
        if speed.isNaN { known.clearSpeed() }
        return known
    }
}

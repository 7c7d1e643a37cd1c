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

    /// Places an object: answered with `placed`.
    /// - Parameter key: nil = a new one. One of an earlier attempt, for instance from before the app was restarted,
    ///   gives that attempt's answer.
    public mutating func place(
        _ object: String, pose: WirePose, inscription: Inscription = Inscription(), key: String? = nil, now: UInt64
    ) throws(Refusal) -> RequestTicket {
        var body = WirePlace()
        body.object = object
        body.pose = pose
        body.text = inscription.text ?? ""
        body.dataBytes = inscription.data ?? []
        return try ask(.place(body), key: key ?? makeKey(), now: now)
    }

    /// Moves, turns or resizes an own instance, or changes what is written on it, based on the version given: answered
    /// with `edited`, which leaves out words and data that the edit did not name.
    public mutating func edit(
        _ instance: WireInstance, to pose: WirePose, inscription: Inscription = Inscription(), now: UInt64
    ) throws(Refusal) -> RequestTicket {
        var body = WireEdit()
        body.instance = instance.id
        body.cell = instance.cell
        body.version = instance.version
        body.pose = pose
        if let text = inscription.text { body.text = text }
        if let data = inscription.data { body.dataBytes = data }
        return try ask(.edit(body), key: makeKey(), now: now)
    }

    /// Removes an own instance: answered with `removed`.
    public mutating func remove(_ instance: WireInstance, now: UInt64) throws(Refusal) -> RequestTicket {
        var body = WireRemove()
        body.instance = instance.id
        body.cell = instance.cell
        return try ask(.remove(body), key: makeKey(), now: now)
    }

    /// Asks for the details of an instance in view: answered with `selected`.
    public mutating func select(_ instance: WireInstance, now: UInt64) throws(Refusal) -> RequestTicket {
        var body = WireSelect()
        body.instance = instance.id
        body.cell = instance.cell
        return try ask(.select(body), key: "", now: now)
    }

    /// Reacts to an instance; an empty reaction withdraws. Answered with `reactionSet`.
    public mutating func react(
        to instance: WireInstance, with reaction: String, now: UInt64
    ) throws(Refusal) -> RequestTicket {
        var body = WireReact()
        body.instance = instance.id
        body.cell = instance.cell
        body.reaction = reaction
        return try ask(.react(body), key: makeKey(), now: now)
    }

    /// Says what the user thinks, or what is broken (STA-5): answered with `feedbackTaken`.
    public mutating func sendFeedback(_ feedback: WireSendFeedback, now: UInt64) throws(Refusal) -> RequestTicket {
        try ask(.sendFeedback(feedback), key: makeKey(), now: now)
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

    private mutating func ask(
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

    /// 128 random bits in hexadecimal.
    private mutating func makeKey() -> String {
        String(generator.next(), radix: 16) + "-" + String(generator.next(), radix: 16)
    }
}

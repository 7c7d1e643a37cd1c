internal import CairnConfiguration
internal import CairnCore
internal import CairnTime
internal import CairnWebSocket
internal import CairnWire
internal import Logging

/// What a connection is sent about its requests: replies and refusals.
extension Shard {
    /// Sends a reply to the connection that made the request, on whichever loop.
    func reply(to request: Request, _ answer: Answer) {
        let participant = request.sender.participant
        // A client that asked before the server restarted gets the answer when it sends the request's key again.
        guard participant != .nobody else { return }
        dispatch(.connection(participant, .answer(AnswerToRequest(answer, to: request))), to: participant.place)
    }

    /// A request of a connection here is under way. At the bound nothing more is read of the connection until one has
    /// its answer.
    func startRequest(_ envelope: ClientEnvelope, of session: Session) {
        session.inFlight += 1
        if let message = envelope.puzzling { session.puzzling[envelope.id] = message }
        if session.inFlight >= context.configuration.connections.requestsInFlightMax { pause(session, true) }
    }

    /// A request that was under way has its answer.
    /// - Returns: its message if a name in it may explain a refusal.
    func endRequest(_ id: UInt32, of session: Session) -> [UInt8]? {
        session.inFlight -= 1
        if !session.isHeldByEntrance { pause(session, false) }
        return session.puzzling.isEmpty ? nil : session.puzzling.removeValue(forKey: id)
    }

    /// A request of a connection here has its answer, which leaves with this turn.
    func reply(_ answer: AnswerToRequest, to participant: Participant) {
        let isRefused = if case .refusal = answer.answer { true } else { false }
        answered(answer.field, since: answer.receivedAt, isRefused: isRefused)
        guard let session = session(of: participant) else { return }
        let id = answer.requestID
        let message = endRequest(id, of: session)
        switch answer.answer {
        case .success(let result), .unchanged(let result):
            let bytes = encoded(result, of: id, for: session)
            countAnswer(bytes, to: session)
            send(bytes, to: participant)
        case .refusal(let refusal): refuse(session, id: id, explained(refusal, by: message))
        }
    }

    func reply(_ session: Session, id: UInt32, _ result: Request.Result) {
        send(encoded(result, of: id, for: session), to: session.participant)
    }

    /// A reply as the session reads it.
    private func encoded(_ result: Request.Result, of id: UInt32, for session: Session) -> [UInt8] {
        var reply = WireReply()
        reply.id = id
        reply.result = result
        var item = WireItem()
        item.reply = reply
        figures.replies += 1
        return ServerItemEncoder.encode(item, format: session.participant.format)
    }

    func refuse(_ session: Session, id: UInt32, _ refusal: Refusal) {
        figures.refusals[refusal.code.rawValue, default: 0] += 1
        recentRefusals.add(refusal, in: session.boards.shown, at: now)
        correlationNumber += 1
        let correlation = "\(index)-\(String(correlationNumber, radix: 36))"
        // Faults of the server always get a line. Clients' faults get a few lines a second, the rest goes to the debug
        // level.
        let level: Logger.Level =
            refusal.code == .internal ? .error : refusalLines.take(now: now) == nil ? .info : .debug
        context.logger.log(
            level: level, "refused",
            metadata: [
                "code": "\(refusal.code.rawValue)", "component": "\(refusal.component)",
                "correlation": "\(correlation)",
            ])
        let message = session.texts.message(of: refusal)
        reply(session, id: id, .refusal(refusal.wire(correlation: correlation, message: message)))
    }

    func send(_ item: WireItem, to session: Session) {
        send(ServerItemEncoder.encode(item, format: session.participant.format), to: session.participant)
    }

    func send(_ bytes: [UInt8], to participant: Participant) { loop.send(bytes, to: participant.connection) }

    /// The refusal of a JSON message with the name in it that we do not know, if there is one: it may be the reason.
    func explained(_ refusal: Refusal, by message: [UInt8]?) -> Refusal {
        guard let message, let name = JSONUnknownName(in: message) else { return refusal }
        return name.explain(refusal)
    }
}

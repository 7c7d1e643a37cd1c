internal import CairnTime
public import CairnWire

/// The calls of an app. Each waits for its answer, across cuts too; a request is never sent again with another key.
extension CairnClient {
    /// Sends the user's position (SES-5). Does not wait; the newest position counts.
    public func move(to position: WirePosition) {
        core.move(to: position)
        flush()
    }

    /// Sends the user's position at a fixed rate until the task is cancelled. The moments follow the server's
    /// `positionsShifted`, so that positions of people near each other arrive together and are told without waiting.
    /// One such task runs at a time.
    /// - Parameters:
    ///   - rate: positions a second, at most `WireLimits.positionsPerSecond`; 1 to 20 and a whole number for moments.
    ///   - position: the present one; nil = unknown, and none is sent.
    public func sendPositions(perSecond rate: Double, _ position: @Sendable () async -> WirePosition?) async {
        positionTimer = PositionTimer(perSecond: rate, from: time.now())
        while !Task.isCancelled {
            if let position = await position() { move(to: position) }
            positionTimer?.sent(at: time.now())
            // The server's shifts change the moment meanwhile.
            while !Task.isCancelled, let due = positionTimer?.due, time.now() < due { await time.sleep(due) }
        }
    }

    /// Sends the user's position and waits for the acknowledgement.
    /// - Returns: the token of the cell that the user is in.
    public func locate(at position: WirePosition) async throws(Refusal) -> String {
        let result = try await answer { (core, now) throws(Refusal) in try core.locate(at: position, now: now) }
        guard let positioned = WirePosition.success(in: result) else { throw Self.otherAnswer }
        return positioned.cell
    }

    /// Switches the sharing of one's position on or off (VIS-9).
    public func share(_ shares: Bool, accuracyMetres: UInt32? = nil) async throws(Refusal) {
        _ = try await answer { (core, now) throws(Refusal) in
            try core.share(shares, accuracyMetres: accuracyMetres, now: now)
        }
    }

    /// Replaces the token that the client signed in with by a newer one of the app's backend, before it expires
    /// (`WireWelcome.expires`).
    /// - Returns: when the newer token expires, milliseconds since 1970-01-01 UTC.
    @discardableResult
    public func refresh(_ token: String) async throws(Refusal) -> Int64 {
        var body = WireRefresh()
        body.token = token
        let refreshed = try await ask(body)
        core.use(token: token)
        return refreshed.expires
    }

    /// Ends the token at once (ACC-6).
    public func signOut() async throws(Refusal) {
        _ = try await answer { (core, now) throws(Refusal) in try core.signOut(now: now) }
    }

    /// Sends any request and waits for its success. The calls with parameters of their own are in the folders of their
    /// features.
    /// - Parameter key: of a change; nil = a new one. As of `ClientCore.ask`.
    public func ask<Body: RequestBody>(_ body: Body, key: String? = nil) async throws(Refusal) -> Body.Success {
        let result = try await answer { (core, now) throws(Refusal) in try core.ask(body, key: key, now: now) }
        guard let success = Body.success(in: result) else { throw Self.otherAnswer }
        return success
    }

    // MARK: Inside

    /// Sends a request and waits for the answer.
    func answer(
        _ ask: (inout ClientCore, MonotonicTime) throws(Refusal) -> RequestTicket
    ) async throws(Refusal) -> WireReply.OneOf_Result {
        let ticket = try ask(&core, time.now())
        flush()
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { (done: CheckedContinuation<RequestAnswer, Never>) in
                if Task.isCancelled {
                    done.resume(returning: .refusal(Self.cancellation))
                } else {
                    waiters[ticket] = done
                }
            }
        } onCancel: {
            Task { await self.cancel(ticket) }
        }
        switch answer {
        case .success(let result): return result
        case .refusal(let refusal): throw refusal
        }
    }

    /// Stops waiting. The change stays under way: it may be on disk already, and the client cannot undo it.
    private func cancel(_ ticket: RequestTicket) {
        waiters.removeValue(forKey: ticket)?.resume(returning: .refusal(Self.cancellation))
    }

    private static var cancellation: Refusal { Refusal(.cancelled, "the call was cancelled", component: component) }

    /// The refusal for an answer of the wrong kind.
    static var otherAnswer: Refusal {
        Refusal(.internal, "the server answered with something else", component: component)
    }
}

public import CairnWire

/// What an app asks for. Each call waits for its answer, through cuts if need be; a request is never sent twice with
/// different keys.
extension CairnClient {
    /// Says where the user is (SES-5). Does not wait; the newest counts.
    public func move(to position: WirePosition) {
        core.move(to: position)
        flush()
    }

    /// Says where the user is, and waits until the server has it.
    /// - Returns: the token of the cell that the user is in.
    public func locate(at position: WirePosition) async throws(Refusal) -> String {
        let result = try await answer { (core, now) throws(Refusal) in try core.locate(at: position, now: now) }
        guard case .positioned(let positioned) = result else { throw Self.otherAnswer }
        return positioned.cell
    }

    /// Switches the sharing of one's position on or off (VIS-9).
    public func share(_ shares: Bool, accuracyMetres: UInt32? = nil) async throws(Refusal) {
        _ = try await answer { (core, now) throws(Refusal) in
            try core.share(shares, accuracyMetres: accuracyMetres, now: now)
        }
    }

    /// Puts a newer token of the app's backend in the place of the one that the client signed in with, before that
    /// expires (`WireWelcome.expires`).
    /// - Returns: when the newer one expires, milliseconds since 1970-01-01 UTC.
    @discardableResult
    public func refresh(_ token: String) async throws(Refusal) -> Int64 {
        let result = try await answer { (core, now) throws(Refusal) in try core.refresh(token, now: now) }
        guard case .refreshed(let refreshed) = result else { throw Self.otherAnswer }
        core.use(token: token)
        return refreshed.expires
    }

    /// Ends the token at once (ACC-6).
    public func signOut() async throws(Refusal) {
        _ = try await answer { (core, now) throws(Refusal) in try core.signOut(now: now) }
    }

    // MARK: Inside

    /// Asks, and waits for the answer. What a feature asks for stands in its folder.
    func answer(
        _ ask: (inout ClientCore, UInt64) throws(Refusal) -> RequestTicket
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

    /// Stops waiting. A change stays under way: it may be on disk already, and half a change is none of ours to undo.
    private func cancel(_ ticket: RequestTicket) {
        waiters.removeValue(forKey: ticket)?.resume(returning: .refusal(Self.cancellation))
    }

    private static var cancellation: Refusal { Refusal(.cancelled, "the call was cancelled", component: component) }

    /// The answer is of another kind than the request's.
    static var otherAnswer: Refusal {
        Refusal(.internal, "the server answered with something else", component: component)
    }
}

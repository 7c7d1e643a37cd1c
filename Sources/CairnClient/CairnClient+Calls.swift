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

    /// Places an object. Returns when it is on the server's disk.
    /// - Parameters:
    ///   - inscription: words and the app's own data to put on it (PLC-16).
    ///   - key: of an attempt before the app was restarted; nil = a new one.
    public func place(
        _ object: String, pose: WirePose, inscription: Inscription = Inscription(), key: String? = nil
    ) async throws(Refusal) -> WireInstance {
        let result = try await answer { (core, now) throws(Refusal) in
            try core.place(object, pose: pose, inscription: inscription, key: key, now: now)
        }
        guard case .placed(let placed) = result else { throw Self.otherAnswer }
        return placed.instance
    }

    /// Moves, turns or resizes an own instance, or changes what is written on it. Throws `version_conflict` when it has
    /// changed since.
    /// - Parameter inscription: what it does not name stays; empty words or data are taken away.
    public func edit(
        _ instance: WireInstance, to pose: WirePose, inscription: Inscription = Inscription()
    ) async throws(Refusal) -> WireInstance {
        let result = try await answer { (core, now) throws(Refusal) in
            try core.edit(instance, to: pose, inscription: inscription, now: now)
        }
        guard case .edited(var edited) = result else { throw Self.otherAnswer }
        // The answer leaves out what the edit did not name.
        if inscription.text == nil { edited.instance.text = instance.text }
        if inscription.data == nil { edited.instance.data = instance.data }
        return edited.instance
    }

    /// Removes an own instance. Removing again is success.
    public func remove(_ instance: WireInstance) async throws(Refusal) {
        let result = try await answer { (core, now) throws(Refusal) in try core.remove(instance, now: now) }
        guard case .removed = result else { throw Self.otherAnswer }
    }

    /// The details of an instance in view.
    public func select(_ instance: WireInstance) async throws(Refusal) -> WireSelected {
        let result = try await answer { (core, now) throws(Refusal) in try core.select(instance, now: now) }
        guard case .selected(let selected) = result else { throw Self.otherAnswer }
        return selected
    }

    /// Reacts to an instance in view; an empty reaction withdraws.
    /// - Returns: the totals.
    @discardableResult
    public func react(to instance: WireInstance, with reaction: String) async throws(Refusal) -> [WireReactionCount] {
        let result = try await answer { (core, now) throws(Refusal) in
            try core.react(to: instance, with: reaction, now: now)
        }
        guard case .reactionSet(let set) = result else { throw Self.otherAnswer }
        return set.reactions
    }

    /// Says what the user thinks, or what is broken (STA-5).
    /// - Returns: the id of the entry, once it is on the server's disk.
    @discardableResult
    public func sendFeedback(_ feedback: WireSendFeedback) async throws(Refusal) -> String {
        let result = try await answer { (core, now) throws(Refusal) in try core.sendFeedback(feedback, now: now) }
        guard case .feedbackTaken(let taken) = result else { throw Self.otherAnswer }
        return taken.feedback
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

    private func answer(
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

    private static var otherAnswer: Refusal {
        Refusal(.internal, "the server answered with something else", component: component)
    }
}

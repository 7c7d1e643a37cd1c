public import CairnWire

/// Walking tours (TRT-5 to TRT-13). While a run goes on, positions count for it alone, and no cell is in view.
extension CairnClient {
    /// Begins a run on the version of a tour that is offered now (TRT-5).
    @discardableResult
    public func startTour(_ tour: String) async throws(Refusal) -> WireRun {
        var body = WireStartTour()
        body.tour = tour
        return try await ask(body)
    }

    /// The user's run (TRT-12).
    public func ownRun() async throws(Refusal) -> WireRun { try await ask(WireGetRun()) }

    /// A page of the version that is walked, from 0 (TRT-7).
    public func runContent(page: Int) async throws(Refusal) -> WireTourPage {
        var body = WireGetRunContent()
        body.page = UInt32(clamping: page)
        return try await ask(body)
    }

    /// Stops the clock of the run.
    @discardableResult
    public func pauseRun() async throws(Refusal) -> WireRun { try await ask(WirePauseRun()) }

    /// Goes on with the run.
    @discardableResult
    public func resumeRun() async throws(Refusal) -> WireRun { try await ask(WireResumeRun()) }

    /// Leaves the run (TRT-11).
    /// - Returns: what it came to.
    @discardableResult
    public func leaveRun() async throws(Refusal) -> WireRunSummary {
        return try await ask(WireLeaveRun())
    }
}

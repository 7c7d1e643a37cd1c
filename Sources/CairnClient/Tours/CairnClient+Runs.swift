public import CairnWire

/// Walking tours (TRT-5 to TRT-13). While a run goes on, positions count for it alone, and no cell is in view.
extension CairnClient {
    /// Begins a run on the version of a tour that is offered now (TRT-5).
    @discardableResult
    public func startTour(_ tour: String) async throws(Refusal) -> WireRun {
        var body = WireStartTour()
        body.tour = tour
        return try await run(change(.startTour(body)))
    }

    /// The user's run (TRT-12).
    public func ownRun() async throws(Refusal) -> WireRun { try await run(look(.getRun(WireGetRun()))) }

    /// A page of the version that is walked, from 0 (TRT-7).
    public func runContent(page: Int) async throws(Refusal) -> WireTourPage {
        var body = WireGetRunContent()
        body.page = UInt32(clamping: page)
        guard case .tourPage(let found) = try await look(.getRunContent(body)) else { throw Self.otherAnswer }
        return found
    }

    /// Stops the clock of the run.
    @discardableResult
    public func pauseRun() async throws(Refusal) -> WireRun { try await run(change(.pauseRun(WirePauseRun()))) }

    /// Goes on with the run.
    @discardableResult
    public func resumeRun() async throws(Refusal) -> WireRun { try await run(change(.resumeRun(WireResumeRun()))) }

    /// Leaves the run (TRT-11).
    /// - Returns: what it came to.
    @discardableResult
    public func leaveRun() async throws(Refusal) -> WireRunSummary {
        guard case .runSummary(let summary) = try await change(.leaveRun(WireLeaveRun())) else {
            throw Self.otherAnswer
        }
        return summary
    }

    private func run(_ answer: WireReply.OneOf_Result) throws(Refusal) -> WireRun {
        guard case .run(let run) = answer else { throw Self.otherAnswer }
        return run
    }
}

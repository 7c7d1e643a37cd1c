public import CairnCore
public import CairnWire

/// Walking tours (TRT-1, TRT-5 to TRT-13).
///
/// A run is a space: its walker is in it on all of their devices, and nowhere else. It is begun by way of the walker's
/// account, which lets one run at a time begin. The run's home has the progress, and the published version that is
/// walked, of which all runs share one copy. Positions come by the volatile lane; what they lead to - a stop reached, a
/// popup shown - is written first and told then.
public enum Runs: Feature {
    public static let name = "runs"
    public static let commands: [any Command.Type] = [
        StartTour.self, GetRun.self, GetRunContent.self, PauseRun.self, ResumeRun.self, LeaveRun.self,
    ]
    public static let timers: [any HomeTimer.Type] = [RunIdle.self, RunsEnding.self, FellowsChanged.self]
    public static let messages: [any HomeMessage.Type] = [
        RunOver.self, TourWithdrawn.self, RunRevoked.self, RunFollowed.self, MemberRole.self, FellowsMoved.self,
        FellowsCounted.self,
    ]
    public static let publishes: Set<HomeKind> = [.space]
    public static let settings: (any FeatureSettings.Type)? = RunSettings.self
    public static let listings = [RunFacts.pages]
    public static let refusals: [Refusal.Code] = [.tourInProgress, .paymentRequired, .readOnlyTour]
    /// Each change is answered and told with the texts of two stops.
    public static let quotas = [
        Quota(
            "changes of runs", of: name, code: .rateLimited,
            counting: [StartTour.self, PauseRun.self, ResumeRun.self, LeaveRun.self],
            windows: [Quota.Window(.minute) { $0.runs.runChangesPerMinute }])
    ]
    public static let counts = [
        EngagementCount("tours_started", unit: "runs", "of tours that were started"),
        EngagementCount("tours_completed", unit: "runs", "of tours whose last stop was reached"),
        EngagementCount("tours_abandoned", unit: "runs", "of tours that ended before the last stop"),
    ]
    public static let membership: Membership? = RunFacts.membership
    public static var tourWithdrawal: (any HomeMessage)? { TourWithdrawn() }
    public static let walkedAssets: WalkedAssets? = RunFacts.walkedAssets

    static func refusal(_ code: Refusal.Code, _ text: Refusal.Text? = nil, details: [String: String] = [:]) -> Refusal {
        Refusal(code, text, component: name, details: details)
    }

    /// The answer to a person who is on no run.
    static let noRun = refusal(.notFound)

    /// A walker changes nothing on the ground (TRT-6).
    public static func groundRefusal(in turn: Turn) -> Refusal? {
        turn.run == nil && !turn.isRunUnreadable ? nil : refusal(.readOnlyTour)
    }

    public static func roleNotice(_ role: Role, of account: AccountID) -> (any HomeMessage)? {
        MemberRole(role, of: account)
    }

    /// A device that begins to follow the run learns how far it is.
    public static func addendum(for account: AccountID, in turn: Turn) -> [WireItem] {
        guard let run = turn.keptRun, run.facts.account == account else { return [] }
        var item = WireItem()
        item.run = run.wire(in: turn)
        guard let guidance = (turn.motion as? RunMotion)?.shown else { return [item] }
        var way = WireItem()
        way.guidance = guidance
        return [item, way]
    }

    public static func erase(_ account: AccountID, in turn: inout Turn) -> [Effect] {
        if let run = turn.run { return run.facts.account == account ? turn.end(run) : [] }
        // A run that is damaged, or whose version is.
        guard let id = turn.spaceID else { return [] }
        return [.write(RunFacts.deletion(of: id, by: account))]
    }
}

extension RunSettings {
    var track: Track.Rules {
        Track.Rules(
            jumpMetresPerSecond: jumpMetresPerSecond, settle: .milliseconds(Int64(self.settleSeconds * 1_000)))
    }

    var idle: Duration { .milliseconds(Int64(self.idleHours * 3_600_000)) }
}

internal import CairnCore
internal import CairnWire

/// A request of a walker about their run, decided in its home.
protocol RunRequest: Command {
    func carryOut(_ request: Request, _ run: Run, in turn: inout Turn) throws(Refusal) -> [Effect]
}

extension RunRequest {
    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        guard let space = sender.space else { throw Runs.noRun }
        return .space(space)
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        guard let run = turn.run, run.facts.account == request.sender.account else { throw Runs.noRun }
        turn.noteWalker()
        return try carryOut(request, run, in: &turn)
    }
}

/// A look of a walker at their run. It passes the sender's account, which counts it, as it counts looks at tours.
protocol RunLook: Question, RunRequest {}

extension RunLook {
    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        guard sender.space != nil else { throw Runs.noRun }
        return .account(sender.account)
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        if case .account = turn.home {
            guard let space = request.sender.space else { throw Runs.noRun }
            return [.hand(request, .space(space))]
        }
        // It is answered by what is on disk.
        guard let run = turn.keptRun, run.facts.account == request.sender.account else { throw Runs.noRun }
        turn.noteWalker()
        return try carryOut(request, run, in: &turn)
    }

    /// - Throws: `rate_limited` when the person has had too much.
    fileprivate func answer(
        _ request: Request, _ result: Request.Result, in turn: inout Turn
    ) throws(Refusal) -> [Effect] {
        try turn.noteLook(result, by: request.sender.account)
        return [.answer(request, .success(result))]
    }
}

/// Asks for the own run (TRT-12).
struct GetRun: RunLook {
    init(_ body: WireGetRun) {}

    func carryOut(_ request: Request, _ run: Run, in turn: inout Turn) throws(Refusal) -> [Effect] {
        try answer(request, .run(run.wire(in: turn)), in: &turn)
    }
}

/// Asks for a page of the version that is walked (TRT-7).
struct GetRunContent: RunLook {
    private let page: UInt32

    init(_ body: WireGetRunContent) { page = body.page }

    func carryOut(_ request: Request, _ run: Run, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let version = run.version
        // Without its picture: that is in the content.
        var summary = WireTourSummary(
            name: version.content.facts.name, picture: "", alternative: WireTourText(), in: request.sender.language)
        summary.id = turn.name(of: version.tour)
        summary.organisation = turn.name(of: version.organisation)
        summary.organisationName = turn.names.organisations.name(of: version.organisation) ?? ""
        summary.version = version.version
        (summary.distance, summary.seconds) = (version.distanceMetres, version.seconds)
        let ground = version.content.ground
        if let start = ground.direction == .backward ? ground.route.last : ground.route.first { summary.start = start }
        return try answer(request, try TourPages.answer(page, of: turn.readTour(version), summary), in: &turn)
    }
}

/// Stops the clock (TRT-5).
struct PauseRun: Change, RunRequest {
    init(_ body: WirePauseRun) {}

    static func shortened(_ result: Request.Result) -> Request.Result { result.withoutLongTexts }

    func carryOut(_ request: Request, _ run: Run, in turn: inout Turn) -> [Effect] {
        guard run.facts.paused == nil, !run.facts.isCompleted else {
            return [.answer(request, .unchanged(.run(run.wire(in: turn))))]
        }
        var run = run
        turn.endWay(&run)
        run.facts.paused = turn.lasting
        // Wherever the walker goes on, the way there is no part of the run.
        run.facts.isPlaceOfBefore = run.facts.place != nil
        turn.forgetWay()
        turn.keep(run)
        return [
            .write(run.facts.update), turn.changed(run), .answer(request, .success(.run(run.wire(in: turn)))),
        ]
    }
}

/// Goes on with a paused run (TRT-5).
struct ResumeRun: Change, RunRequest {
    init(_ body: WireResumeRun) {}

    static func shortened(_ result: Request.Result) -> Request.Result { result.withoutLongTexts }

    func carryOut(_ request: Request, _ run: Run, in turn: inout Turn) -> [Effect] {
        guard let paused = run.facts.paused else {
            return [.answer(request, .unchanged(.run(run.wire(in: turn))))]
        }
        var run = run
        run.facts.pausedFor += turn.lasting - paused
        run.facts.paused = nil
        run.facts.active = turn.lasting
        turn.keep(run)
        let goesOn: [Effect] = [.write(run.facts.update), turn.changed(run)]
        return goesOn + Runs.goOn(&run, in: &turn) + [.answer(request, .success(.run(run.wire(in: turn))))]
    }
}

/// Leaves the run (TRT-11).
struct LeaveRun: Change, RunRequest {
    init(_ body: WireLeaveRun) {}

    /// A run whose row or version is damaged cannot be walked, and can be left all the same: the store says whether
    /// there is one.
    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        if let run = turn.run {
            guard run.facts.account == request.sender.account else { throw Runs.noRun }
            return carryOut(request, run, in: &turn)
        }
        guard let id = turn.spaceID else { throw Runs.noRun }
        return [.ask([RunFacts.query(id)], request)]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        guard turn.run == nil, let id = turn.spaceID, !rows[0].isEmpty else { throw Runs.noRun }
        turn.forgetRun()
        return [
            .write(RunFacts.deletion(of: id)), .expel(request.sender.account, from: .members(of: turn.home)),
            .tell(.account(request.sender.account), RunOver(id)),
            .answer(request, .success(.runSummary(WireRunSummary()))),
        ]
    }

    func carryOut(_ request: Request, _ run: Run, in turn: inout Turn) -> [Effect] {
        var run = run
        turn.endWay(&run)
        let summary = run.summary(in: turn)
        return turn.end(run) + [.answer(request, .success(.runSummary(summary)))]
    }
}

extension Turn {
    /// Publishes the run to its walker's devices.
    func changed(_ run: Run) -> Effect {
        var changed = WireRunChanged()
        changed.run = run.wire(in: self)
        return publish(.runChanged(changed), of: run)
    }

    func publish(_ change: WireEvent.OneOf_Change, of run: Run) -> Effect {
        .publish(Publication(ofHome: run.facts.id, change, to: Audience(.members(of: home))))
    }
}

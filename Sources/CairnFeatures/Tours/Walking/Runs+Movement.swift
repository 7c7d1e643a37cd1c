public import CairnCore
internal import CairnGeo
internal import CairnWire

/// The state of a walk in memory, which changes between the writes of the run's row.
struct RunMotion {
    /// Nil = no position has come yet.
    var track: Track?
    /// When the walker was last heard of.
    var heard: LastingTime
    /// The guidance that the walker was sent last.
    var shown: WireGuidance?
    /// The item `group` that the walker was sent last.
    var group: WireGroup?
    /// The message that the group was sent last; nil = none.
    var told: Told?
    /// The newest position. The walker may stand there and send no other.
    var latest: Latest?

    struct Latest {
        var movement: Movement
        let at: LastingTime
        /// Whether it came while the run was paused, so that it has led to nothing yet.
        let isWaiting: Bool
    }

    struct Told {
        let at: LastingTime
        let reached: Int
    }
}

extension Runs {
    /// Metres of way after which the distance is written, so that a crash costs little of it.
    fileprivate static let checkpointMetres = 100.0
    /// A position that was so old when it came is no beginning of a way.
    fileprivate static let oldAfter = Duration.seconds(60)

    /// A position of the walker (TRT-8 to TRT-10).
    public static func moved(_ movement: Movement, in turn: inout Turn) -> [Effect] {
        guard var run = turn.run, run.facts.account == movement.account else { return [] }
        // A message of the tour was lost.
        guard turn.names.tours.maker(of: run.facts.tour) != nil else { return turn.end(run, telling: .tourEnded) }
        // Each device of the walker has sent its last position when the run began, a tablet at home also.
        if let latest = (turn.motion as? RunMotion)?.latest {
            let newer = movement.time(since: latest.movement)
            guard newer >= .zero else { return [] }
            if newer > turn.lasting - latest.at + oldAfter { turn.forgetWay() }
        }
        turn.noteWalker(movement, isWaiting: run.facts.paused != nil)
        return turn.take(movement, at: turn.lasting, &run)
    }

    /// What a position leads to that came while the run was paused: the walker who stands still sends no other.
    static func goOn(_ run: inout Run, in turn: inout Turn) -> [Effect] {
        guard let latest = (turn.motion as? RunMotion)?.latest, latest.isWaiting else { return [] }
        return turn.take(latest.movement, at: latest.at, &run) + Groups.moved(latest.movement, in: &turn)
    }
}

extension Turn {
    /// Takes a position of the walker of a run.
    /// - Parameter time: when it came.
    fileprivate mutating func take(_ movement: Movement, at time: LastingTime, _ run: inout Run) -> [Effect] {
        let settings = settings.runs
        guard run.facts.paused == nil, var motion = motion as? RunMotion,
            Double(movement.accuracyMetres ?? 0) <= settings.arrivalAccuracyMetres
        else { return markActive(run) }
        let isThere = motion.take(movement.place, at: time, run.facts, settings)
        self.motion = motion
        guard isThere else { return [] }
        var effects = showPopups(near: movement.place, &run)
        if !run.facts.isCompleted {
            effects += arrive(at: movement.place, motion.track?.place ?? movement.place, &run)
        }
        guard effects.isEmpty else { return effects }
        let metres = motion.track?.metres ?? 0
        if !run.facts.isCompleted, metres - run.facts.metres >= Runs.checkpointMetres {
            bringUpToDate(&run)
            keep(run)
            return [.write(run.facts.update), changed(run)]
        }
        return markActive(run) + guide(run, from: movement.place)
    }
}

extension RunFacts {
    /// Whether a walker who starts, or goes on after a pause, may have come here meanwhile. Either fix may be as far
    /// off as counts.
    fileprivate func canGoOn(at fix: Coordinate, _ time: LastingTime, _ settings: RunSettings) -> Bool {
        guard isPlaceOfBefore, let place else { return false }
        let metres = place.coordinate.distanceMetres(to: fix)
        return metres <= settings.arrivalAccuracyMetres || settings.track.admits(metres, in: time - place.at)
    }
}

extension RunMotion {
    /// - Returns: whether the walker is there, as far as one can know.
    mutating func take(
        _ place: Coordinate, at time: LastingTime, _ facts: RunFacts, _ settings: RunSettings
    ) -> Bool {
        if track == nil {
            guard let known = facts.place, !facts.canGoOn(at: place, time, settings) else {
                track = Track(at: place, time, metres: facts.metres)
                return true
            }
            // From where the walker was when the home slept or the server ended: the way from there counts. Behind a
            // jump over a pause nothing counts before the walker has been there for a while.
            track = Track(at: known.coordinate, known.at, metres: facts.metres)
        }
        return track?.take(place, at: time, settings.track) ?? false
    }
}

extension Turn {
    /// The walker has been heard of.
    mutating func noteWalker() {
        var motion = motion as? RunMotion ?? RunMotion(track: nil, heard: lasting)
        motion.heard = lasting
        self.motion = motion
    }

    /// The walker has sent a position.
    fileprivate mutating func noteWalker(_ movement: Movement, isWaiting: Bool) {
        noteWalker()
        guard var motion = motion as? RunMotion else { return }
        motion.latest = RunMotion.Latest(movement: movement, at: lasting, isWaiting: isWaiting)
        self.motion = motion
    }

    /// Forgets the way so far and where it leads, as for a pause. The group is as it was.
    mutating func forgetWay() {
        guard var motion = motion as? RunMotion else { return }
        (motion.track, motion.shown) = (nil, nil)
        self.motion = motion
    }

    /// Takes over into what is stored how far the walker has come by now.
    func bringUpToDate(_ run: inout Run) {
        run.facts.active = lasting
        guard !run.facts.isCompleted, let track = (motion as? RunMotion)?.track else { return }
        // What was told does not fall.
        run.facts.metres = max(run.facts.metres, track.metres)
        if track.at != run.facts.place?.at { run.facts.isPlaceOfBefore = false }
        run.facts.place = RunFacts.Place(coordinate: track.place, at: track.at)
    }

    /// The way is at its end, for good or until the walker goes on: what has waited of it counts.
    mutating func endWay(_ run: inout Run) {
        if var motion = motion as? RunMotion {
            motion.track?.end()
            self.motion = motion
        }
        bringUpToDate(&run)
    }

    /// Writes from time to time that the walker is there, so that a run does not end under a walker who stands still.
    fileprivate mutating func markActive(_ run: Run) -> [Effect] {
        guard lasting - run.facts.active > settings.runs.idle / 2 else { return [] }
        var run = run
        bringUpToDate(&run)
        keep(run)
        return [.write(run.facts.update)]
    }

    /// Reaches the target if the walker is near it: one stop at a time, in their order (TRT-9).
    fileprivate mutating func arrive(at fix: Coordinate, _ estimate: Coordinate, _ run: inout Run) -> [Effect] {
        guard let target = run.target?.pose.geopose.position,
            let place = Coordinate(latitude: target.lat, longitude: target.lon),
            min(place.distanceMetres(to: fix), place.distanceMetres(to: estimate)) <= settings.runs.arrivalMetres
        else { return [] }
        run.facts.reached += 1
        let isLast = run.facts.reached == run.facts.stops
        if isLast, var motion = motion as? RunMotion {
            motion.shown = nil
            self.motion = motion
            endWay(&run)
        } else {
            bringUpToDate(&run)
        }
        var effects: [Effect] = [.note(.step(.reached, run.facts.reached))]
        if isLast {
            let taken = run.facts.taken(at: lasting)
            run.facts.taken = taken
            effects += [
                .write(CompletedRun(run.facts, taken: taken, at: now).insertion),
                .write(CompletedRun.surplus(of: run.facts.account)), .count("tours_completed"),
                .note(.step(.completed, run.facts.reached)),
                // Another one may begin.
                .tell(.account(run.facts.account), RunOver(run.facts.id)),
            ]
        }
        keep(run)
        var reached = WireStopReached()
        reached.run = run.wire(in: self)
        return [.write(run.facts.update)] + effects
            + [publish(.stopReached(reached), of: run), .tell(.tour(run.facts.tour), FellowsMoved())]
    }

    /// Shows the popups that the walker comes near to, each once (TRT-8).
    fileprivate mutating func showPopups(near place: Coordinate, _ run: inout Run) -> [Effect] {
        let popups = run.version.content.popups
        guard run.facts.shown.count < popups.count else { return [] }
        let known = Set(run.facts.shown)
        let near = popups.indices.filter { index in
            guard !known.contains(index),
                let popup = Coordinate(latitude: popups[index].place.lat, longitude: popups[index].place.lon)
            else { return false }
            return popup.distanceMetres(to: place) <= settings.runs.popupMetres
        }
        guard !near.isEmpty else { return [] }
        run.facts.shown += near
        bringUpToDate(&run)
        keep(run)
        return [.write(run.facts.update)]
            + near.map { index in
                var shown = WirePopupShown()
                shown.popup = popups[index]
                return publish(.popupShown(shown), of: run)
            }
    }

    /// The stop to which the walker is guided: the one that the guide of their group has set, else the target; none
    /// once the tour is completed.
    private func aim(of run: Run) -> WireTourStop? {
        guard !run.facts.isCompleted else { return nil }
        guard let set = companionship?.target, !set.isEmpty else { return run.target }
        return run.version.content.stops.first { $0.id == set } ?? run.target
    }

    /// Shows the way to the target, if it has changed since (TRT-8).
    fileprivate mutating func guide(_ run: Run, from place: Coordinate) -> [Effect] {
        guard let target = aim(of: run)?.pose.geopose.position, var motion = motion as? RunMotion,
            let there = Coordinate(latitude: target.lat, longitude: target.lon)
        else { return [] }
        var guidance = WireGuidance()
        guidance.topic = Topic(home, .members(of: home)).name
        guidance.metres = place.distanceMetres(to: there).rounded()
        guidance.bearing = place.bearingDegrees(to: there).rounded()
        guard guidance != motion.shown else { return [] }
        motion.shown = guidance
        self.motion = motion
        var item = WireItem()
        item.guidance = guidance
        return [.show(.members(of: home), item)]
    }
}

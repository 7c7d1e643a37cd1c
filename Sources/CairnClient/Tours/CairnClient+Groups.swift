public import CairnWire

/// Groups on tours (TRM-11).
extension CairnClient {
    /// Opens a group and guides it, on the user's run.
    /// - Parameter tour: of the user's organisation, to guide without a run.
    @discardableResult
    public func openGroup(on tour: String = "", sharingPlace: Bool) async throws(Refusal) -> WireGroup {
        var body = WireOpenGroup()
        (body.tour, body.sharesPlace) = (tour, sharingPlace)
        return try await ask(body)
    }

    /// Follows the guide of a group on the tour of the user's run.
    @discardableResult
    public func joinGroup(code: String, sharingPlace: Bool) async throws(Refusal) -> WireGroup {
        var body = WireJoinGroup()
        (body.code, body.sharesPlace) = (code, sharingPlace)
        return try await ask(body)
    }

    /// The user's group.
    public func ownGroup() async throws(Refusal) -> WireGroup { try await ask(WireGetGroup()) }

    /// Says whether the group learns the user's place.
    @discardableResult
    public func shareGroupPlace(_ shares: Bool) async throws(Refusal) -> WireGroup {
        var body = WireShareGroupPlace()
        body.sharesPlace = shares
        return try await ask(body)
    }

    /// Sets the stop to which the group is guided; empty = each goes to their own.
    @discardableResult
    public func setGroupTarget(_ stop: String) async throws(Refusal) -> WireGroup {
        var body = WireSetGroupTarget()
        body.stop = stop
        return try await ask(body)
    }

    /// Leaves the group; the run goes on.
    public func leaveGroup() async throws(Refusal) {
        _ = try await ask(WireLeaveGroup())
    }
}

public import CairnWire

/// Organisations: asking for an account of one, members, and the decisions of admins (ORG-1 to ORG-3, ROL-3). A change
/// of the own account comes as `ClientEvent.standing`.
extension CairnClient {
    // MARK: For everybody

    /// Asks for an organisation account.
    public func requestOrganisation(name: String, justification: String) async throws(Refusal) {
        var body = WireRequestOrganisation()
        (body.name, body.justification) = (name, justification)
        _ = try await ask(body)
    }

    /// Takes the open request back.
    public func withdrawOrganisationRequest() async throws(Refusal) {
        _ = try await ask(WireWithdrawOrganisationRequest())
    }

    /// The own organisation with its members, and the newest request.
    public func ownOrganisation() async throws(Refusal) -> WireOwnOrganisation {
        return try await ask(WireGetOrganisation())
    }

    /// Leaves the organisation.
    public func leaveOrganisation() async throws(Refusal) {
        _ = try await ask(WireLeaveOrganisation())
    }

    /// Says that another member should be removed.
    /// - Returns: whether the member is removed; otherwise another one has to agree.
    public func removeOrganisationMember(_ account: String) async throws(Refusal) -> Bool {
        var body = WireRemoveOrganisationMember()
        body.account = account
        return try await ask(body).removed
    }

    // MARK: For admins

    /// A page of all organisations.
    /// - Parameter after: `next` of the page before; empty = the first page.
    public func organisations(after: String = "") async throws(Refusal) -> WireOrganisationList {
        var body = WireListOrganisations()
        body.after = after
        return try await ask(body)
    }

    /// A page of open requests, the oldest first.
    /// - Parameter after: `next` of the page before; empty = the first page.
    public func organisationRequests(after: String = "") async throws(Refusal) -> WireOrganisationRequestList {
        var body = WireListOrganisationRequests()
        body.after = after
        return try await ask(body)
    }

    /// A request with its details.
    public func organisationRequest(_ id: String) async throws(Refusal) -> WireOrganisationRequest {
        var body = WireGetOrganisationRequest()
        body.request = id
        return try await ask(body)
    }

    /// Accepts a request.
    /// - Parameter organisation: the id of the one that is meant; empty = the one of the name, or a new one.
    public func acceptOrganisation(
        request: String, organisation: String = "", reason: String = ""
    ) async throws(Refusal) {
        var body = WireAcceptOrganisation()
        (body.request, body.organisation, body.reason) = (request, organisation, reason)
        _ = try await ask(body)
    }

    /// Denies a request; the person is notified with the reason.
    public func denyOrganisation(request: String, reason: String) async throws(Refusal) {
        var body = WireDenyOrganisation()
        (body.request, body.reason) = (request, reason)
        _ = try await ask(body)
    }

    /// Suspends an organisation.
    public func suspendOrganisation(_ id: String, reason: String) async throws(Refusal) {
        var body = WireSuspendOrganisation()
        (body.organisation, body.reason) = (id, reason)
        _ = try await ask(body)
    }

    /// Ends the suspension of an organisation.
    public func reinstateOrganisation(_ id: String, reason: String) async throws(Refusal) {
        var body = WireReinstateOrganisation()
        (body.organisation, body.reason) = (id, reason)
        _ = try await ask(body)
    }
}

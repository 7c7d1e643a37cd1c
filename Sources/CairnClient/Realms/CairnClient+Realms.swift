public import CairnWire

/// Sub-realms (SUB-1 to SUB-13, VIS-5). Sub-realms and people are named by their ids.
extension CairnClient {
    /// Selects what the live view shows: the instances of one sub-realm, or the public ones (VIS-5). The client selects
    /// the same after a cut.
    /// - Parameter realm: empty = the public instances.
    public func selectRealm(_ realm: String) async throws(Refusal) {
        var body = WireSelectRealm()
        body.realm = realm
        _ = try await ask(body)
    }

    /// Creates a sub-realm, with friends as members (SUB-1).
    public func createRealm(_ body: WireCreateRealm) async throws(Refusal) -> WireRealm {
        try await ask(body)
    }

    /// Changes a sub-realm (SUB-7).
    @discardableResult
    public func editRealm(_ body: WireEditRealm) async throws(Refusal) -> WireRealm {
        try await ask(body)
    }

    /// Deletes a sub-realm (SUB-8).
    public func deleteRealm(_ realm: String) async throws(Refusal) {
        var body = WireDeleteRealm()
        body.realm = realm
        _ = try await ask(body)
    }

    /// Invites a person (SUB-2).
    public func invite(_ account: String, to realm: String) async throws(Refusal) {
        var body = WireInvite()
        body.realm = realm
        body.account = account
        _ = try await ask(body)
    }

    /// Accepts an invitation (SUB-2).
    /// - Returns: the sub-realm; `standing` is "pending" when its owner has to approve (SUB-3).
    @discardableResult
    public func acceptInvitation(to realm: String) async throws(Refusal) -> WireRealm {
        var body = WireAnswerInvitation()
        body.realm = realm
        body.accept = true
        return try await ask(body)
    }

    /// Declines an invitation (SUB-2).
    public func declineInvitation(to realm: String) async throws(Refusal) {
        var body = WireAnswerInvitation()
        body.realm = realm
        // Answered with `done`.
        _ = try await answer { (core, now) throws(Refusal) in try core.ask(body, now: now) }
    }

    /// Joins an open sub-realm (SUB-12).
    /// - Returns: the sub-realm; `standing` is "pending" when its owner has to approve (SUB-3).
    @discardableResult
    public func joinRealm(_ realm: String) async throws(Refusal) -> WireRealm {
        var body = WireJoinRealm()
        body.realm = realm
        return try await ask(body)
    }

    /// Approves or refuses a person who wants to join (SUB-3).
    public func answerJoin(of account: String, to realm: String, approving: Bool) async throws(Refusal) {
        var body = WireAnswerJoin()
        body.realm = realm
        body.account = account
        body.approve = approving
        _ = try await ask(body)
    }

    /// Adds a friend (SUB-4).
    @discardableResult
    public func addMember(_ account: String, to realm: String) async throws(Refusal) -> WireRealm {
        var body = WireAddMember()
        body.realm = realm
        body.account = account
        return try await ask(body)
    }

    /// Removes a member (SUB-5).
    public func removeMember(_ account: String, from realm: String) async throws(Refusal) {
        var body = WireRemoveMember()
        body.realm = realm
        body.account = account
        _ = try await ask(body)
    }

    /// Leaves a sub-realm (SUB-6).
    public func leaveRealm(_ realm: String) async throws(Refusal) {
        var body = WireLeaveRealm()
        body.realm = realm
        _ = try await ask(body)
    }

    /// Lists the user's sub-realms, invitations and requests to join (SUB-11).
    /// - Returns: those of all pages; each page in alphabetical order.
    public func realms() async throws(Refusal) -> [WireRealm] {
        var (body, realms) = (WireListRealms(), [WireRealm]())
        repeat {
            let list = try await ask(body)
            realms += list.realms
            body.cursor = list.next
        } while !body.cursor.isEmpty
        return realms
    }

    /// Lists the members of a sub-realm (SUB-11).
    public func members(of realm: String) async throws(Refusal) -> WireMemberList {
        var body = WireListMembers()
        body.realm = realm
        return try await ask(body)
    }

    /// Searches open sub-realms by the beginning of their names (SUB-12).
    public func findRealms(_ prefix: String) async throws(Refusal) -> [WireRealm] {
        var body = WireFindRealms()
        body.prefix = prefix
        return try await ask(body).realms
    }

    /// Takes another member's instance out of a sub-realm (SUB-13).
    public func takeOut(_ instance: WireInstance, of realm: String) async throws(Refusal) {
        var body = WireTakeOut()
        body.realm = realm
        body.instance = instance.id
        body.cell = instance.cell
        _ = try await ask(body)
    }
}

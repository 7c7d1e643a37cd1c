internal import CairnConfiguration
internal import CairnCore
internal import CairnStore
internal import CairnText
internal import CairnWire

/// Asks for an organisation account (ORG-1).
struct RequestOrganisation: EntranceCommand {
    static let sender = EntranceSender.user

    private let name: OrganisationName
    private let justification: String

    init(_ body: WireRequestOrganisation) throws(Refusal) {
        name = try OrganisationName(new: body.name)
        justification = body.justification
        let charactersMax = OrganisationRequestRecord.justificationCharactersMax
        guard !justification.isBlank else {
            throw Refusal(
                .missingField, "justification: is missing", component: SignIn.component,
                details: ["field": "justification"])
        }
        guard justification.utf8.count <= 4 * charactersMax, justification.count <= charactersMax else {
            throw Refusal(
                .invalidField, "justification: at most \(charactersMax) characters", component: SignIn.component,
                details: ["field": "justification"])
        }
    }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        try await signIn.ask(for: name, because: justification, try applicant.requireUser())
        return .done
    }
}

/// Takes the open request back.
struct WithdrawOrganisationRequest: EntranceCommand {
    static let sender = EntranceSender.user

    init(_ body: WireWithdrawOrganisationRequest) {}

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        try await signIn.withdrawRequest(of: try applicant.requireUser().account)
        return .done
    }
}

/// Tells what the account has to do with organisations: its own one with the members, and its newest request.
struct GetOrganisation: EntranceCommand {
    static let sender = EntranceSender.user

    init(_ body: WireGetOrganisation) {}

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let account = try applicant.requireUser().account
        var answer = WireOwnOrganisation()
        // A damaged one is none: the person asks again.
        if let row = try await signIn.store.read([OrganisationRequestRecord.query(newestOf: account)])[0].first,
            let request = signIn.readRequest(row)
        {
            answer.request = WireOrganisationRequest(request, signIn)
        }
        if let organisation = signIn.organisations.organisation(of: account) {
            answer.organisation = WireOrganisation(organisation, signIn.identifiers)
            let wishes = try await signIn.removalWishes(in: organisation.id)
            answer.members = signIn.organisations.members(of: organisation.id).map { member in
                var wire = WireOrganisationMember()
                wire.account = signIn.identifiers.name(of: member.account)
                wire.name = signIn.names.people.name(of: member.account) ?? ""
                wire.since = member.since.milliseconds
                let wish = wishes.first { $0.account == member.account }
                wire.removalBy = wish.map { signIn.identifiers.name(of: $0.proposer) } ?? ""
                return wire
            }
        }
        return .answered(.ownOrganisation(answer))
    }
}

/// Leaves the organisation.
struct LeaveOrganisation: EntranceCommand {
    static let sender = EntranceSender.user

    init(_ body: WireLeaveOrganisation) {}

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        try await signIn.leaveOrganisation(try applicant.requireUser().account, on: applicant.shards)
        return .done
    }
}

/// Says that another member should be removed.
struct RemoveOrganisationMember: EntranceCommand {
    static let sender = EntranceSender.user

    private let account: String

    init(_ body: WireRemoveOrganisationMember) throws(Refusal) {
        account = body.account
        guard !account.isEmpty else {
            throw Refusal(
                .missingField, "account: is missing", component: SignIn.component, details: ["field": "account"])
        }
    }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser().account
        var answer = WireOrganisationRemoval()
        answer.removed = try await signIn.removeMember(
            signIn.identifiers.identifier(named: account) ?? user, by: user, on: applicant.shards)
        return .answered(.organisationRemoval(answer))
    }
}

extension WireOrganisation {
    /// As its members are told.
    init(_ organisation: Organisation, _ identifiers: IdentifierIssuer) {
        self.init()
        id = identifiers.name(of: organisation.id)
        name = organisation.name.text
        suspended = organisation.suspension != nil
        reason = organisation.suspension?.reason ?? ""
    }

    /// As admins are told.
    init(_ organisation: Organisation, for signIn: SignIn) {
        self.init(organisation, signIn.identifiers)
        created = organisation.created.milliseconds
        members = UInt32(clamping: signIn.organisations.memberCount(of: organisation.id))
    }
}

extension WireOrganisationRequest {
    init(_ request: OrganisationRequestRecord, _ signIn: SignIn) {
        self.init()
        id = signIn.identifiers.name(of: request.id)
        account = signIn.identifiers.name(of: request.account)
        accountName = signIn.names.people.name(of: request.account) ?? ""
        name = request.name.text
        justification = request.justification
        at = request.at.milliseconds
        state = request.state.rawValue
        reason = request.reason
    }

    /// As admins are told.
    init(_ request: OrganisationRequestRecord, for signIn: SignIn) {
        self.init(request, signIn)
        if request.state == .open, let known = signIn.knownOrganisation(of: request) {
            self.known = WireOrganisation(known, for: signIn)
        }
    }
}

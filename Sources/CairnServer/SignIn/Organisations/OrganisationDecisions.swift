internal import CairnConfiguration
internal import CairnCore
internal import CairnStore
internal import CairnText
internal import CairnWire

/// Lists organisations, for admins.
struct ListOrganisations: EntranceCommand {
    static let sender = EntranceSender.admin

    private let after: String

    init(_ body: WireListOrganisations) { after = body.after }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        try await signIn.requireAdmin(.admin(try applicant.requireUser().account))
        let all = signIn.organisations.all(after: try signIn.last(after))
        let page = all.prefix(OrganisationPage.rowsMax)
        var list = WireOrganisationList()
        list.organisations = page.map { WireOrganisation($0, for: signIn) }
        if all.count > page.count { list.next = page.last.map { signIn.identifiers.name(of: $0.id) } ?? "" }
        return .answered(.organisationList(list))
    }
}

/// Lists open requests, for admins (ORG-2).
struct ListOrganisationRequests: EntranceCommand {
    static let sender = EntranceSender.admin

    private let after: String

    init(_ body: WireListOrganisationRequests) { after = body.after }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        try await signIn.requireAdmin(.admin(try applicant.requireUser().account))
        let rows = OrganisationPage.rowsMax
        let requests = try await signIn.openRequests(after: try signIn.last(after), countMax: rows + 1)
        var list = WireOrganisationRequestList()
        list.requests = requests.prefix(rows).map { request in
            var wire = WireOrganisationRequest(request, for: signIn)
            wire.justification = ""
            return wire
        }
        if requests.count > rows { list.next = list.requests.last?.id ?? "" }
        return .answered(.organisationRequestList(list))
    }
}

/// A page of a list for admins.
private enum OrganisationPage {
    static let rowsMax = 100
}

/// Opens a request with its details, for admins (ORG-2).
struct GetOrganisationRequest: EntranceCommand {
    static let sender = EntranceSender.admin

    private let request: RequestName

    init(_ body: WireGetOrganisationRequest) throws(Refusal) { request = try RequestName(body.request) }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        try await signIn.requireAdmin(.admin(try applicant.requireUser().account))
        let record = try await signIn.organisationRequest(try request.id(signIn))
        return .answered(.organisationRequest(WireOrganisationRequest(record, for: signIn)))
    }
}

/// Accepts a request, for admins (ORG-2).
struct AcceptOrganisation: EntranceCommand {
    static let sender = EntranceSender.admin

    private let request: RequestName
    private let organisation: String
    private let reason: String

    init(_ body: WireAcceptOrganisation) throws(Refusal) {
        try AccountOrder.check(reason: body.reason)
        request = try RequestName(body.request)
        (organisation, reason) = (body.organisation, body.reason)
    }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let author = AccountAuthor.admin(try applicant.requireUser().account)
        try await signIn.requireAdmin(author)
        _ = try await signIn.accept(
            try request.id(signIn), into: try organisation.isEmpty ? nil : signIn.organisation(organisation),
            by: author, because: reason, on: applicant.shards)
        return .done
    }
}

/// Denies a request, for admins (ORG-3).
struct DenyOrganisation: EntranceCommand {
    static let sender = EntranceSender.admin

    private let request: RequestName
    private let reason: String

    init(_ body: WireDenyOrganisation) throws(Refusal) {
        request = try RequestName(body.request)
        reason = try SignIn.required(reason: body.reason)
    }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let author = AccountAuthor.admin(try applicant.requireUser().account)
        try await signIn.requireAdmin(author)
        _ = try await signIn.deny(try request.id(signIn), by: author, because: reason, on: applicant.shards)
        return .done
    }
}

/// Suspends an organisation, for admins.
struct SuspendOrganisation: EntranceCommand {
    static let sender = EntranceSender.admin

    private let organisation: String
    private let reason: String

    init(_ body: WireSuspendOrganisation) throws(Refusal) {
        (organisation, reason) = (body.organisation, try SignIn.required(reason: body.reason))
    }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let author = AccountAuthor.admin(try applicant.requireUser().account)
        try await signIn.requireAdmin(author)
        _ = try await signIn.suspend(
            try signIn.organisation(organisation), by: author, because: reason, on: applicant.shards)
        return .done
    }
}

/// Ends the suspension of an organisation, for admins.
struct ReinstateOrganisation: EntranceCommand {
    static let sender = EntranceSender.admin

    private let organisation: String
    private let reason: String

    init(_ body: WireReinstateOrganisation) throws(Refusal) {
        (organisation, reason) = (body.organisation, try SignIn.required(reason: body.reason))
    }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let author = AccountAuthor.admin(try applicant.requireUser().account)
        try await signIn.requireAdmin(author)
        _ = try await signIn.reinstate(
            try signIn.organisation(organisation), by: author, because: reason, on: applicant.shards)
        return .done
    }
}

/// Which request an admin means.
private struct RequestName {
    private let text: String

    init(_ text: String) throws(Refusal) {
        guard !text.isEmpty else {
            throw Refusal(
                .missingField, "request: is missing", component: SignIn.component, details: ["field": "request"])
        }
        self.text = text
    }

    func id(_ signIn: SignIn) throws(Refusal) -> OrganisationRequestID {
        guard let id: OrganisationRequestID = signIn.identifiers.identifier(named: text) else {
            throw Refusal(.notFound, "there is no such request", component: SignIn.component)
        }
        return id
    }
}

extension SignIn {
    fileprivate func organisation(_ text: String) throws(Refusal) -> OrganisationID {
        guard !text.isEmpty else {
            throw Refusal(
                .missingField, "organisation: is missing", component: Self.component,
                details: ["field": "organisation"])
        }
        guard let id: OrganisationID = identifiers.identifier(named: text), organisations[id] != nil else {
            throw Refusal(.notFound, "there is no such organisation", component: Self.component)
        }
        return id
    }

    /// The last row of the page before; nil = there is none.
    fileprivate func last<Tag>(_ after: String) throws(Refusal) -> Identifier<Tag>? {
        guard !after.isEmpty else { return nil }
        guard let id: Identifier<Tag> = identifiers.identifier(named: after) else {
            throw Refusal(
                .invalidField, "after: not from a page of this list", component: Self.component,
                details: ["field": "after"])
        }
        return id
    }

    fileprivate static func required(reason: String) throws(Refusal) -> String {
        guard !reason.isBlank else {
            throw Refusal(
                .missingField, "reason: is missing", component: component, details: ["field": "reason"])
        }
        try AccountOrder.check(reason: reason)
        return reason
    }
}

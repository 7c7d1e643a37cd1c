internal import CairnConfiguration
internal import CairnCore
internal import CairnStore
internal import CairnWire

/// Gives an account another role, for admins (ROL-1, ROL-5). The role of an organisation's user comes with the
/// organisation (ROL-3).
struct SetRole: EntranceCommand {
    static let sender = EntranceSender.admin

    private let order: AdminsOrder
    private let role: Role
    /// Nil with every other role than that of an organisation's user.
    private let organisation: OrganisationName?

    init(_ body: WireSetRole) throws(Refusal) {
        order = try AdminsOrder(account: body.account, reason: body.reason)
        role = try Role(of: body.role)
        guard role != .organisation else {
            organisation = try OrganisationName(new: body.organisation, field: "organisation")
            return
        }
        organisation = nil
        guard body.organisation.isEmpty else {
            throw Refusal(
                .invalidField, "organisation: only with the role organisation", component: SignIn.component,
                details: ["field": "organisation"])
        }
    }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let order = try await order.order(of: applicant, signIn)
        if let organisation {
            _ = try await signIn.setOrganisation(organisation, by: order, on: applicant.shards)
        } else {
            _ = try await signIn.setRole(role, by: order, on: applicant.shards)
        }
        return .done
    }
}

/// Suspends an account, for admins (ROL-5).
struct Suspend: EntranceCommand {
    static let sender = EntranceSender.admin

    private let order: AdminsOrder

    init(_ body: WireSuspend) throws(Refusal) {
        order = try AdminsOrder(account: body.account, reason: body.reason)
    }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        _ = try await signIn.suspend(by: order.order(of: applicant, signIn), on: applicant.shards)
        return .done
    }
}

/// Lets a suspended account in again, for admins (ROL-5).
struct Reinstate: EntranceCommand {
    static let sender = EntranceSender.admin

    private let order: AdminsOrder

    init(_ body: WireReinstate) throws(Refusal) {
        order = try AdminsOrder(account: body.account, reason: body.reason)
    }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        try await signIn.reinstate(by: order.order(of: applicant, signIn), on: applicant.shards)
        return .done
    }
}

/// Whose account an admin means, and why.
private struct AdminsOrder {
    private let name: String
    private let reason: String

    init(account: String, reason: String) throws(Refusal) {
        for (field, text) in [("account", account), ("reason", reason)] where text.isEmpty {
            throw Refusal(
                .missingField, "\(field): is missing", component: SignIn.component, details: ["field": field])
        }
        try AccountOrder.check(reason: reason)
        (name, self.reason) = (account, reason)
    }

    func order(of applicant: Applicant, _ signIn: SignIn) async throws -> AccountOrder {
        let author = AccountAuthor.admin(try applicant.requireUser().account)
        try await signIn.requireAdmin(author)
        guard let account = try await signIn.account(named: name) else {
            throw Refusal(.notFound, "there is no account of that id or name", component: SignIn.component)
        }
        return try AccountOrder(account, by: author, because: reason)
    }
}

extension Role {
    /// The role that a client names for an account.
    init(of text: String) throws(Refusal) {
        guard let role = Role(rawValue: text), role != .guest else {
            throw Refusal(
                .invalidField, "role: general, organisation or admin", component: SignIn.component,
                details: ["field": "role"])
        }
        self = role
    }
}

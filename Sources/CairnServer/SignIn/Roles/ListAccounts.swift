internal import CairnConfiguration
internal import CairnCore
internal import CairnStore
internal import CairnWire

/// Lists accounts, for admins (ROL-5).
struct ListAccounts: EntranceCommand {
    static let sender = EntranceSender.admin

    private let filter: AccountFilter

    init(_ body: WireListAccounts) throws(Refusal) {
        guard !body.role.isEmpty else {
            filter = body.prefix.isEmpty ? .all : .prefix(body.prefix)
            return
        }
        guard body.prefix.isEmpty else {
            throw Refusal(
                .invalidField, "prefix: not together with role", component: SignIn.component,
                details: ["field": "prefix"])
        }
        filter = .role(try Role(of: body.role))
    }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let admin = AccountAuthor.admin(try applicant.requireUser().account)
        try await signIn.requireAdmin(admin)
        let accounts = try await signIn.accounts(filter, countMax: SignIn.listedMax, by: admin)
        var list = WireAccountList()
        list.accounts = accounts.map { listed in
            var account = WireAccount()
            account.id = signIn.identifiers.name(of: listed.id)
            account.name = listed.name
            account.role = listed.role.rawValue
            account.created = listed.created.milliseconds
            account.suspended = listed.suspension != nil
            account.reason = listed.suspension?.reason ?? ""
            return account
        }
        return .answered(.accountList(list))
    }
}

internal import CairnCore
internal import CairnLogging
internal import CairnServer
internal import CairnWire

/// Commands about accounts: who they are, their roles, and who changed what (ROL-5). Each that acts is logged and has
/// its entry in the audit log.
extension StatsCommand {
    static var accounts: [StatsCommand] {
        [
            StatsCommand(
                "accounts", takes: "[PREFIX|role=ROLE] [before=ACCOUNT]", level: .admin,
                "the accounts, newest first: all, those whose names begin so, or those of a role; at most 1,000; "
                    + "next = what before= goes on with; a search by name stands in the audit log"
            ) { room, someone, arguments throws(StatsRefusal) in
                room.listAccounts(try AccountPage(arguments, room.context.identifiers), for: someone)
            },
            StatsCommand(
                "role", takes: "ACCOUNT ROLE [REASON]", level: .admin,
                "give an account the role general or admin; its connections go by it at once"
            ) { room, someone, arguments throws(StatsRefusal) in
                guard arguments.words.count >= 2, let role = Role(rawValue: arguments.words[1]),
                    role == .general || role == .admin
                else {
                    throw StatsRefusal(
                        .badArgument,
                        "wants an account and general or admin; organisation-add makes an organisation's user")
                }
                room.order("role", arguments.words[0], arguments.reason(after: 2), for: someone) {
                    order, signIn, shards in
                    let count = try await signIn.setRole(role, by: order, on: shards)
                    return { line in
                        line.member("role", role.rawValue)
                        line.member("connections", count)
                    }
                }
            },
            StatsCommand(
                "sign-out", takes: "ACCOUNT [REASON]", level: .admin,
                "end all sign-ins of an account: its connections are guests' from then on"
            ) { room, someone, arguments throws(StatsRefusal) in
                room.order("sign-out", try arguments.account(), arguments.reason(after: 1), for: someone) {
                    order, signIn, shards in
                    let count = try await signIn.signOut(by: order, on: shards)
                    return { $0.member("signedOut", count) }
                }
            },
            StatsCommand(
                "first-admin", takes: "ACCOUNT [REASON]", level: .admin,
                "give an account the role admin when no admin can sign in"
            ) { room, someone, arguments throws(StatsRefusal) in
                room.order("first-admin", try arguments.account(), arguments.reason(after: 1), for: someone) {
                    order, signIn, shards in
                    let count = try await signIn.setFirstAdmin(by: order, on: shards)
                    return { line in
                        line.member("role", Role.admin.rawValue)
                        line.member("connections", count)
                    }
                }
            },
        ]
    }
}

extension StatsArguments {
    /// The first word: the id, the name or the proved email of an account.
    func account() throws(StatsRefusal) -> String {
        guard let name = words.first else { throw StatsRefusal(.badArgument, "wants the id or name of an account") }
        return name
    }

    /// What stands behind so many words.
    func reason(after count: Int) -> String { words.dropFirst(count).joined(separator: " ") }
}

/// The page of accounts that an operator asks for.
private struct AccountPage: Sendable {
    private(set) var filter = AccountFilter.all
    /// The last account of the page before; nil = the first page.
    private(set) var before: AccountID?

    init(_ arguments: StatsArguments, _ identifiers: IdentifierIssuer) throws(StatsRefusal) {
        var words = arguments.words
        if let index = words.firstIndex(where: { $0.hasPrefix("before=") }) {
            let name = String(words.remove(at: index).dropFirst("before=".count))
            guard let account: AccountID = identifiers.identifier(named: name) else {
                throw StatsRefusal(.badArgument, "before= wants the next of the page before")
            }
            before = account
        }
        guard let word = words.first else { return }
        guard words.count == 1 else { throw StatsRefusal(.badArgument, "wants the beginning of a name, or role=ROLE") }
        guard word.hasPrefix("role=") else {
            filter = .prefix(word)
            return
        }
        guard let role = Role(rawValue: String(word.dropFirst("role=".count))), role != .guest else {
            throw StatsRefusal(.badArgument, "wants role=general, role=organisation or role=admin")
        }
        filter = .role(role)
    }
}

extension StatsRoom {
    static let noAccount = StatsRefusal(.notFound, "there is no account of that id or name")

    /// Carries out an order about an account and answers with the account and what `action` adds.
    func order(
        _ command: String, _ name: String, _ reason: String, for someone: Operator,
        _ action: @escaping @Sendable (AccountOrder, SignIn, [Shard]) async throws -> (inout JSONLine) -> Void
    ) {
        noteAction(command, of: someone)
        let (signIn, shards, identifiers) = (context.signIn, shards, context.identifiers)
        let author = AccountAuthor.named(someone.name)
        perform(for: someone) {
            guard let account = try await signIn.account(named: name) else { throw Self.noAccount }
            let rest = try await action(try AccountOrder(account, by: author, because: reason), signIn, shards)
            return JSONLine.object { line in
                line.member("account", identifiers.name(of: account))
                rest(&line)
            }
        }
    }

    fileprivate func listAccounts(_ page: AccountPage, for someone: Operator) {
        let (signIn, identifiers, author) = (context.signIn, context.identifiers, AccountAuthor.named(someone.name))
        perform(for: someone) {
            let accounts = try await signIn.accounts(
                page.filter, before: page.before, countMax: SignIn.listedMax, by: author)
            return JSONLine.object { line in
                line.member("count", accounts.count)
                line.array("accounts") { line in
                    for account in accounts {
                        line.element { line in
                            line.member("account", identifiers.name(of: account.id))
                            line.member("name", account.name)
                            line.member("role", account.role.rawValue)
                            line.member("created", Int(account.created.milliseconds))
                            line.member("suspended", account.suspension != nil)
                        }
                    }
                }
                if accounts.count == SignIn.listedMax, let last = accounts.last {
                    line.member("next", identifiers.name(of: last.id))
                }
            }
        }
    }
}

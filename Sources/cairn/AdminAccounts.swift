import ArgumentParser
import CairnOperators

/// What the commands about accounts have in common: one line to the server's stats socket, and its answer as it is.
protocol AdminOrder: ParsableCommand {
    var options: StatsOptions { get }
    /// The command of the stats socket.
    var line: String { get }
}

extension AdminOrder {
    func run() throws { try StatsAnswer.print(to: line, options, as: "cairn admin") }
}

/// An account and why.
struct AdminAccount: ParsableArguments {
    @Argument(help: "Id or name of an account, or its email once that was proved.")
    var account: String

    @Argument(help: "Reason; kept in the audit log.")
    var reason: [String] = []

    func validate() throws { try AdminWord.check(account, "ACCOUNT") }

    var words: String { AdminWord.line([account] + reason) }
}

/// Words of a command line as words of a command, which is one line.
enum AdminWord {
    static func check(_ word: String, _ name: String) throws {
        guard !word.isEmpty, !word.contains(where: \.isWhitespace) else {
            throw ValidationError("\(name): wants one word")
        }
    }

    static func line(_ words: [String]) -> String {
        words.joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

/// `cairn admin list`
struct AdminList: AdminOrder {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the accounts, the newest first.",
        discussion: """
            Each with id, name, role, creation and whether it is suspended; at most 1,000, and `next`, with which
            --before goes on.
            """)

    @OptionGroup var options: StatsOptions

    @Option(help: "Accounts of this role: general, organisation or admin.")
    var role: String?

    @Option(help: "The next of the page before.")
    var before: String?

    @Argument(help: "Accounts whose names begin with this.")
    var prefix: String?

    func validate() throws {
        guard role == nil || prefix == nil else { throw ValidationError("wants a prefix or --role, not both") }
        if let role { try AdminWord.check(role, "--role") }
        if let prefix { try AdminWord.check(prefix, "PREFIX") }
        if let before { try AdminWord.check(before, "--before") }
    }

    var line: String {
        AdminWord.line(["accounts", role.map { "role=\($0)" } ?? prefix ?? "", before.map { "before=\($0)" } ?? ""])
    }
}

/// `cairn admin role`
struct AdminRole: AdminOrder {
    static let configuration = CommandConfiguration(
        commandName: "role", abstract: "Give an account another role.",
        discussion: """
            Its connections have the role before the command ends. A new admin leaves the world at once.
            `organisation accept` and `organisation add` make users of an organisation.
            """)

    @OptionGroup var options: StatsOptions

    @Argument(help: "Id or name of an account, or its email once that was proved.")
    var account: String

    @Argument(help: "general or admin.")
    var role: String

    @Argument(help: "Reason; kept in the audit log.")
    var reason: [String] = []

    func validate() throws {
        try AdminWord.check(account, "ACCOUNT")
        try AdminWord.check(role, "ROLE")
    }

    var line: String { AdminWord.line(["role", account, role] + reason) }
}

/// `cairn admin suspend`
struct AdminSuspend: AdminOrder {
    static let configuration = CommandConfiguration(
        commandName: "suspend", abstract: "Suspend an account: its connections are closed, and sign-ins are refused.")

    @OptionGroup var options: StatsOptions
    @OptionGroup var account: AdminAccount

    @Option(help: ArgumentHelp("It gets in again by itself on this day, UTC, such as 2026-03-31.", valueName: "date"))
    var until: String?

    func validate() throws { if let until { try AdminWord.check(until, "DATE") } }

    var line: String {
        AdminWord.line(["ban", account.account] + (until.map { ["until=\($0)"] } ?? []) + account.reason)
    }
}

/// `cairn admin reinstate`
struct AdminReinstate: AdminOrder {
    static let configuration = CommandConfiguration(
        commandName: "reinstate", abstract: "Let a suspended account in again.")

    @OptionGroup var options: StatsOptions
    @OptionGroup var account: AdminAccount

    var line: String { "unban \(account.words)" }
}

/// `cairn admin sign-out`
struct AdminSignOut: AdminOrder {
    static let configuration = CommandConfiguration(
        commandName: "sign-out", abstract: "End all sign-ins of an account.",
        discussion: "Its connections are guests' before the command ends. The person may sign in again.")

    @OptionGroup var options: StatsOptions
    @OptionGroup var account: AdminAccount

    var line: String { "sign-out \(account.words)" }
}

/// `cairn admin first`
struct AdminFirst: AdminOrder {
    static let configuration = CommandConfiguration(
        commandName: "first", abstract: "Make an account the first admin.",
        discussion: "Refused when there is an admin who can sign in. The account needs a password or a provider.")

    @OptionGroup var options: StatsOptions
    @OptionGroup var account: AdminAccount

    var line: String { "first-admin \(account.words)" }
}

/// `cairn admin audit`
struct AdminAudit: AdminOrder {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Print the audit log, the newest entries first; at most 1,000.",
        discussion: """
            Changes of accounts by others, decisions about organisations, removals and who was looked up, with author, \
            time and reason.
            """)

    @OptionGroup var options: StatsOptions

    @Argument(help: "Entries about this account.")
    var account: String?

    @Option(help: "Only what was done so, such as suspend,reinstate; behind a minus all but that: -look_up.")
    var what: String?

    @Option(help: "Only by authors with this in their name or id.")
    var by: String?

    @Option(help: ArgumentHelp("Only from this day on, UTC, such as 2026-03-31.", valueName: "date"))
    var from: String?

    @Option(help: ArgumentHelp("Only before this day, UTC.", valueName: "date"))
    var to: String?

    @Option(help: ArgumentHelp("Only older entries: the next of the answer before.", valueName: "entry"))
    var before: String?

    private var filters: [(name: String, value: String)] {
        [("what", what), ("by", by), ("from", from), ("to", to), ("before", before)].compactMap { name, value in
            value.map { (name, $0) }
        }
    }

    func validate() throws {
        if let account { try AdminWord.check(account, "ACCOUNT") }
        for (name, value) in filters { try AdminWord.check(value, name.uppercased()) }
    }

    var line: String { AdminWord.line(["audit", account ?? ""] + filters.map { "\($0.name)=\($0.value)" }) }
}

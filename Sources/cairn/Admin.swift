import ArgumentParser
import CairnConfiguration
import CairnServer

/// `cairn admin`
struct Admin: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin",
        abstract: "Manage accounts, organisations, tours, purchases and the ledger.",
        subcommands: [
            AdminList.self, AdminRole.self, AdminSuspend.self, AdminReinstate.self, AdminSignOut.self, AdminFirst.self,
            AdminAudit.self, AdminOrganisation.self, AdminLedger.self, AdminPurchase.self, AdminTour.self,
            AdminToken.self,
        ]
    )
}

/// `cairn admin token`
struct AdminToken: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Sign a token for trials, as an app's own backend would.",
        discussion: """
            Prints the token on standard output: a client puts it in `token` of its hello. The first call makes a key,
            trial-sign-in.pem beside storage.keyFile, for its owner alone, and its public half beside it. The server
            accepts the token once its configuration names the public half; the needed lines are printed, too. The
            key can sign in as anyone on that server: remove the lines after the trial.
            """
    )

    @Argument(help: "Name to show, as accounts allow it. The same name is the same account.")
    var name: String

    @Option(help: "Hours for which the token is valid, at most 8760.")
    var hours = 24

    @Option(help: "Organisation that the token names: the account's role is then organisation.")
    var organisation: String?

    @Option(name: .customLong("key-file"), help: "File of the private key; made if it is missing.")
    var keyFile: String?

    @OptionGroup var settings: SettingOptions

    func validate() throws {
        guard (1...TrialTokens.hoursMax).contains(hours) else {
            throw ValidationError("--hours: wants 1 to \(TrialTokens.hoursMax)")
        }
    }

    func run() throws {
        let tokens = try TrialTokens(settings.load().configuration, keyPath: keyFile)
        if let lines = tokens.missingSettings {
            Terminal.error(
                "the server takes this token once its configuration has these lines, and after SIGHUP:\n\(lines)")
        }
        Terminal.write(tokens.token(name: name, organisation: organisation, hours: hours) + "\n")
    }
}

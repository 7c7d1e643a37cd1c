package import CairnCore
internal import CairnCredentials

/// What operators read of signing in: the thread that hashes passwords, and attempts beyond the limits.
package struct SignInFigures: Sendable {
    private let desk: PasswordDesk.Figures
    private let failures: SignInLimiter.Figures
    private let signUpsRefused: Int
    private let recoveriesRefused: Int
    private let changesRefused: Int
    private let mailsWithheld: Int
    private let renamesRefused: Int
    private let guestSightsRefused: Int
    private let guessers: Int

    init(_ services: SignIn.Services) {
        desk = services.desk.figures
        failures = services.failures.figures
        signUpsRefused = services.signUps.figures.refused
        changesRefused = services.changes.figures.refused
        recoveriesRefused = services.recoveries.figures.refused + Int(services.recoveryDesk.refused)
        mailsWithheld = services.resetMails.figures.withheld + services.proofMails.figures.withheld
        renamesRefused = services.renames.figures.refused
        guestSightsRefused = services.guestSights.figures.refused
        guessers = services.guessers.count
    }

    /// The figure of the addresses that guess, and its alarm: `SignIn.Services.guessers` says who they are.
    package static let guessersFigure: StaticString = "guessers"

    fileprivate typealias Row = Metric<SignInFigures>

    /// - Parameter queues: the section of the stats socket that holds queues.
    package static func metrics(in queues: MetricSection) -> [Metric<SignInFigures>] {
        [
            Row("passwords", in: queues, unit: "passwords", "passwords that wait to be hashed or compared") {
                .level($0.desk.waiting.values.reduce(0, +))
            }
            .family(.gauge, "cairn.passwords.waiting"),
            Row(unit: "passwords", "passwords that were hashed or compared") { .count(UInt64($0.desk.done)) }
                .family(.counter, "cairn.passwords"),
            Row(unit: "passwords", "passwords refused because the queue was full, by lane (try_again)") {
                .counts([
                    "device": UInt64($0.desk.refused[.device] ?? 0),
                    "familiar": UInt64($0.desk.refused[.familiar] ?? 0),
                    "stranger": UInt64($0.desk.refused[.stranger] ?? 0),
                ])
            }
            .family(.counter, "cairn.passwords.refused", by: "lane"),
            Row(unit: "attempts", "sign-ins with a wrong password or code") { .count(UInt64($0.failures.failed)) }
                .family(.counter, "cairn.sign.in.failures"),
            Row(
                guessersFigure, in: queues, unit: "addresses",
                """
                addresses with \(PasswordGuesses.hourMin) and more wrong passwords or codes in the last hour, or \
                \(PasswordGuesses.dayMin) in the last day
                """
            ) { .level($0.guessers) }
            .alarm(
                .warn, "Somebody guesses passwords of people",
                remedy: "alarms names the addresses to admins: keep them out before the server"
            )
            .family(.gauge, "cairn.sign.in.guessers"),
            Row(unit: "attempts", "attempts beyond a limit, by kind (too_many_attempts)") {
                .counts([
                    "sign_in": UInt64($0.failures.refused), "sign_up": UInt64($0.signUpsRefused),
                    "recovery": UInt64($0.recoveriesRefused), "rename": UInt64($0.renamesRefused),
                    "guest_sight": UInt64($0.guestSightsRefused),
                ])
            }
            .family(.counter, "cairn.sign.in.refused", by: "attempt"),
            Row(unit: "changes", "changes of accounts beyond their limit (rate_limited)") {
                .count(UInt64($0.changesRefused))
            }
            .family(.counter, "cairn.account.changes.refused"),
            Row(unit: "mails", "mails with a link that were not sent, because the mailbox has had its mail") {
                .count(UInt64($0.mailsWithheld))
            }
            .family(.counter, "cairn.sign.in.mails.withheld"),
        ]
    }
}

extension SignIn.Services {
    package var figures: SignInFigures { SignInFigures(self) }
}

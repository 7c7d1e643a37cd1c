internal import CairnConfiguration
internal import CairnCore
internal import CairnCredentials
internal import CairnStore
internal import CairnTime
internal import CairnWebSocket
internal import CairnWire

/// The mails of accounts. Each is stored with the change that it is about, and leaves when that is on disk.
extension SignIn {
    /// What a person is told of their account, so that they notice what was not theirs.
    enum Warning: Sendable {
        case newDevice, newPassword

        fileprivate var kind: StaticText {
            switch self {
            case .newDevice: "newDevice"
            case .newPassword: "newPassword"
            }
        }
    }

    /// What a mail is sent for because somebody asks for it, who may be anybody.
    enum Cause: String, Sendable {
        case recovery, newAccount, newEmail
    }

    /// Counts a mail for the mailbox that it goes to, known or not, whoever asks for it (ACC-10). Mails of one cause
    /// use up those of no other.
    /// - Returns: false = the mailbox has had its mail. None is sent, the link before it stays, and nobody is told.
    func admitRecovery(to email: EmailAddress) -> Bool {
        services.resetMails.admit(
            mailbox(email, .recovery), linkLifetime: .seconds(accounts.resetMinutes * 60), now: .now)
    }

    /// A mail that was counted for its mailbox.
    struct CountedMail: Sendable {
        fileprivate let mailbox: LimitKey
        fileprivate let at: MonotonicTime
    }

    /// Counts a mail with a link that proves an email, as `admitRecovery`.
    /// - Parameter cause: `newAccount` where the account holds the address, which no other one has then; `newEmail`
    ///   where it waits to replace another.
    /// - Returns: nil = the mailbox has had its mails.
    func countProof(to email: EmailAddress, for cause: Cause) -> CountedMail? {
        let (mailbox, now) = (self.mailbox(email, cause), MonotonicTime.now)
        let lifetime = Duration.seconds(min(accounts.verifyHours, 1) * 3_600)
        guard services.proofMails.admit(mailbox, linkLifetime: lifetime, now: now) else { return nil }
        return CountedMail(mailbox: mailbox, at: now)
    }

    /// The same for somebody who learns that there is none: the links in the mailbox may be other accounts'.
    /// - Returns: nil = none is sent: the last one to the account has a link that is good.
    /// - Throws: `too_many_attempts` with the time to wait.
    func admitProof(to email: EmailAddress, of account: AccountID, for cause: Cause) async throws -> CountedMail? {
        if let mail = countProof(to: email, for: cause) { return mail }
        let rows = try await store.read([MailedCode.query(of: account, for: .verify, now: clock.lasting)])[0]
        if try rows.contains(where: { try MailedCode($0).address == email.folded }) { return nil }
        let wait = services.proofMails.wait(mailbox(email, cause), now: .now)
        throw Refusal(
            .tooManyAttempts, component: Self.component, retryAfter: max(.seconds(1), wait),
            details: ["field": "email"])
    }

    /// Commits what goes with a mail; one that is not stored does not count.
    /// - Returns: as `isCommitted`.
    func isCommitted(_ statements: [Statement], with mail: CountedMail?) async throws -> Bool {
        do {
            if try await isCommitted(statements) { return true }
        } catch {
            withdraw(mail)
            throw error
        }
        withdraw(mail)
        return false
    }

    private func withdraw(_ mail: CountedMail?) {
        if let mail { services.proofMails.withdraw(mail.mailbox, at: mail.at) }
    }

    /// The mail was not stored, or its link is used up.
    func releaseRecovery(to email: EmailAddress) { services.resetMails.release(mailbox(email, .recovery)) }

    private func mailbox(_ email: EmailAddress, _ cause: Cause) -> LimitKey {
        LimitKey(hashing: "\(cause.rawValue) \(email.folded)".utf8)
    }

    /// A link that proves an email.
    func verification(of email: EmailAddress, for account: AccountID, in language: String) -> [Statement] {
        let code = Secret.make()
        let expires = clock.lasting + .seconds(accounts.verifyHours * 3_600)
        return MailedCode.replacement(
            by: code, of: account, for: .verify, address: email.folded, expires: expires)
            + [
                mail(
                    "verify", to: email.text, in: language,
                    ["link": link("verify", code), "hours": "\(accounts.verifyHours)"])
            ]
    }

    /// A link that sets a new password.
    /// - Parameter account: nil = the address is nobody's: the same is written, and the mail goes to nobody.
    func recovery(of account: AccountID?, at email: EmailAddress, in language: String) -> [Statement] {
        let code = Secret.make()
        let expires = clock.lasting + .seconds(accounts.resetMinutes * 60)
        return MailedCode.replacement(by: code, of: account, for: .reset, address: email.folded, expires: expires)
            + [
                mail(
                    "reset", to: account == nil ? "" : email.text, in: language,
                    ["link": link("reset", code), "minutes": "\(accounts.resetMinutes)"])
            ]
    }

    /// To the verified email of before the change; nothing where there is none.
    func warning(_ warning: Warning, to credentials: CredentialsRecord, in language: String) -> [Statement] {
        guard let email = credentials.email, email.verified != nil else { return [] }
        return [mail(warning.kind, to: email.address.text, in: language, [:])]
    }

    /// Confirms that the account was deleted, where the address is the person's for certain.
    func farewell(to credentials: CredentialsRecord?, in language: String) -> [Statement] {
        guard let email = credentials?.email, email.verified != nil else { return [] }
        return [mail(OutboxEntry.farewell, to: email.address.text, in: language, [:])]
    }

    func mail(
        _ kind: StaticText, to address: String, in language: String, _ parts: [String: String]
    ) -> Statement {
        let (texts, now) = (Texts.of(language, among: accounts.languages), clock.lasting)
        let parts = parts.merging(["service": accounts.serviceName]) { $1 }
        return OutboxEntry.mail(
            identifiers.next(OutboxTag.self, at: clock.now), kind: kind, to: address,
            subject: texts["mail.\(kind.text).subject", parts], text: texts["mail.\(kind.text).text", parts], at: now,
            until: now + mailLifetime)
    }

    /// The code stands behind the '#', which browsers send to nobody.
    func link(_ purpose: String, _ code: String) -> String { "\(linkBase)/account#\(purpose)=\(code)" }
}

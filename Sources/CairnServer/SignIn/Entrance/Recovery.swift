internal import CairnConfiguration
internal import CairnCore
internal import CairnCredentials
internal import CairnStore
internal import CairnText
internal import CairnWire
internal import Logging

/// Asks for a link that sets a new password (ACC-10).
struct Recover: EntranceCommand {
    static let sender = EntranceSender.guest

    private let email: EmailAddress

    init(_ body: WireRecover) throws(Refusal) {
        guard let email = EmailAddress(body.email.withoutBlanksAround) else {
            throw Refusal(.invalidEmail, component: SignIn.component, details: ["field": "email"])
        }
        self.email = email
    }

    /// The answer leaves when the request is on disk, and before the address is looked up: it waits for nothing that
    /// differs between addresses, and no crash loses what it has promised.
    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        try signIn.admit(.recovery, at: applicant)
        let request = RecoveryRequest(
            id: signIn.identifiers.next(RecoveryTag.self, at: signIn.clock.now), email: email,
            language: applicant.language)
        let insertion = request.insertion(at: signIn.clock.lasting)
        let store = signIn.store
        try await signIn.services.recoveryDesk.take(request.id, storing: { try await store.commit([insertion]) }) {
            await signIn.carryOut(request)
        }
        return .done
    }
}

/// Sets a new password by the code of such a link.
struct ResetPassword: EntranceCommand {
    static let sender = EntranceSender.anyone

    private let body: WireResetPassword

    init(_ body: WireResetPassword) { self.body = body }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let (known, stored) = try await signIn.recovery(by: body.code)
        var credentials = stored
        let frontEnd = FrontEnd(credentials.frontEnd) ?? applicant.frontEnd
        let password = try SignUpRules(of: frontEnd, signIn.accounts).password(body.password)
        credentials.password = try await signIn.hash(password, for: applicant).text
        credentials.passwordChanged = signIn.clock.now
        // A change of email that was requested with the old password is void.
        credentials.pendingEmail = nil
        // Only who reads its mails has the link.
        if credentials.email?.verified == nil { credentials.email?.verified = signIn.clock.now }
        guard let row = try await signIn.store.read([AccountRecord.query(credentials.account)])[0].first else {
            throw SignIn.resetInvalid
        }
        var account = try AccountRecord(row)
        account.endTokens(issuedUntil: signIn.clock.lasting)
        let language = try await signIn.language(of: account.id, or: applicant.language)
        var ways = try await signIn.waysIn(to: account.id)
        ways.credentials = credentials
        var added = try await signIn.endAdded(to: &ways, of: account.id, isPasswordNew: true)
        if stored.email?.verified == nil { signIn.endAll(of: &ways, of: account.id, &added) }
        credentials = ways.credentials ?? credentials
        var statements = [known.use, credentials.update, account.update, TokenRecord.removals(of: account.id)]
        statements += added.statements
        statements += signIn.noting(.passwordChanged, of: account.id, to: [], in: language)
        statements += signIn.telling(of: added, to: credentials.provedAddress, in: language)
        statements += signIn.warning(.newPassword, to: credentials, in: language)
        guard try await signIn.isCommitted(statements) else { throw Refusal(.tryAgain, component: SignIn.component) }
        if let email = credentials.email { signIn.releaseRecovery(to: email.address) }
        signIn.services.postman.poke()
        return .answer(
            EntranceAnswer(
                result: .done(WireDone()), ending: .all(of: account.id, except: nil), notified: [account.id]))
    }
}

/// Proves an email by the code that was mailed to it.
struct VerifyEmail: EntranceCommand {
    static let sender = EntranceSender.anyone

    private let code: String

    init(_ body: WireVerifyEmail) { code = body.code }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        for _ in 0..<SignIn.attemptsMax {
            guard let (known, credentials) = try await signIn.mailed(code, for: .verify) else { break }
            var (changed, released) = (credentials, [Statement]())
            let now = signIn.clock.now
            var notes: [Statement] = []
            if let email = credentials.email, email.address.folded == known.address {
                changed.email?.verified = email.verified ?? now
            } else if let pending = credentials.pendingEmail, pending.folded == known.address {
                released = try await signIn.release(pending, except: credentials.account)
                changed.email = CredentialsRecord.Email(address: pending, since: now, verified: now)
                changed.pendingEmail = nil
                let language = try await signIn.language(of: credentials.account, or: applicant.language)
                notes = signIn.noting(
                    .emailChanged(before: credentials.email), of: credentials.account,
                    to: credentials.provedAddress + [pending], in: language)
            } else {
                break
            }
            guard try await signIn.isCommitted([known.use] + released + [changed.update] + notes) else { continue }
            // A recovery of before was mailed to nobody.
            if let email = changed.email { signIn.releaseRecovery(to: email.address) }
            guard !notes.isEmpty else { return .done }
            signIn.services.postman.poke()
            return .answer(EntranceAnswer(result: .done(WireDone()), notified: [credentials.account]))
        }
        throw Refusal(.linkInvalid, component: SignIn.component)
    }
}

extension SignIn {
    /// Requests that are read at once.
    private static let requestsMax = 1_000

    /// Begins what was asked for and not done before this process.
    func resumeRecoveries() async {
        var last: RecoveryID?
        while let rows = try? await store.read([RecoveryRequest.query(after: last, rowsMax: Self.requestsMax)])[0] {
            var damage: [DamagedRow] = []
            let requests = RecoveryRequest.requests(in: rows, into: &damage)
            store.report(damage)
            for request in requests {
                services.recoveryDesk.resume(request.id) { await carryOut(request) }
            }
            guard rows.count == Self.requestsMax, let end = requests.last?.id else { return }
            last = end
        }
    }

    /// Looks the address of a request up, and mails the link. What fails waits for the next start.
    fileprivate func carryOut(_ request: RecoveryRequest) async {
        do {
            try await mail(request)
        } catch let damage as DamagedRow {
            // Nobody can be told, and the row does not mend by itself.
            store.report([damage])
            try? await store.commit([request.removal])
        } catch {
            logger.error("a recovery cannot be written", metadata: ["cause": "\(error)"])
        }
    }

    /// Whether the address is known or not, the same is read and written: a decoy's mail goes to nobody.
    private func mail(_ request: RecoveryRequest) async throws {
        let email = request.email
        let row = try await store.read([CredentialsRecord.query(email)])[0].first
        let credentials = try row.map { try CredentialsRecord($0) }
        // Proved or not: whoever uses the link proves it.
        let known = credentials?.account
        let language = try await self.language(of: known ?? Self.nobody, or: request.language)
        // The mailbox has a link that is still good.
        guard admitRecovery(to: email) else { return try await store.commit([request.removal]) }
        // Other addresses may fold to the same form: the mail goes to the one that the account has.
        let address = known == nil ? email : credentials?.email?.address ?? email
        do {
            try await store.commit([request.removal] + recovery(of: known, at: address, in: language))
        } catch {
            releaseRecovery(to: email)
            throw error
        }
        services.postman.poke()
    }

    static let resetInvalid = Refusal(.resetTokenInvalid, component: component)

    /// The account of a recovery link, and the link, which is still to be used up.
    func recovery(by code: String) async throws -> (MailedCode, CredentialsRecord) {
        guard let found = try await mailed(code, for: .reset) else { throw Self.resetInvalid }
        // A link to an address that is the account's no more.
        guard found.1.email?.address.folded == found.0.address else { throw Self.resetInvalid }
        return found
    }

    /// What a code was mailed for, if it is good; a decoy never is.
    func mailed(_ code: String, for purpose: MailedCode.Purpose) async throws -> (MailedCode, CredentialsRecord)? {
        guard let row = try await store.read([MailedCode.query(code, now: clock.lasting)])[0].first else { return nil }
        let known = try MailedCode(row)
        guard known.purpose == purpose, let account = known.account,
            let stored = try await store.read([CredentialsRecord.query(account)])[0].first
        else { return nil }
        return (known, try CredentialsRecord(stored))
    }
}

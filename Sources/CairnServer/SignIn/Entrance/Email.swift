internal import CairnConfiguration
internal import CairnCore
internal import CairnCredentials
internal import CairnStore
internal import CairnWire

/// Changes the email; the new one counts once it is proved.
struct ChangeEmail: EntranceCommand {
    static let kind = MessageKind(field: 110, name: "change_email")
    static let sender = EntranceSender.user

    private let body: WireChangeEmail

    init(_ body: WireChangeEmail) { self.body = body }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        let email = try SignUpRules(of: applicant.frontEnd, signIn.accounts).email(body.email)
        try signIn.admit(.recovery, at: applicant)
        try signIn.admit(.recovery, of: user)
        var credentials = try await signIn.confirm(body.password, of: user, applicant)
        try await signIn.requireFree(email, except: user.account)
        var statements = signIn.verification(of: email, for: user.account, in: applicant.language)
        if credentials.email?.address.folded != email.folded {
            if credentials.email?.verified != nil {
                statements += signIn.warning(.newEmail, to: credentials, in: applicant.language)
            }
            credentials.pendingEmail = email
            statements.append(credentials.update)
        }
        guard try await signIn.isCommitted(statements) else { throw Refusal(.tryAgain, component: SignIn.component) }
        signIn.services.postman.poke()
        return .done
    }
}

/// Gives an account without a password an email and a password: an open one, one of an app's backend, or one that came
/// by a provider.
struct AddPassword: EntranceCommand {
    static let kind = MessageKind(field: 111, name: "add_password")
    static let sender = EntranceSender.user

    private let body: WireAddPassword

    init(_ body: WireAddPassword) { self.body = body }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        let rules = SignUpRules(of: applicant.frontEnd, signIn.accounts)
        let (email, password) = (try rules.email(body.email), try rules.password(body.password))
        try signIn.admit(.signUp, at: applicant)
        let released = try await signIn.release(email, except: user.account)
        let row = try await signIn.store.read([CredentialsRecord.query(user.account)])[0].first
        var credentials = try row.map { try CredentialsRecord($0) } ?? CredentialsRecord(account: user.account)
        guard credentials.password.isEmpty else {
            throw Refusal(.forbidden, "the account has a password", component: SignIn.component)
        }
        credentials.password = try await signIn.hash(password, for: applicant).text
        credentials.passwordChanged = signIn.clock.now
        // An address that was proved stays until the new one is, and learns of the password.
        let warning = signIn.warning(.newPassword, to: credentials, in: applicant.language)
        let isOther = credentials.email?.address.folded != email.folded
        if isOther, credentials.email?.verified != nil {
            credentials.pendingEmail = email
        } else if isOther {
            credentials.email = CredentialsRecord.Email(address: email, since: signIn.clock.now)
        }
        if row == nil { credentials.frontEnd = applicant.frontEnd.name }
        let change = row == nil ? credentials.insertion : credentials.update
        // An unproved one takes the address from no one.
        let taken = credentials.email?.address.folded == email.folded ? released : []
        let isProved = !isOther && credentials.email?.verified != nil
        let mails = isProved ? [] : signIn.verification(of: email, for: user.account, in: applicant.language)
        guard try await signIn.isCommitted(taken + [change] + mails + warning) else {
            throw Refusal(.tryAgain, component: SignIn.component)
        }
        signIn.services.postman.poke()
        return .done
    }
}

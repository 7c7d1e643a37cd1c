internal import CairnConfiguration
internal import CairnCore
internal import CairnCredentials
internal import CairnStore
internal import CairnWire

/// Changes the email; the new one counts once it is proved.
struct ChangeEmail: EntranceCommand {
    static let sender = EntranceSender.user

    private let body: WireChangeEmail

    init(_ body: WireChangeEmail) { self.body = body }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        let standing = try await signIn.standing(of: user)
        let email = try SignUpRules(of: applicant.frontEnd, signIn.accounts).email(body.email)
        var credentials = try await self.credentials(of: user, applicant, signIn)
        try signIn.admit(.recovery, at: applicant)
        try signIn.admit(.recovery, of: user)
        try await signIn.admitChange(of: user.account)
        try await signIn.requireFree(email, except: user.account)
        let isOther = credentials.email?.address.folded != email.folded
        // Many accounts fill no stranger's mailbox.
        let mail = try await signIn.admitProof(
            to: email, of: user.account, for: isOther ? .newEmail : .newAccount)
        var statements =
            mail == nil ? [] : signIn.verification(of: email, for: user.account, in: applicant.language)
        if isOther {
            statements += signIn.noting(
                .emailAsked, of: user.account, to: credentials.provedAddress, in: applicant.language)
            credentials.pendingEmail = email
            statements.append(credentials.update)
        }
        guard try await signIn.isCommitted(standing + statements, with: mail) else {
            throw Refusal(.tryAgain, component: SignIn.component)
        }
        signIn.services.postman.poke()
        return .answer(EntranceAnswer(result: .done(WireDone()), notified: isOther ? [user.account] : []))
    }

    /// What is stored of somebody who has proved, by the password or before, that it is them.
    private func credentials(
        of user: Applicant.User, _ applicant: Applicant, _ signIn: SignIn
    ) async throws -> CredentialsRecord {
        guard body.password.isEmpty else { return try await signIn.confirm(body.password, of: user, applicant) }
        guard let credentials = try await signIn.requireProof(user, applicant).credentials else {
            throw Refusal(.forbidden, "add_password comes first", component: SignIn.component)
        }
        return credentials
    }
}

/// Gives an account without a password an email and a password: an open one, one of an app's backend, or one that came
/// by a provider.
struct AddPassword: EntranceCommand {
    static let sender = EntranceSender.user

    private let body: WireAddPassword

    init(_ body: WireAddPassword) { self.body = body }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        let standing = try await signIn.standing(of: user)
        let rules = SignUpRules(of: applicant.frontEnd, signIn.accounts)
        let (email, password) = (try rules.email(body.email), try rules.password(body.password))
        let ways = try await signIn.requireProof(user, applicant)
        try signIn.admit(.signUp, at: applicant)
        try await signIn.admitChange(of: user.account)
        let released = try await signIn.release(email, except: user.account)
        var credentials = ways.credentials ?? CredentialsRecord(account: user.account)
        guard credentials.password.isEmpty else {
            throw Refusal(.forbidden, "the account has a password", component: SignIn.component)
        }
        credentials.password = try await signIn.hash(password, for: applicant).text
        credentials.passwordChanged = signIn.clock.now
        // An address that was proved stays until the new one is, and learns of the password.
        let notes = signIn.noting(
            .passwordAdded(before: credentials.email), of: user.account, to: credentials.provedAddress,
            in: applicant.language)
        let isOther = credentials.email?.address.folded != email.folded
        if isOther, credentials.email?.verified != nil {
            credentials.pendingEmail = email
        } else if isOther {
            credentials.email = CredentialsRecord.Email(address: email, since: signIn.clock.now)
        }
        if ways.credentials == nil { credentials.frontEnd = applicant.frontEnd.name }
        let change = ways.credentials == nil ? credentials.insertion : credentials.update
        let isHeld = credentials.email?.address.folded == email.folded
        // An unproved one takes the address from no one.
        let taken = isHeld ? released : []
        let isProved = !isOther && credentials.email?.verified != nil
        let mail =
            isProved
            ? nil
            : try await signIn.admitProof(to: email, of: user.account, for: isHeld ? .newAccount : .newEmail)
        let mails =
            mail == nil ? [] : signIn.verification(of: email, for: user.account, in: applicant.language)
        guard try await signIn.isCommitted(standing + taken + [change] + mails + notes, with: mail) else {
            throw Refusal(.tryAgain, component: SignIn.component)
        }
        signIn.services.postman.poke()
        return .answer(EntranceAnswer(result: .done(WireDone()), notified: [user.account]))
    }
}

internal import CairnCore
internal import CairnCredentials
internal import CairnNames
internal import CairnStore
internal import CairnTime
internal import CairnWebSocket
internal import CairnWire
internal import Foundation

/// Checking passwords (ACC-4). Whatever is wrong, the same is read, hashed and answered, in the same time.
extension SignIn {
    /// The account that a login may mean, and what is known of its origin. Without an account, or without a password,
    /// the same was read.
    struct Candidate: Sendable {
        var account: AccountRecord?
        var credentials: CredentialsRecord?
        /// From this device, or this address, it was signed in before.
        var knowsDevice = false
        var knowsAddress = false
        /// It was signed in from somewhere before.
        var knowsAny = false
        /// Latest used first.
        var tokens: [TokenRecord] = []
        var settings: [WireSetting] = []

        var isFamiliar: Bool { knowsDevice || knowsAddress }
    }

    /// No account has it: it is read and hashed for as if one had.
    static let nobody = AccountID(rawValue: 0)

    func candidate(_ login: Login, deviceKey: String, at address: PeerAddress?) async throws -> Candidate {
        let (name, now) = (Username(login.text), clock.lasting)
        let answers = try await store.read([
            CredentialsRecord.query(login.email ?? Self.noEmail),
            CredentialsRecord.query(namePrint: AccountRecord.print(ofName: name.text.lowercased())),
            CredentialsRecord.query(namePrint: AccountRecord.print(ofName: name.compared)),
            CredentialsRecord.query(former: name, now: now), ReservedName.query(name, now: now),
        ])
        // An email is no name: usernames have no '@'.
        let row = login.email == nil ? answers[1].first ?? answers[2].first : answers[0].first
        var credentials = try row.map { try CredentialsRecord($0) }
        // A name that was changed leads to its account for as long as it is reserved for it (ACC-13).
        if credentials == nil, login.email == nil, let former = try answers[3].first.map({ try CredentialsRecord($0) }),
            ReservedName.owner(in: answers[4]) == former.account
        {
            credentials = former
        }
        return try await candidate(
            credentials?.account ?? Self.nobody, credentials, deviceKey: deviceKey, at: address)
    }

    /// The address that is looked for where the login is no email. No account has it, because no mail reaches it.
    private static let noEmail = EmailAddress(unchecked: "")

    func candidate(
        _ account: AccountID, _ credentials: CredentialsRecord?, deviceKey: String, at address: PeerAddress?
    ) async throws -> Candidate {
        let unknown = PeerAddress(high: 0, low: 0)
        let answers = try await store.read([
            AccountRecord.query(account), FamiliarRecord.query(account, .device(key: deviceKey)),
            FamiliarRecord.query(account, .address(address ?? unknown)), FamiliarRecord.any(of: account),
            TokenRecord.query(of: account, countMax: Self.devicesMax), SettingsRecord.query(account),
        ])
        var damage: [DamagedRow] = []
        var candidate = Candidate(
            account: try answers[0].first.map { try AccountRecord($0) }, credentials: credentials,
            knowsDevice: !deviceKey.isEmpty && FamiliarRecord.isKnown(answers[1], &damage),
            knowsAddress: address != nil && FamiliarRecord.isKnown(answers[2], &damage),
            knowsAny: FamiliarRecord.isKnown(answers[3], &damage))
        // One that is being deleted is as good as none.
        if candidate.account?.isClosed == true { candidate.account = nil }
        candidate.tokens = tokens(in: answers[4], &damage)
        candidate.settings = settings(in: answers[5])
        store.report(damage)
        return candidate
    }

    func tokens(in rows: [Row], _ damage: inout [DamagedRow]) -> [TokenRecord] {
        rows.compactMap { row in
            do throws(DamagedRow) {
                return try TokenRecord(row)
            } catch {
                damage.append(error)
                return nil
            }
        }
    }

    // MARK: The check

    /// Checks password and code, and signs in. On disk when it returns.
    func enter(
        _ candidate: Candidate, password: String, code: String, attempt: Attempt, _ applicant: Applicant,
        _ body: WireSignIn
    ) async throws -> SignedIn {
        let right = try await check(
            password, of: candidate, for: candidate.asker(Login(body.login), at: applicant), isDecoy: attempt.isDecoy)
        guard var account = candidate.account, var credentials = candidate.credentials else {
            throw Refusal(.invalidCredentials, component: Self.component)
        }
        try check(code, of: &credentials)
        if let refusal = applicant.refusalByPace(account.id) { throw refusal }
        if right.needsRehash { credentials.password = try await hash(right.password, for: applicant).text }
        var candidate = candidate
        for _ in 0..<Self.attemptsMax {
            let begun = begin(
                candidate, account, credentials, for: applicant, deviceKey: body.deviceKey,
                deviceName: body.deviceName)
            // What has ended all sign-ins since the account was read, such as an undo, ends this one as well.
            if try await isCommitted(begun.statements + [account.check]) {
                services.postman.poke()
                return begun.signedIn
            }
            // Another device was faster, perhaps with the same code: all is looked at again.
            let newest = try await self.candidate(
                account.id, nil, deviceKey: body.deviceKey, at: applicant.address)
            guard let now = newest.account,
                let row = try await store.read([CredentialsRecord.query(account.id)])[0].first
            else { throw Refusal(.invalidCredentials, component: Self.component) }
            (account, credentials) = (now, try CredentialsRecord(row))
            candidate.tokens = newest.tokens
            guard credentials.password == candidate.credentials?.password else {
                throw Refusal(.invalidCredentials, component: Self.component)
            }
            try check(code, of: &credentials)
        }
        throw Self.overtaken
    }

    /// - Parameter isDecoy: the account's limit is used up, which must not show: nothing is right now.
    /// - Throws: `invalid_credentials` for anything that is wrong.
    private func check(
        _ password: String, of candidate: Candidate, for asker: PasswordDesk.Asker, isDecoy: Bool
    ) async throws -> (password: PreparedPassword, needsRehash: Bool) {
        // No account has what cannot be a password, and no name was looked up for that answer.
        guard let prepared = try? PreparedPassword(password) else {
            throw Refusal(.invalidCredentials, component: Self.component)
        }
        let hash = candidate.credentials.flatMap { PasswordHash(stored: $0.password) }
        let isKnown = !isDecoy && candidate.account != nil
        guard case .right(let needsRehash) = try await verdict(prepared, isKnown ? hash : nil, asker) else {
            throw Refusal(.invalidCredentials, component: Self.component)
        }
        return (prepared, needsRehash)
    }

    private func verdict(
        _ password: PreparedPassword, _ hash: PasswordHash?, _ asker: PasswordDesk.Asker
    ) async throws -> PasswordDesk.Verdict {
        do {
            return try await services.desk.verify(password, against: hash, for: asker)
        } catch {
            throw Self.busy
        }
    }

    /// Checks the password of somebody who is signed in, before what must not be done from an unattended device.
    /// - Returns: what is stored of them.
    /// - Parameter code: a one-time or recovery code that is wanted, too, where the account has such codes. It is part
    ///   of the same attempt: that the password is right does not make up for a guess.
    func confirm(
        _ password: String, code: String? = nil, of user: Applicant.User, _ applicant: Applicant
    ) async throws -> CredentialsRecord {
        guard let row = try await store.read([CredentialsRecord.query(user.account)])[0].first else {
            throw Refusal(.invalidCredentials, component: Self.component)
        }
        var credentials = try CredentialsRecord(row)
        let attempt = try await admit(user, applicant)
        do {
            guard let prepared = try? PreparedPassword(password),
                case .right = try await verdict(prepared, PasswordHash(stored: credentials.password), applicant.asker)
            else { throw Refusal(.invalidCredentials, component: Self.component) }
            if let code { try check(code, of: &credentials) }
            // The password alone does not make up for wrong codes.
            if code == nil, credentials.oneTime?.isOn == true { abandoned(attempt) } else { succeeded(attempt) }
            return credentials
        } catch let refusal as Refusal where [.invalidCredentials, .mfaInvalid].contains(refusal.code) {
            failed(attempt)
            throw refusal
        } catch {
            abandoned(attempt)
            throw error
        }
    }
}

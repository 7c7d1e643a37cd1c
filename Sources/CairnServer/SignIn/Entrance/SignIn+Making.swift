internal import CairnConfiguration
internal import CairnCore
internal import CairnCredentials
internal import CairnNames
internal import CairnStore
internal import CairnWire
internal import Foundation

/// New accounts of people who prove who they are: by a password or a provider (ACC-1, ACC-2, ACC-7).
extension SignIn {
    /// Where the name of a new account comes from.
    enum NewName: Sendable {
        /// The person has written it.
        case chosen(String)
        /// A name that says nothing of the person: their username is their email, which others never get (CMP-5).
        case neutral
        /// Made from the person's name at a provider.
        case like(String)
    }

    func requireConsent(_ version: String) throws(Refusal) {
        guard version == accounts.policyVersion else {
            throw Refusal(
                .consentRequired, component: Self.component,
                details: ["field": "consent", "version": accounts.policyVersion])
        }
    }

    /// The password's hash. People who are signed in have their account's turn at the desk, others their address's.
    func hash(_ password: PreparedPassword, for applicant: Applicant) async throws -> PasswordHash {
        do {
            return try await services.desk.hash(password, for: applicant.asker)
        } catch {
            throw Self.busy
        }
    }

    /// Refuses an email that another account has.
    func requireFree(_ email: EmailAddress, isPersonal: Bool = false, except account: AccountID? = nil) async throws {
        _ = try await release(email, isPersonal: isPersonal, except: account)
    }

    /// What takes an email from an account that never proved it (ACC-1).
    /// - Parameter isProved: whoever takes it has proved that it is theirs: an unproved holder gives way at once.
    /// - Throws: `email_taken`, or `account_exists` where the email is the username.
    func release(
        _ email: EmailAddress, isPersonal: Bool = false, except account: AccountID? = nil, isProved: Bool = false
    ) async throws -> [Statement] {
        guard let row = try await store.read([CredentialsRecord.query(email)])[0].first else { return [] }
        var holder = try CredentialsRecord(row)
        guard let held = holder.email, holder.account != account else { return [] }
        let isOld = held.since < clock.now - .seconds(accounts.verifyHours * 3_600)
        guard held.verified == nil, isOld || isProved else {
            throw Refusal(
                isPersonal ? .accountExists : .emailTaken, component: Self.component, details: ["field": "email"])
        }
        holder.email = nil
        return [holder.update]
    }

    /// Makes an account and signs in to it. On disk when it returns.
    /// - Parameters:
    ///   - identity: the provider's account that signs in to it; nil = none.
    ///   - fill: sets what is known of the person; may run several times.
    func make(
        _ applicant: Applicant, deviceName: String, username: NewName,
        identity: (provider: String, subject: String)? = nil,
        _ fill: (inout CredentialsRecord, inout ProfileRecord, WallTime) -> Void
    ) async throws -> SignedIn {
        for attempt in 0..<Self.attemptsMax {
            let now = clock.now
            let id = identifiers.next(AccountTag.self, at: now)
            var credentials = CredentialsRecord(account: id)
            credentials.frontEnd = applicant.frontEnd.name
            var profile = ProfileRecord(account: id)
            fill(&credentials, &profile, now)
            let address = credentials.email?.address
            let released = try await address.asyncMap { try await release($0) } ?? []
            guard let name = try await newName(username, attempt) else { continue }
            let account = AccountRecord(id: id, name: name.text, foldedName: name.compared, now: now)
            let begun = begin(account, for: applicant, deviceKey: "", deviceName: deviceName, replacing: [])
            var statements = released + [account.insertion]
            statements += SkeletonRecord.insertions(of: name.skeletons, account: id) + [credentials.insertion]
            if profile != ProfileRecord(account: id) { statements.append(profile.saving) }
            if let identity {
                statements.append(
                    ProviderIdentityRecord.insertion(identity.provider, identity.subject, of: id))
            }
            // Where the mailbox has had its mails, the person asks for one by `change_email`: others lock no sign-up.
            let unproved = credentials.email.flatMap { $0.verified == nil ? $0.address : nil }
            let mail = unproved.flatMap { countProof(to: $0, for: .newAccount) }
            if let unproved, mail != nil {
                statements += verification(of: unproved, for: id, in: applicant.language)
            }
            guard try await isCommitted(statements + begun.statements, with: mail) else { continue }
            services.postman.poke()
            var signedIn = begun.signedIn
            (signedIn.isNew, signedIn.mayBeNotified) = (true, false)
            signedIn.ageAdvisory = isYoung(profile.person)
            return signedIn
        }
        throw Self.overtaken
    }

    /// ACC-11.
    private func isYoung(_ person: ProfileRecord.Person) -> Bool {
        guard let date = BirthDate(stored: person.birthDate, now: clock.now) else { return false }
        return date.age(at: clock.now) < accounts.advisoryAge
    }

    // MARK: Names

    /// A name that nobody has. Nil: this one is taken, and the next attempt makes another.
    private func newName(_ wish: NewName, _ attempt: Int) async throws -> Username? {
        let text: String
        switch wish {
        case .chosen(let chosen):
            if let fault = fault(in: chosen) { throw fault }
            text = chosen
        case .neutral: text = "user-" + Self.digits(8)
        case .like(let words):
            let plain = Self.plain(words, charactersMax: accounts.nameCharactersMax - 6)
            let isWhole = attempt == 0 && fault(in: plain) == nil
            let stem = !plain.isEmpty && fault(in: plain + "-00000") == nil ? plain : "user"
            text = isWhole ? plain : stem + "-" + Self.digits(5)
        }
        let name = Username(text)
        if case .none = try await holder(of: name) { return name }
        guard case .chosen = wish else { return nil }
        throw Self.nameTaken
    }

    static func digits(_ count: Int) -> String {
        String((0..<count).map { _ in Character(String(Int.random(in: 0...9))) })
    }

    /// `ada.lovelace` of "Ada Lovelace".
    static func plain(_ words: String, charactersMax: Int) -> String {
        let parts = words.lowercased().split { !$0.isLetter && !$0.isNumber }
        return String(parts.joined(separator: ".").prefix(max(0, charactersMax)))
    }
}

extension Optional where Wrapped: Sendable {
    /// `map` with a transformation that waits.
    fileprivate func asyncMap<Value: Sendable>(
        _ transform: (Wrapped) async throws -> Value
    ) async rethrows -> Value? {
        guard let self else { return nil }
        return try await transform(self)
    }
}

internal import CairnConfiguration
internal import CairnCore
internal import CairnCredentials
internal import CairnNames
internal import CairnStore
internal import CairnText
internal import CairnWire

/// Makes an account and signs in to it (ACC-1, ACC-2, ACC-11).
struct SignUp: EntranceCommand {
    static let sender = EntranceSender.guest
    static let signsIn = true

    private let body: WireSignUp

    init(_ body: WireSignUp) throws(Refusal) {
        self.body = body
        try SignIn.checkDeviceName(body.deviceName)
    }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let rules = SignUpRules(of: applicant.frontEnd, signIn.accounts)
        try check(for: rules, signIn)
        let email = try rules.email(body.email)
        let person = try rules.person(body, now: signIn.clock.now)
        let password = try rules.password(body.password)
        if !rules.isPersonal, let fault = signIn.fault(in: body.username.withoutBlanksAround) { throw fault }
        try signIn.admit(.signUp, at: applicant)
        // Before the hash: a refusal costs the same whether it comes by the name or by the email.
        try await signIn.requireFree(email, isPersonal: rules.isPersonal)
        let hash = try await signIn.hash(password, for: applicant)
        return .signedIn(
            try await signIn.make(applicant, deviceName: body.deviceName, username: username(rules)) {
                record, profile, now in
                record.email = CredentialsRecord.Email(address: email, since: now)
                record.password = hash.text
                record.passwordChanged = now
                profile.person = person
                record.consent = CredentialsRecord.Consent(version: body.consent, at: now)
            })
    }

    private func username(_ rules: SignUpRules) -> SignIn.NewName {
        rules.isPersonal ? .neutral : .chosen(body.username.withoutBlanksAround)
    }

    /// What must be there (ACC-1), then the consent (CMP-1).
    private func check(for rules: SignUpRules, _ signIn: SignIn) throws(Refusal) {
        guard signIn.accounts.signUp else {
            throw Refusal(.forbidden, "this server makes no accounts", component: SignIn.component)
        }
        var fields = [("email", body.email), ("password", body.password)]
        if rules.isPersonal {
            fields += [
                ("firstName", body.firstName), ("lastName", body.lastName), ("birthDate", body.birthDate),
            ]
        } else {
            fields.append(("username", body.username))
        }
        let missing = fields.filter { $0.1.isBlank }.map(\.0)
        guard missing.isEmpty else {
            throw Refusal(
                .missingField, Refusal.Text(english: missing.joined(separator: ", ")), component: SignIn.component,
                details: ["fields": missing.joined(separator: ","), "field": missing[0]])
        }
        try signIn.requireConsent(body.consent)
    }
}

/// The fields that a front end requires of a sign-up (ACC-1 to ACC-3).
struct SignUpRules: Sendable {
    /// Whether names and birth date are asked for, and the email is the username.
    let isPersonal: Bool
    private let domains: [String]
    private let passwordRule: PasswordRule
    private let advisoryAge: Int

    static let nameCharactersMax = 64

    init(of frontEnd: FrontEnd, _ accounts: Configuration.Accounts) {
        isPersonal = accounts.personalFrontEnds.contains(frontEnd.name)
        domains = accounts.emailDomains.compactMap { item in
            let parts = item.pieces(at: " ")
            return parts.first.map(String.init) == frontEnd.name ? parts.last?.lowercased() : nil
        }
        // The rule of the requirements, or the operators' own.
        let isStrict = accounts.passwordStrictFrontEnds.contains(frontEnd.name)
        let settings = isStrict ? Configuration.Accounts() : accounts
        passwordRule = PasswordRule(
            charactersMin: settings.passwordCharactersMin,
            kinds: PasswordRule.Kinds(named: settings.passwordKinds))
        advisoryAge = accounts.advisoryAge
    }

    func email(_ text: String) throws(Refusal) -> EmailAddress {
        guard let email = EmailAddress(text.withoutBlanksAround) else {
            throw Refusal(.invalidEmail, component: SignIn.component, details: ["field": "email"])
        }
        guard domains.isEmpty || domains.contains(email.domain) else {
            throw Refusal(
                .emailDomainNotAllowed, component: SignIn.component,
                details: ["field": "email", "domains": domains.joined(separator: ",")])
        }
        return email
    }

    func password(_ text: String) throws(Refusal) -> PreparedPassword {
        let password: PreparedPassword
        do {
            password = try PreparedPassword(text)
        } catch {
            throw Refusal(
                .invalidField, "password: \(error)", component: SignIn.component, details: ["field": "password"])
        }
        let missing = passwordRule.missing(in: password)
        guard missing.isEmpty else {
            throw Refusal(
                .weakPassword, component: SignIn.component,
                details: [
                    "field": "password", "missing": missing.joined(separator: ","),
                    "charactersMin": "\(passwordRule.charactersMin)",
                ])
        }
        return password
    }

    func person(_ body: WireSignUp, now: WallTime) throws(Refusal) -> ProfileRecord.Person {
        guard isPersonal else { return ProfileRecord.Person() }
        guard let date = BirthDate(body.birthDate, now: now) else {
            throw Refusal(.invalidDate, component: SignIn.component, details: ["field": "birthDate"])
        }
        return ProfileRecord.Person(
            firstName: try Self.name(body.firstName, "firstName"), lastName: try Self.name(body.lastName, "lastName"),
            birthDate: date.text)
    }

    static func name(_ text: String, _ field: String) throws(Refusal) -> String {
        let text = text.withoutBlanksAround
        guard isName(text) else {
            throw Refusal(
                .invalidField, "\(field): 1 to \(nameCharactersMax) characters in one line",
                component: SignIn.component, details: ["field": field])
        }
        return text
    }

    static func isName(_ text: String) -> Bool {
        !text.isBlank && text.isOneLine && text.hasAtMost(characters: nameCharactersMax)
    }
}

extension PasswordRule.Kinds {
    /// As the settings name them.
    fileprivate init(named names: [String]) {
        let known: [String: Self] = ["upper": .upper, "lower": .lower, "digit": .digit, "symbol": .symbol]
        self.init(names.compactMap { known[$0] })
    }
}

internal import CairnCore
internal import CairnCredentials
internal import CairnStore
internal import CairnText
internal import CairnWire

/// Signs in with a password, and with a one-time code where the account asks for one (ACC-4, ACC-8).
struct SignInByPassword: EntranceCommand {
    static let sender = EntranceSender.guest
    static let signsIn = true

    private let body: WireSignIn

    init(_ body: WireSignIn) throws(Refusal) {
        self.body = body
        let missing = [("login", body.login), ("password", body.password)].filter { $0.1.isEmpty }.map(\.0)
        guard missing.isEmpty else {
            throw Refusal(
                .missingField, Refusal.Text(english: missing.joined(separator: ", ")), component: SignIn.component,
                details: ["fields": missing.joined(separator: ","), "field": missing[0]])
        }
        try SignIn.checkDeviceName(body.deviceName)
    }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let login = Login(body.login)
        let candidate = try await signIn.candidate(login, deviceKey: body.deviceKey, at: applicant.address)
        let attempt = try signIn.admit(login, candidate, at: applicant)
        do {
            let signedIn = try await signIn.enter(
                candidate, password: body.password, code: body.code, attempt: attempt, applicant, body)
            signIn.succeeded(attempt)
            return .signedIn(signedIn)
        } catch let refusal as Refusal where [.invalidCredentials, .mfaInvalid].contains(refusal.code) {
            signIn.failed(attempt)
            throw refusal
        } catch {
            signIn.abandoned(attempt)
            throw error
        }
    }
}

/// The login that a sign-in names: a username or an email.
struct Login: Sendable {
    let email: EmailAddress?
    /// As written, without blanks around it.
    let text: String

    private static let bytesMax = 512

    init(_ text: String) {
        let start = String(decoding: text.utf8.prefix(Self.bytesMax), as: UTF8.self)
        self.text = start.withoutBlanksAround
        email = EmailAddress(self.text)
    }
}

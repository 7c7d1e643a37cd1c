internal import CairnConfiguration
internal import CairnCore
internal import CairnCredentials
internal import CairnStore
internal import CairnWire

/// Begins to ask for one-time codes at sign-in (ACC-8).
struct BeginCodes: EntranceCommand {
    static let sender = EntranceSender.user

    private let body: WireBeginCodes

    init(_ body: WireBeginCodes) { self.body = body }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        let standing = try await signIn.standing(of: user)
        var credentials = try await signIn.confirm(body.password, of: user, applicant)
        guard credentials.oneTime?.isOn != true else {
            throw Refusal(.forbidden, "one-time codes are on", component: SignIn.component)
        }
        let secret = OneTimeSecret()
        credentials.oneTime = CredentialsRecord.OneTime(
            secret: secret.bytes, lastStep: -1, isOn: false, recoveryHashes: [])
        guard try await signIn.isCommitted(standing + [credentials.update]) else {
            throw Refusal(.tryAgain, component: SignIn.component)
        }
        var begun = WireCodesBegun()
        begun.secret = secret.base32
        begun.uri = secret.link(issuer: signIn.accounts.serviceName, name: user.name)
        begun.svg = QRPicture(of: begun.uri)?.svg(title: signIn.accounts.serviceName) ?? ""
        return .answered(.codesBegun(begun))
    }
}

/// Turns one-time codes on, by the first of them.
struct ConfirmCodes: EntranceCommand {
    static let sender = EntranceSender.user

    private let body: WireConfirmCodes

    init(_ body: WireConfirmCodes) { self.body = body }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        let standing = try await signIn.standing(of: user)
        var credentials = try await signIn.confirm(body.password, of: user, applicant)
        guard var oneTime = credentials.oneTime, !oneTime.isOn, let secret = OneTimeSecret(bytes: oneTime.secret) else {
            throw Refusal(.forbidden, "begin_codes comes first", component: SignIn.component)
        }
        guard let step = secret.accepts(body.code, at: signIn.unixSeconds, after: oneTime.lastStep) else {
            throw Refusal(.mfaInvalid, component: SignIn.component)
        }
        let codes = RecoveryCodes.make(count: signIn.accounts.recoveryCodes)
        oneTime.lastStep = step
        oneTime.isOn = true
        oneTime.recoveryHashes = codes.compactMap { RecoveryCodes.digest(of: $0, account: user.account.bytes) }
        credentials.oneTime = oneTime
        try await signIn.keep(credentials, .codesOn, standing, for: applicant)
        var answer = WireRecoveryCodes()
        answer.codes = codes
        return .answer(EntranceAnswer(result: .recoveryCodes(answer), notified: [user.account]))
    }
}

/// Turns one-time codes off.
struct EndCodes: EntranceCommand {
    static let sender = EntranceSender.user

    private let body: WireEndCodes

    init(_ body: WireEndCodes) { self.body = body }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        let standing = try await signIn.standing(of: user)
        var credentials = try await signIn.confirm(body.password, code: body.code, of: user, applicant)
        let before = credentials.oneTime
        credentials.oneTime = nil
        try await signIn.keep(credentials, .codesOff(before?.isOn == true ? before : nil), standing, for: applicant)
        return .answer(EntranceAnswer(result: .done(WireDone()), notified: [user.account]))
    }
}

extension SignIn {
    /// Keeps a change of one-time codes, with what goes with it.
    /// - Parameter standing: of the sign-in that asks.
    fileprivate func keep(
        _ credentials: CredentialsRecord, _ change: AccessChange, _ standing: [Statement], for applicant: Applicant
    ) async throws {
        try await admitChange(of: credentials.account)
        let notes = noting(
            change, of: credentials.account, to: credentials.provedAddress, in: applicant.language)
        guard try await isCommitted(standing + [credentials.update] + notes) else {
            throw Refusal(.tryAgain, component: Self.component)
        }
        services.postman.poke()
    }

    var unixSeconds: Int64 { clock.now.milliseconds / 1_000 }

    /// Uses a one-time or recovery code up where the account asks for one.
    /// - Throws: `mfa_required`, `mfa_invalid`.
    func check(_ code: String, of credentials: inout CredentialsRecord) throws(Refusal) {
        guard var oneTime = credentials.oneTime, oneTime.isOn else { return }
        guard !code.isEmpty else { throw Refusal(.mfaRequired, component: Self.component) }
        let secret = OneTimeSecret(bytes: oneTime.secret)
        if let step = secret?.accepts(code, at: unixSeconds, after: oneTime.lastStep) {
            oneTime.lastStep = step
        } else if let place = RecoveryCodes.place(
            of: code, in: oneTime.recoveryHashes, account: credentials.account.bytes)
        {
            oneTime.recoveryHashes.remove(at: place)
        } else {
            throw Refusal(.mfaInvalid, component: Self.component)
        }
        credentials.oneTime = oneTime
    }
}

extension AccountID {
    /// Eight bytes, most significant first.
    fileprivate var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: rawValue >> (56 - 8 * $0)) } }
}

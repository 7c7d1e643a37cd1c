internal import CairnConfiguration
internal import CairnCore
internal import CairnCredentials
internal import CairnStore
internal import CairnWebSocket
internal import CairnWire

/// Gives an address from which everything that is held on the person can be downloaded (CMP-2).
struct ExportAccount: EntranceCommand {
    static let sender = EntranceSender.user

    private let body: WireExportAccount

    init(_ body: WireExportAccount) { self.body = body }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        try await signIn.prove(
            user, applicant, password: body.password,
            ProviderProof(body.provider, accessToken: body.accessToken, idToken: body.idToken))
        if let wait = signIn.services.exports.admit(LimitKey(user.account.rawValue), now: .now) {
            throw Refusal(.rateLimited, component: SignIn.component, retryAfter: wait)
        }
        let seconds = Duration.seconds(signIn.assets.addressSeconds)
        let address = AssetAddress(
            asset: AssetID(rawValue: 0), place: .export, account: user.account, token: user.isOfApp ? nil : user.token,
            expires: signIn.clock.lasting + seconds)
        var answer = WireAssetAddress()
        answer.path = "\(AssetAddress.prefix)\(try address.text(sealedBy: try signIn.addressKey))"
        answer.expires = (signIn.clock.now + seconds).milliseconds
        answer.contentType = AccountExport.contentType
        return .answered(.assetAddress(answer))
    }
}

extension SignIn {
    /// Has the person prove once more that it is them, by the strongest that the account has. One without password and
    /// provider, of open sign-in or of an app's backend, has shown at its sign-in all that there is.
    func prove(
        _ user: Applicant.User, _ applicant: Applicant, password: String, _ proof: ProviderProof
    ) async throws {
        let answers = try await store.read([
            CredentialsRecord.query(user.account), ProviderIdentityRecord.query(of: user.account),
        ])
        let hasPassword = try answers[0].first.map { try CredentialsRecord($0) }?.password.isEmpty == false
        if hasPassword {
            _ = try await confirm(password, of: user, applicant)
        } else if !answers[1].isEmpty {
            try await confirm(proof, of: user, applicant)
        }
    }
}

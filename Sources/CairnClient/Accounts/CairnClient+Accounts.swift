public import CairnWire

/// Accounts: signing up and in, passwords, devices, one-time codes, providers, profiles (ACC-1 to
/// ACC-10, PRF-1 to PRF-4).
///
/// After a success that signs in, the client is the person's: its token comes back with every later connection.
/// `profile.deviceKey` is to be kept with the token, and also after a sign-out. None of these calls has an idempotency
/// key: if the connection breaks before the answer, it is sent again, and a sign-up that had succeeded is then refused
/// with `email_taken`; sign in instead.
extension CairnClient {
    /// Makes an account and signs in to it.
    @discardableResult
    public func signUp(_ body: WireSignUp) async throws(Refusal) -> WireWelcome {
        try await ask(body)
    }

    /// Signs in with a password; `code` where the account asks for one (`mfa_required`).
    @discardableResult
    public func signIn(
        login: String, password: String, code: String = "", deviceName: String = ""
    ) async throws(Refusal) -> WireWelcome {
        var body = WireSignIn()
        body.login = login
        body.password = password
        body.code = code
        body.deviceKey = core.profile.deviceKey
        body.deviceName = deviceName
        return try await ask(body)
    }

    /// Signs in with a provider's account.
    @discardableResult
    public func signIn(with body: WireSignInWithProvider) async throws(Refusal) -> WireWelcome {
        var body = body
        if body.deviceKey.isEmpty { body.deviceKey = core.profile.deviceKey }
        return try await ask(body)
    }

    /// The nonce that the provider has to put into the next ID token for this connection.
    public func nonce() async throws(Refusal) -> String {
        return try await ask(WireGetNonce()).nonce
    }

    /// Lets a provider's account sign in to this account.
    public func link(_ body: WireLinkProvider) async throws(Refusal) { _ = try await ask(body) }

    /// Ends that.
    public func unlink(provider: String) async throws(Refusal) {
        var body = WireUnlinkProvider()
        body.provider = provider
        _ = try await ask(body)
    }

    // MARK: Proofs

    /// Proves once more that it is the person who asks: by the password, a one-time code or a provider's token. Changes
    /// of how one gets in want it (`proof_required`). With nothing in it, asks whether a proof holds.
    public func prove(_ body: WireProve = WireProve()) async throws(Refusal) { _ = try await ask(body) }

    /// Undoes a change of how one gets in, by the code of the mail that told of it; all devices are signed out.
    public func undoChange(code: String) async throws(Refusal) {
        var body = WireUndoChange()
        body.code = code
        _ = try await ask(body)
    }

    // MARK: Passwords and emails

    /// Asks for a mail with a link that sets a new password.
    public func recover(email: String) async throws(Refusal) {
        var body = WireRecover()
        body.email = email
        _ = try await ask(body)
    }

    /// Sets a new password by the code of such a link.
    public func resetPassword(code: String, password: String) async throws(Refusal) {
        var body = WireResetPassword()
        body.code = code
        body.password = password
        _ = try await ask(body)
    }

    /// Proves an email by the code of a link.
    public func verifyEmail(code: String) async throws(Refusal) {
        var body = WireVerifyEmail()
        body.code = code
        _ = try await ask(body)
    }

    /// Changes the password; all other devices are signed out.
    public func changePassword(from current: String, to password: String) async throws(Refusal) {
        var body = WireChangePassword()
        body.current = current
        body.password = password
        _ = try await ask(body)
    }

    /// Changes the email, which counts once it is proved.
    public func changeEmail(to email: String, password: String) async throws(Refusal) {
        var body = WireChangeEmail()
        body.email = email
        body.password = password
        _ = try await ask(body)
    }

    /// Gives an account without a password an email and a password.
    public func addPassword(email: String, password: String) async throws(Refusal) {
        var body = WireAddPassword()
        body.email = email
        body.password = password
        _ = try await ask(body)
    }

    // MARK: Devices

    /// Where the person is signed in, latest used first.
    public func devices() async throws(Refusal) -> [WireDevice] {
        return try await ask(WireListDevices()).devices
    }

    /// Signs a device out.
    public func endDevice(_ id: String) async throws(Refusal) {
        var body = WireEndDevice()
        body.id = id
        _ = try await ask(body)
    }

    /// Signs all other devices out.
    public func endOtherDevices() async throws(Refusal) {
        var body = WireEndDevice()
        body.others = true
        // Answered with a new token.
        _ = try await answer { (core, now) throws(Refusal) in try core.ask(body, now: now) }
    }

    // MARK: One-time codes

    /// Makes the secret of one-time codes; they are asked for after `confirmCodes`.
    public func beginCodes(password: String) async throws(Refusal) -> WireCodesBegun {
        var body = WireBeginCodes()
        body.password = password
        return try await ask(body)
    }

    /// Turns one-time codes on.
    /// - Returns: the recovery codes, which are not shown again.
    public func confirmCodes(password: String, code: String) async throws(Refusal) -> [String] {
        var body = WireConfirmCodes()
        body.password = password
        body.code = code
        return try await ask(body).codes
    }

    /// Turns one-time codes off.
    public func endCodes(password: String, code: String) async throws(Refusal) {
        var body = WireEndCodes()
        body.password = password
        body.code = code
        _ = try await ask(body)
    }

    // MARK: Profiles

    /// One's own profile.
    public func profile() async throws(Refusal) -> WireOwnProfile {
        try await ask(WireGetProfile())
    }

    /// Changes the fields that are set, all or none. Another name for an account with a password wants a proof
    /// (`prove`).
    @discardableResult
    public func edit(_ profile: WireEditProfile) async throws(Refusal) -> WireOwnProfile {
        try await ask(profile)
    }

    /// Another person's profile, as its owner shows it.
    /// - Parameter account: the id, as presence and instances have it.
    public func profile(of account: String) async throws(Refusal) -> WireProfile {
        var body = WireReadProfile()
        body.account = account
        return try await ask(body)
    }

    // MARK: Privacy

    /// The privacy policy; also for guests (CMP-1).
    /// - Parameter language: BCP 47; empty = the connection's.
    public func policy(in language: String = "") async throws(Refusal) -> WirePolicy {
        var body = WireGetPolicy()
        body.language = language
        return try await ask(body)
    }

    /// Agrees to the present version of the policy.
    public func agree(toPolicy version: String) async throws(Refusal) {
        var body = WireAgreePolicy()
        body.version = version
        _ = try await ask(body)
    }

    /// The address of a file with everything that is held on the person (CMP-2).
    /// - Parameter proof: password, or a provider's token, whichever the account has.
    public func exportAccount(_ proof: WireExportAccount) async throws(Refusal) -> WireAssetAddress {
        return try await ask(proof)
    }

    /// Deletes the account with everything that is held on the person (CMP-3). There is no way back. The client is a
    /// guest's afterwards.
    /// - Parameter proof: password, or a provider's token, whichever the account has.
    public func deleteAccount(_ proof: WireDeleteAccount) async throws(Refusal) {
        _ = try await ask(proof)
        core.forgetSignIn()
        core.profile.deviceKey = ""
    }

    // MARK: Settings

    /// Saves settings, all or none; of several edits of one key the latest wins. Of edits that all say when they were
    /// made each is saved by itself, and the answer names those that were (SYN-3).
    /// - Returns: what applies now for their keys.
    @discardableResult
    public func save(_ settings: [WireSetting]) async throws(Refusal) -> [WireSetting] {
        var body = WireSaveSettings()
        body.settings = settings
        return try await ask(body).settings
    }

    /// All settings that were ever saved.
    public func settings() async throws(Refusal) -> [WireSetting] {
        return try await ask(WireGetSettings()).settings
    }
}

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
        try await enter(.signUp(body))
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
        return try await enter(.signIn(body))
    }

    /// Signs in with a provider's account.
    @discardableResult
    public func signIn(with body: WireSignInWithProvider) async throws(Refusal) -> WireWelcome {
        var body = body
        if body.deviceKey.isEmpty { body.deviceKey = core.profile.deviceKey }
        return try await enter(.signInWithProvider(body))
    }

    private func enter(_ body: WireClientMessage.OneOf_Body) async throws(Refusal) -> WireWelcome {
        guard case .welcome(let welcome) = try await account(body) else { throw Self.otherAnswer }
        return welcome
    }

    /// The nonce that the provider has to put into the next ID token for this connection.
    public func nonce() async throws(Refusal) -> String {
        guard case .nonce(let nonce) = try await account(.getNonce(WireGetNonce())) else { throw Self.otherAnswer }
        return nonce.nonce
    }

    /// Lets a provider's account sign in to this account.
    public func link(_ body: WireLinkProvider) async throws(Refusal) { _ = try await account(.linkProvider(body)) }

    /// Ends that.
    public func unlink(provider: String) async throws(Refusal) {
        var body = WireUnlinkProvider()
        body.provider = provider
        _ = try await account(.unlinkProvider(body))
    }

    // MARK: Proofs

    /// Proves once more that it is the person who asks: by the password, a one-time code or a provider's token. Changes
    /// of how one gets in want it (`proof_required`). With nothing in it, asks whether a proof holds.
    public func prove(_ body: WireProve = WireProve()) async throws(Refusal) { _ = try await account(.prove(body)) }

    /// Undoes a change of how one gets in, by the code of the mail that told of it; all devices are signed out.
    public func undoChange(code: String) async throws(Refusal) {
        var body = WireUndoChange()
        body.code = code
        _ = try await account(.undoChange(body))
    }

    // MARK: Passwords and emails

    /// Asks for a mail with a link that sets a new password.
    public func recover(email: String) async throws(Refusal) {
        var body = WireRecover()
        body.email = email
        _ = try await account(.recover(body))
    }

    /// Sets a new password by the code of such a link.
    public func resetPassword(code: String, password: String) async throws(Refusal) {
        var body = WireResetPassword()
        body.code = code
        body.password = password
        _ = try await account(.resetPassword(body))
    }

    /// Proves an email by the code of a link.
    public func verifyEmail(code: String) async throws(Refusal) {
        var body = WireVerifyEmail()
        body.code = code
        _ = try await account(.verifyEmail(body))
    }

    /// Changes the password; all other devices are signed out.
    public func changePassword(from current: String, to password: String) async throws(Refusal) {
        var body = WireChangePassword()
        body.current = current
        body.password = password
        _ = try await account(.changePassword(body))
    }

    /// Changes the email, which counts once it is proved.
    public func changeEmail(to email: String, password: String) async throws(Refusal) {
        var body = WireChangeEmail()
        body.email = email
        body.password = password
        _ = try await account(.changeEmail(body))
    }

    /// Gives an account without a password an email and a password.
    public func addPassword(email: String, password: String) async throws(Refusal) {
        var body = WireAddPassword()
        body.email = email
        body.password = password
        _ = try await account(.addPassword(body))
    }

    // MARK: Devices

    /// Where the person is signed in, latest used first.
    public func devices() async throws(Refusal) -> [WireDevice] {
        guard case .deviceList(let list) = try await account(.listDevices(WireListDevices())) else {
            throw Self.otherAnswer
        }
        return list.devices
    }

    /// Signs a device out.
    public func endDevice(_ id: String) async throws(Refusal) {
        var body = WireEndDevice()
        body.id = id
        _ = try await account(.endDevice(body))
    }

    /// Signs all other devices out.
    public func endOtherDevices() async throws(Refusal) {
        var body = WireEndDevice()
        body.others = true
        _ = try await account(.endDevice(body))
    }

    // MARK: One-time codes

    /// Makes the secret of one-time codes; they are asked for after `confirmCodes`.
    public func beginCodes(password: String) async throws(Refusal) -> WireCodesBegun {
        var body = WireBeginCodes()
        body.password = password
        guard case .codesBegun(let begun) = try await account(.beginCodes(body)) else { throw Self.otherAnswer }
        return begun
    }

    /// Turns one-time codes on.
    /// - Returns: the recovery codes, which are not shown again.
    public func confirmCodes(password: String, code: String) async throws(Refusal) -> [String] {
        var body = WireConfirmCodes()
        body.password = password
        body.code = code
        guard case .recoveryCodes(let codes) = try await account(.confirmCodes(body)) else { throw Self.otherAnswer }
        return codes.codes
    }

    /// Turns one-time codes off.
    public func endCodes(password: String, code: String) async throws(Refusal) {
        var body = WireEndCodes()
        body.password = password
        body.code = code
        _ = try await account(.endCodes(body))
    }

    // MARK: Profiles

    /// One's own profile.
    public func profile() async throws(Refusal) -> WireOwnProfile {
        try await ownProfile(.getProfile(WireGetProfile()))
    }

    /// Changes the fields that are set, all or none. Another name for an account with a password wants a proof
    /// (`prove`).
    @discardableResult
    public func edit(_ profile: WireEditProfile) async throws(Refusal) -> WireOwnProfile {
        try await ownProfile(.editProfile(profile))
    }

    private func ownProfile(_ body: WireClientMessage.OneOf_Body) async throws(Refusal) -> WireOwnProfile {
        guard case .ownProfile(let profile) = try await account(body) else { throw Self.otherAnswer }
        return profile
    }

    /// Another person's profile, as its owner shows it.
    /// - Parameter account: the id, as presence and instances have it.
    public func profile(of account: String) async throws(Refusal) -> WireProfile {
        var body = WireReadProfile()
        body.account = account
        guard case .profile(let profile) = try await self.account(.readProfile(body)) else { throw Self.otherAnswer }
        return profile
    }

    // MARK: Privacy

    /// The privacy policy; also for guests (CMP-1).
    /// - Parameter language: BCP 47; empty = the connection's.
    public func policy(in language: String = "") async throws(Refusal) -> WirePolicy {
        var body = WireGetPolicy()
        body.language = language
        guard case .policy(let policy) = try await account(.getPolicy(body)) else { throw Self.otherAnswer }
        return policy
    }

    /// Agrees to the present version of the policy.
    public func agree(toPolicy version: String) async throws(Refusal) {
        var body = WireAgreePolicy()
        body.version = version
        _ = try await account(.agreePolicy(body))
    }

    /// The address of a file with everything that is held on the person (CMP-2).
    /// - Parameter proof: password, or a provider's token, whichever the account has.
    public func exportAccount(_ proof: WireExportAccount) async throws(Refusal) -> WireAssetAddress {
        guard case .assetAddress(let address) = try await account(.exportAccount(proof)) else {
            throw Self.otherAnswer
        }
        return address
    }

    /// Deletes the account with everything that is held on the person (CMP-3). There is no way back. The client is a
    /// guest's afterwards.
    /// - Parameter proof: password, or a provider's token, whichever the account has.
    public func deleteAccount(_ proof: WireDeleteAccount) async throws(Refusal) {
        _ = try await account(.deleteAccount(proof))
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
        guard case .settingList(let list) = try await account(.saveSettings(body)) else { throw Self.otherAnswer }
        return list.settings
    }

    /// All settings that were ever saved.
    public func settings() async throws(Refusal) -> [WireSetting] {
        guard case .settingList(let list) = try await account(.getSettings(WireGetSettings())) else {
            throw Self.otherAnswer
        }
        return list.settings
    }

    /// Sends a request without an idempotency key.
    func account(_ body: WireClientMessage.OneOf_Body) async throws(Refusal) -> WireReply.OneOf_Result {
        try await answer { (core, now) throws(Refusal) in try core.account(body, now: now) }
    }
}

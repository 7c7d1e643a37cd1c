internal import CairnConfiguration
internal import CairnCore
internal import CairnNames
internal import CairnStore
internal import CairnWire

/// Gives the person what is stored of them (PRF-1).
struct GetProfile: EntranceCommand {
    static let kind = MessageKind(field: 117, name: "get_profile")
    static let sender = EntranceSender.user

    init(_ body: WireGetProfile) {}

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let dossier = try await signIn.dossier(of: try applicant.requireUser().account)
        return .answered(.ownProfile(dossier.wire(signIn.identifiers)))
    }
}

/// Changes fields of the person's profile, all or none (PRF-2, PRF-3).
struct EditProfile: EntranceCommand {
    static let kind = MessageKind(field: 118, name: "edit_profile")
    static let sender = EntranceSender.user

    private let body: WireEditProfile

    init(_ body: WireEditProfile) { self.body = body }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        for _ in 0..<SignIn.attemptsMax {
            var dossier = try await signIn.dossier(of: user.account)
            let (before, oldName) = (dossier.profile, Username(dossier.account.name))
            try edit(&dossier.profile, signIn)
            if body.hasPicture { dossier.profile.picture = try await picture(of: user.account, signIn) }
            var statements = dossier.profile == before ? [] : [dossier.profile.saving]
            if dossier.profile.picture != before.picture {
                statements += AssetUse.profile(of: user.account).replacement(
                    by: dossier.profile.picture, of: user.account)
            }
            var newName: String?
            if body.hasUsername, body.username != dossier.account.name {
                guard !user.isOfApp else {
                    throw Refusal(
                        .forbidden, "the app's backend names this account", component: SignIn.component,
                        details: ["field": "username"])
                }
                statements += try await signIn.rename(&dossier.account, from: oldName, to: body.username)
                newName = body.username
            }
            guard try await signIn.isCommitted(statements) else { continue }
            return .answered(.ownProfile(dossier.wire(signIn.identifiers)), name: newName)
        }
        throw SignIn.overtaken
    }

    private func edit(_ profile: inout ProfileRecord, _ signIn: SignIn) throws(Refusal) {
        if body.hasStatus {
            profile.status = try text(body.status, "status", signIn.accounts.statusCharactersMax, mayBreak: false)
        }
        if body.hasBio { profile.bio = try text(body.bio, "bio", signIn.accounts.bioCharactersMax, mayBreak: true) }
        if body.hasFirstName { profile.person.firstName = try name(body.firstName, "firstName") }
        if body.hasLastName { profile.person.lastName = try name(body.lastName, "lastName") }
        if body.hasBirthDate {
            guard let date = body.birthDate.isEmpty ? "" : BirthDate(body.birthDate, now: signIn.clock.now)?.text else {
                throw Refusal(.invalidDate, component: SignIn.component, details: ["field": "birthDate"])
            }
            profile.person.birthDate = date
        }
        if body.hasVisibleTo {
            guard let visibility = ProfileRecord.Visibility(rawValue: body.visibleTo) else {
                throw wrong("visibleTo", "everyone or nobody")
            }
            profile.visibility = visibility
        }
    }

    /// The asset that becomes the picture; nil = none does.
    private func picture(of account: AccountID, _ signIn: SignIn) async throws -> AssetID? {
        guard !body.picture.isEmpty else { return nil }
        guard let id: AssetID = signIn.identifiers.identifier(named: body.picture),
            let asset = try await signIn.asset(id, at: .own, for: account)
        else { throw SignIn.noAsset }
        let limit = signIn.assets.pictureBytesMax
        guard asset.length <= limit else {
            throw Refusal(
                .tooLarge, "a picture has at most \(limit) bytes", component: SignIn.component,
                details: ["field": "picture", "limit": "\(limit)", "unit": "bytes"])
        }
        return id
    }

    private func name(_ text: String, _ field: String) throws(Refusal) -> String {
        text.isEmpty ? "" : try SignUpRules.name(text, field)
    }

    private func text(
        _ text: String, _ field: String, _ charactersMax: Int, mayBreak: Bool
    ) throws(Refusal) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            (mayBreak && scalar == "\n")
                || ![.control, .lineSeparator, .paragraphSeparator].contains(
                    scalar.properties.generalCategory)
        }
        // A character may be many code points, but not any number of them.
        guard isPlain, text.count <= charactersMax, text.utf8.count <= 4 * charactersMax else {
            throw wrong(field, "at most \(charactersMax) characters\(mayBreak ? "" : " in one line")")
        }
        return text
    }

    private func wrong(_ field: String, _ message: String) -> Refusal {
        Refusal(.invalidField, "\(field): \(message)", component: SignIn.component, details: ["field": field])
    }
}

/// Gives another person's profile, as its owner shows it (PRF-4, PRF-5).
struct ReadProfile: EntranceCommand {
    static let kind = MessageKind(field: 119, name: "read_profile")
    static let sender = EntranceSender.user

    private let name: String

    init(_ body: WireReadProfile) { name = body.account }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        guard let account: AccountID = signIn.identifiers.identifier(named: name) else {
            throw Refusal(.userNotFound, component: SignIn.component)
        }
        let (person, stored) = try await signIn.profile(of: account, seenBy: user.account)
        var profile = WireProfile()
        profile.account = name
        profile.username = person.name
        profile.status = stored.status
        profile.bio = stored.bio
        profile.picture = stored.picture.map { signIn.identifiers.name(of: $0) } ?? ""
        return .answered(.profile(profile))
    }
}

extension SignIn {
    /// A person's profile, if the viewer may see it: the one decision about that, for the profile and for its picture
    /// (PRF-4, PRF-5).
    /// - Throws: `user_not_found`, `profile_hidden`.
    func profile(
        of account: AccountID, seenBy viewer: AccountID
    ) async throws -> (person: AccountRecord, profile: ProfileRecord) {
        let answers = try await store.read([AccountRecord.query(account), ProfileRecord.query(account)])
        guard let row = answers[0].first else { throw Refusal(.userNotFound, component: Self.component) }
        let profile = try ProfileRecord(answers[1], of: account)
        guard profile.visibility == .everyone || account == viewer else {
            throw Refusal(.profileHidden, component: Self.component)
        }
        return (try AccountRecord(row), profile)
    }

    /// All that is stored of a person and that they may see.
    fileprivate struct Dossier {
        var account: AccountRecord
        let credentials: CredentialsRecord?
        var profile: ProfileRecord
        let identities: [ProviderIdentityRecord]
    }

    fileprivate func dossier(of account: AccountID) async throws -> Dossier {
        let answers = try await store.read([
            AccountRecord.query(account), CredentialsRecord.query(account), ProfileRecord.query(account),
            ProviderIdentityRecord.query(of: account),
        ])
        guard let row = answers[0].first else { throw Refusal(.userNotFound, component: Self.component) }
        return Dossier(
            account: try AccountRecord(row), credentials: try answers[1].first.map { try CredentialsRecord($0) },
            profile: try ProfileRecord(answers[2], of: account),
            identities: try answers[3].map { try ProviderIdentityRecord($0) })
    }

    /// What gives an account another name; the old one stays reserved.
    fileprivate func rename(
        _ account: inout AccountRecord, from old: Username, to text: String
    ) async throws -> [Statement] {
        if let fault = fault(in: text) { throw fault }
        let name = Username(text)
        let isOther = name.compared != old.compared
        switch try await holder(of: name, for: account.id) {
        case .account(let holder) where holder.id == account.id: break
        case .account, .another: throw Self.nameTaken
        case .none: break
        }
        account.rename(to: text, foldedName: name.compared)
        var statements = SkeletonRecord.replacements(of: name.skeletons, account: account.id) + [account.update]
        if isOther {
            let until = clock.lasting + .seconds(accounts.reservedNameDays * 86_400)
            statements.append(ReservedName.insertion(old.compared, of: account.id, until: until))
            statements.append(ReservedName.deletion(name.compared))
        }
        return statements
    }
}

extension SignIn.Dossier {
    fileprivate func wire(_ identifiers: IdentifierIssuer) -> WireOwnProfile {
        var wire = WireOwnProfile()
        wire.username = account.name
        wire.created = account.created.milliseconds
        wire.status = profile.status
        wire.bio = profile.bio
        wire.visibleTo = profile.visibility.rawValue
        wire.picture = profile.picture.map { identifiers.name(of: $0) } ?? ""
        wire.firstName = profile.person.firstName
        wire.lastName = profile.person.lastName
        wire.birthDate = profile.person.birthDate
        wire.providers = identities.map(\.provider).sorted()
        guard let credentials else { return wire }
        wire.email = credentials.email?.address.text ?? ""
        wire.emailVerified = credentials.email?.verified != nil
        wire.pendingEmail = credentials.pendingEmail?.text ?? ""
        wire.hasPassword_p = !credentials.password.isEmpty
        wire.passwordChanged = credentials.passwordChanged?.milliseconds ?? 0
        wire.asksForCodes = credentials.oneTime?.isOn == true
        wire.recoveryCodes = UInt32(credentials.oneTime?.recoveryHashes.count ?? 0)
        return wire
    }
}

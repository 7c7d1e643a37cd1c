internal import CairnAssets
internal import CairnConfiguration
internal import CairnCore
internal import CairnStore
internal import CairnText
internal import CairnWire

/// Gives the person what is stored of them (PRF-1).
struct GetProfile: EntranceCommand {
    static let sender = EntranceSender.user

    init(_ body: WireGetProfile) {}

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let dossier = try await signIn.dossier(of: try applicant.requireUser().account)
        return .answered(.ownProfile(signIn.wire(dossier)))
    }
}

/// Changes fields of the person's profile, all or none (PRF-2, PRF-3).
struct EditProfile: EntranceCommand {
    static let sender = EntranceSender.user
    static let isOrdered = true

    private let body: WireEditProfile

    init(_ body: WireEditProfile) {
        var body = body
        if body.hasUsername { body.username = body.username.withoutBlanksAround }
        self.body = body
    }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        // Whether a name is taken tells as much as a search for it.
        if body.hasUsername, body.username != user.name { try signIn.admitSearch(of: user, at: applicant) }
        var (isCounted, isSightCounted) = (false, false)
        for _ in 0..<SignIn.attemptsMax {
            var dossier = try await signIn.dossier(of: user.account)
            guard dossier.account.role.isInWorld || isOfSignInAlone else {
                throw Role.refusal(needing: Role.inWorld, component: SignIn.component)
            }
            let before = dossier.profile
            try edit(&dossier.profile, signIn, user.account)
            if dossier.profile.guestsSee, !before.guestsSee, !isSightCounted {
                try signIn.admitGuestSight(of: user.account)
                isSightCounted = true
            }
            if body.hasPicture { dossier.profile.picture = try await picture(of: user.account, signIn) }
            let hasChanged = dossier.profile != before || before.isDamaged
            var statements = hasChanged ? [dossier.profile.saving] : []
            // The picture that a damaged row had is kept by its use alone, which ends here.
            if dossier.profile.picture != before.picture || before.isDamaged {
                statements += AssetUse.profile(of: user.account).replacement(
                    by: dossier.profile.picture, of: user.account)
            }
            var renaming: SignIn.Renaming?
            if body.hasUsername, body.username != dossier.account.name {
                let made = try await signIn.renaming(
                    &dossier.account, to: body.username, by: user, applicant, isCounted: isCounted)
                (isCounted, renaming) = (isCounted || made.isOther, made)
                statements += made.statements
            }
            guard try await signIn.isCommitted(statements) else { continue }
            if renaming != nil { signIn.names.people.rename(user.account, to: body.username) }
            if renaming?.isAccess == true { signIn.services.postman.poke() }
            signIn.names.set(dossier.profile.privacy, of: user.account)
            if dossier.profile.guestsSee != before.guestsSee {
                signIn.names.setGuestsSee(dossier.profile.guestsSee, of: user.account)
                await Shard.goByGuestSight(of: user.account, on: applicant.shards)
            }
            return .answer(
                EntranceAnswer(
                    result: .ownProfile(signIn.wire(dossier)), name: renaming.map { _ in body.username },
                    notified: renaming?.isAccess == true ? [user.account] : []))
        }
        throw SignIn.overtaken
    }

    /// Whether it changes nothing but the name by which the person signs in: admins change that and no more (ROL-4).
    private var isOfSignInAlone: Bool {
        var rename = WireEditProfile()
        if body.hasUsername { rename.username = body.username }
        return body == rename
    }

    private func edit(_ profile: inout ProfileRecord, _ signIn: SignIn, _ account: AccountID) throws(Refusal) {
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
        if body.hasGuestsSee { profile.guestsSee = body.guestsSee }
        guard body.hasVisibleTo || body.hasFriendsVisibleTo || body.hasInteractionsVisibleTo else { return }
        var privacy = profile.privacy ?? signIn.names.privacy(of: account)
        if body.hasVisibleTo { privacy.profile = try audience(body.visibleTo, "visibleTo") }
        if body.hasFriendsVisibleTo { privacy.friends = try audience(body.friendsVisibleTo, "friendsVisibleTo") }
        if body.hasInteractionsVisibleTo {
            privacy.interactions = try audience(body.interactionsVisibleTo, "interactionsVisibleTo")
        }
        profile.privacy = privacy
    }

    private func audience(_ word: String, _ field: String) throws(Refusal) -> Privacy.Audience {
        guard let audience = Privacy.Audience(rawValue: word) else {
            throw wrong(field, "everyone, friends or nobody")
        }
        return audience
    }

    /// The asset that becomes the picture; nil = none does.
    private func picture(of account: AccountID, _ signIn: SignIn) async throws -> AssetID? {
        guard !body.picture.isEmpty else { return nil }
        guard let id: AssetID = signIn.identifiers.identifier(named: body.picture),
            let asset = try await signIn.asset(id, at: .own, for: account), asset.type.isPicture
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
        guard mayBreak ? text.isOfLines : text.isOneLine, text.hasAtMost(characters: charactersMax) else {
            throw mayBreak
                ? wrong(field, "at most \(charactersMax) characters")
                : wrong(field, "at most \(charactersMax) characters in one line")
        }
        return text
    }

    private func wrong(_ field: String, _ text: Refusal.Text) -> Refusal {
        Refusal(.invalidField, "\(field): \(text)", component: SignIn.component, details: ["field": field])
    }
}

/// Gives another person's profile, as its owner shows it (PRF-4, PRF-5).
struct ReadProfile: EntranceCommand {
    static let sender = EntranceSender.inWorld

    private let name: String

    init(_ body: WireReadProfile) { name = body.account }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        guard let account: AccountID = signIn.identifiers.identifier(named: name) else { throw SignIn.absent }
        let (username, stored) = try await signIn.profile(of: account, seenBy: user.account, without: user.absent)
        var profile = WireProfile()
        profile.account = name
        profile.username = username
        profile.status = stored.status
        profile.bio = stored.bio
        profile.picture = stored.picture.map { signIn.identifiers.name(of: $0) } ?? ""
        return .answered(.profile(profile))
    }
}

extension SignIn {
    /// A person's profile, if the viewer may see it: the one decision about that, for the profile and for its picture
    /// (PRF-4, PRF-5).
    /// - Parameter absent: the people with a block between them and the viewer, as far as the connection knows. The
    ///   store is not asked about them: the answer takes as long as the one about nobody (FRD-7).
    /// - Throws: `user_not_found`, `profile_hidden`.
    func profile(
        of account: AccountID, seenBy viewer: AccountID, without absent: Set<AccountID> = []
    ) async throws -> (username: String, profile: ProfileRecord) {
        guard let username = names.people.name(of: account), !absent.contains(account) else { throw Self.absent }
        let answers = try await store.read([ProfileRecord.query(account), Relation.query(viewer, account)])
        if account != viewer {
            guard !names.isAdmin(account) else { throw Self.absent }
            let relation = relation(in: answers[1])
            // The connection does not know of a block of this moment.
            guard relation?.isBlocked != true else { throw Self.absent }
            guard names.privacy(of: account).profile.admits(relation?.areFriends == true) else {
                throw Refusal(.profileHidden, component: Self.component)
            }
        }
        return (username, profile(of: account, in: answers[0]))
    }

    /// What is stored of the profile, by the answer to `ProfileRecord.query`. A damaged row is reported, and shows
    /// nothing until the person edits it.
    private func profile(of account: AccountID, in rows: [Row]) -> ProfileRecord {
        do throws(DamagedRow) {
            return try ProfileRecord(rows, of: account)
        } catch {
            store.report([error])
            return ProfileRecord(damaged: rows.first, of: account)
        }
    }

    fileprivate static let absent = Refusal(.userNotFound, component: component)

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
        let record = try AccountRecord(row)
        // It was deleted a moment ago, perhaps by another device.
        guard !record.isClosed else { throw Refusal(.notSignedIn, component: Self.component) }
        return Dossier(
            account: record, credentials: try answers[1].first.map { try CredentialsRecord($0) },
            profile: profile(of: account, in: answers[2]),
            identities: try answers[3].map { try ProviderIdentityRecord($0) })
    }
}

extension SignIn {
    fileprivate func wire(_ dossier: Dossier) -> WireOwnProfile {
        var wire = dossier.wire(identifiers)
        let privacy = dossier.profile.privacy ?? names.privacy(of: dossier.account.id)
        wire.visibleTo = privacy.profile.rawValue
        wire.friendsVisibleTo = privacy.friends.rawValue
        wire.interactionsVisibleTo = privacy.interactions.rawValue
        wire.guestsSee = dossier.profile.guestsSee
        return wire
    }

    /// What two people are to each other, by the answer to `Relation.query`; nil = nothing. A damaged row is reported,
    /// and counts as a block.
    func relation(in rows: [Row]) -> Relation? { relations(in: rows).first }

    /// The people with a block between them and a person: absent for each other (FRD-7).
    func hidden(from account: AccountID, among relations: [Relation]) -> Set<AccountID> {
        Set(relations.filter(\.isBlocked).map { $0.other(than: account) })
    }

    /// What a person and others are to each other, by the answer to `Relation.query(of:)`. Damaged rows are reported
    /// and count as blocks.
    func relations(in rows: [Row]) -> [Relation] {
        var damage: [DamagedRow] = []
        defer { store.report(damage) }
        return rows.relations(into: &damage)
    }
}

extension SignIn.Dossier {
    fileprivate func wire(_ identifiers: IdentifierIssuer) -> WireOwnProfile {
        var wire = WireOwnProfile()
        wire.username = account.name
        wire.created = account.created.milliseconds
        wire.picture = profile.picture.map { identifiers.name(of: $0) } ?? ""
        wire.status = profile.status
        wire.bio = profile.bio
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
        wire.policyVersion = credentials.consent.version
        wire.policyAgreed = credentials.consent.at.milliseconds
        return wire
    }
}

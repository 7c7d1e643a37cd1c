internal import CairnConfiguration
internal import CairnCore
internal import CairnCredentials
internal import CairnStore
internal import CairnTime
internal import CairnWebSocket
internal import CairnWire

/// What a change of how one gets in needs, and who is told of it (ACC-13). Every command that makes such a change goes
/// by `requireProof`, and commits what `noting` makes of it.
extension SignIn {
    /// What signs in to an account.
    struct WaysIn: Sendable {
        var credentials: CredentialsRecord?
        var identities: Set<AccessChange.Identity>
        let isOfApp: Bool

        var hasPassword: Bool { credentials?.password.isEmpty == false }

        /// A name alone signs in: there is nothing that could prove who somebody is.
        var isOpen: Bool { credentials == nil && identities.isEmpty && !isOfApp }

        /// An app's backend alone vouches for the person.
        var isOfAppAlone: Bool { isOfApp && !hasPassword && identities.isEmpty }

        /// As `details.proofs` names them.
        var proofs: [String] {
            (hasPassword ? ["password"] : []) + (credentials?.oneTime?.isOn == true ? ["code"] : [])
                + Set(identities.map(\.provider)).sorted().map { "provider:\($0)" }
        }
    }

    /// Changes of an account in an hour. Each is mailed and notified.
    static let accessChangesPerHour = 60

    func waysIn(to account: AccountID) async throws -> WaysIn {
        let answers = try await store.read([
            CredentialsRecord.query(account), ProviderIdentityRecord.query(of: account),
            AppIdentityRecord.query(of: account),
        ])
        return WaysIn(
            credentials: try answers[0].first.map { try CredentialsRecord($0) },
            identities: Set(try answers[1].map { AccessChange.Identity(try ProviderIdentityRecord($0)) }),
            isOfApp: !answers[2].isEmpty)
    }

    /// Admits a change by somebody who has proved within `accounts.proofSeconds`, on this connection, that it is them.
    /// A token alone, the server's or an app's, never suffices; an account without anything that proves has nothing to
    /// show.
    /// - Throws: `proof_required`, with what the account has.
    @discardableResult
    func requireProof(_ user: Applicant.User, _ applicant: Applicant) async throws -> WaysIn {
        let ways = try await waysIn(to: user.account)
        if applicant.isProved(within: .seconds(accounts.proofSeconds)) || ways.isOpen { return ways }
        if ways.isOfAppAlone, accounts.appAccountsAddWays { return ways }
        throw Refusal(
            .proofRequired, component: Self.component,
            details: [
                "proofs": ways.proofs.joined(separator: ","), "seconds": "\(accounts.proofSeconds)",
                "reason": ways.isOfAppAlone ? "app_account" : "no_proof",
            ])
    }

    /// What fails a change once the sign-in that asks for it has ended. Made before what the change waits for, such as
    /// a hash or an adaptor, and committed with it: a thief who was signed out meanwhile changes nothing.
    ///
    /// A sign-in by an app's token has no row: its account is to be as it is now, since what ends such sign-ins changes
    /// it.
    func standing(of user: Applicant.User) async throws -> [Statement] {
        if let print = user.storedPrint { return [TokenRecord.check(print, of: user.account)] }
        return [try await record(of: user.account).check]
    }

    /// Admits a change for the account. Of those that can be undone there is room for so many: whoever makes many takes
    /// nobody the link that undoes the first.
    /// - Throws: `too_many_attempts` with the time to wait.
    func admitChange(of account: AccountID) async throws {
        let undoable = try await changes(of: account).filter(\.change.isUndoable)
        if undoable.count >= AccessRecord.countMax, let oldest = undoable.last {
            throw Refusal(
                .tooManyAttempts, component: Self.component,
                retryAfter: max(.seconds(1), oldest.at - undoLimit))
        }
        if let wait = services.accessChanges.admit(LimitKey(account.rawValue), now: .now) {
            throw Refusal(.tooManyAttempts, component: Self.component, retryAfter: wait)
        }
    }

    // MARK: Telling

    /// What goes with a change, in its unit: the entry in the account's history, a mail to each address that was
    /// proved, with a link that undoes the change, and a notification. The answer then names the account in `notified`.
    /// - Parameter addresses: proved ones; where the email changes, the old and the new one.
    func noting(
        _ change: AccessChange, of account: AccountID, to addresses: [EmailAddress], in language: String
    ) -> [Statement] {
        let code = addresses.isEmpty ? nil : Secret.make()
        let (texts, now) = (Texts.of(language, among: accounts.languages), clock.lasting)
        let parts = [
            "change": change.words(in: texts), "link": code.map { link("undo", $0) } ?? "",
            "days": "\(accounts.undoDays)",
        ]
        return AccessRecord.insertions(
            identifiers.next(AccessTag.self, at: clock.now), change, of: account, code: code, at: now)
            + addresses.map { mail("accessChanged", to: $0.text, in: language, parts) }
            + [
                notification(
                    Notification.Draft(to: account, kind: .signInChanged, label: change.label.text))
            ]
    }

    /// The changes of an account that can be undone, newest first.
    func changes(of account: AccountID) async throws -> [AccessRecord] {
        entries(try await store.read([AccessRecord.query(of: account, after: undoLimit)])[0]).filter { !$0.isUndone }
    }

    func entries(_ rows: [Row]) -> [AccessRecord] {
        var damage: [DamagedRow] = []
        defer { store.report(damage) }
        return AccessRecord.entries(in: rows, into: &damage)
    }

    /// What was changed before is done with.
    var undoLimit: LastingTime { undoLimit(now: clock.lasting) }

    func undoLimit(now: LastingTime) -> LastingTime { now - .seconds(accounts.undoDays * 86_400) }

    // MARK: Ending what was added

    /// What was added to an account's ways in within `accounts.undoDays`, and what ends it.
    struct Addition: Sendable {
        var ended: [AccessChange] = []
        var statements: [Statement] = []
        /// Proved ones that the account had before a change of that time, the oldest first.
        var addresses: [EmailAddress] = []
    }

    /// Ends what was added lately: linked providers and one-time codes; and a password that was added to an account
    /// that signs in by something older, with the email that came with it.
    /// - Parameters:
    ///   - ways: those of now; becomes those that stay. The credentials are still to be kept.
    ///   - isPasswordNew: the password was set just now, by somebody who was proved: it stays.
    func endAdded(to ways: inout WaysIn, of account: AccountID, isPasswordNew: Bool) async throws -> Addition {
        var addition = Addition()
        let changes = try await changes(of: account)
        for change in changes.map(\.change) {
            switch change {
            case .providerLinked(let identity) where ways.identities.contains(identity):
                ways.identities.remove(identity)
                addition.statements += ending(of: identity, at: account)
                addition.ended.append(change)
            case .codesOn where ways.credentials?.oneTime?.isOn == true:
                ways.credentials?.oneTime = nil
                addition.ended.append(change)
            case .passwordAdded(let email?) where email.verified != nil,
                .emailChanged(let email?) where email.verified != nil:
                addition.addresses.insert(email.address, at: 0)
            default: continue
            }
        }
        if !isPasswordNew { ways.credentials?.pendingEmail = nil }
        let added = changes.map(\.change).first { if case .passwordAdded = $0 { true } else { false } }
        if let added, !isPasswordNew, ways.hasPassword, ways.isOfApp || !ways.identities.isEmpty {
            ways.credentials?.password = ""
            addition.ended.append(added)
            if case .passwordAdded(let email) = added, var credentials = ways.credentials {
                addition.statements += try await restore(email, to: &credentials)
                ways.credentials = credentials
            }
        }
        return addition
    }

    /// Gives an account the email of before a change back: what is mailed to the other one signs in to it no more.
    /// One that somebody else has got meanwhile is theirs.
    private func restore(
        _ email: CredentialsRecord.Email?, to credentials: inout CredentialsRecord
    ) async throws -> [Statement] {
        guard email?.address.folded != credentials.email?.address.folded else { return [] }
        credentials.email = nil
        guard let email else { return [] }
        do {
            let released = try await release(
                email.address, except: credentials.account, isProved: email.verified != nil)
            credentials.email = email
            return released
        } catch is Refusal {
            return []
        }
    }

    /// Ends all ways in but the password: nobody had proved the address before, so whoever made the account need not be
    /// who reads its mails.
    func endAll(of ways: inout WaysIn, of account: AccountID, _ addition: inout Addition) {
        for identity in ways.identities {
            addition.statements += ending(of: identity, at: account)
            addition.ended.append(.providerLinked(identity))
        }
        ways.identities = []
        if ways.credentials?.oneTime?.isOn == true { addition.ended.append(.codesOn) }
        ways.credentials?.oneTime = nil
    }

    /// Ends that a provider's account signs in. The history remembers it, so that its next sign-in makes no second
    /// account for the same person.
    func ending(of identity: AccessChange.Identity, at account: AccountID) -> [Statement] {
        [ProviderIdentityRecord.removal(identity, of: account)]
            + AccessRecord.insertions(
                identifiers.next(AccessTag.self, at: clock.now), .providerEnded(identity), of: account, code: nil,
                at: clock.lasting)
    }

    /// Addresses of before that are told; the oldest ones are the likeliest to be the person's.
    private static let addressesMax = 8

    /// A mail that lists what has ended, to the proved address of now and to those of before: whoever has changed the
    /// email need not be the person. Nothing where there is none.
    func telling(of addition: Addition, to present: [EmailAddress], in language: String) -> [Statement] {
        guard !addition.ended.isEmpty else { return [] }
        let texts = Texts.of(language, among: accounts.languages)
        let list = addition.ended.map { "- " + $0.words(in: texts) }.joined(separator: "\n")
        var told: Set<String> = []
        return (Array(addition.addresses.prefix(Self.addressesMax)) + present)
            .filter { told.insert($0.folded).inserted }
            .map { address in
                mail("accessEnded", to: address.text, in: language, ["list": list, "days": "\(accounts.undoDays)"])
            }
    }
}

extension CredentialsRecord {
    /// The address that was proved; nobody else is told of changes.
    var provedAddress: [EmailAddress] { email.flatMap { $0.verified == nil ? nil : [$0.address] } ?? [] }
}

extension Applicant {
    /// Whether the person has proved on this connection, at most so long ago, that it is them.
    fileprivate func isProved(within time: Duration) -> Bool { proved.map { now - $0 <= time } ?? false }
}

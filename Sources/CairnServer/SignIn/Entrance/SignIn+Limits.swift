internal import CairnCore
internal import CairnCredentials
internal import CairnNames
internal import CairnStore
internal import CairnTime
internal import CairnWebSocket
internal import CairnWire
internal import Synchronization

/// How often one may try (ACC-4, B16). An attempt is counted before anything is hashed.
extension SignIn {
    /// An attempt that was admitted. Exactly one of `succeeded`, `failed` and `abandoned` follows.
    struct Attempt: Sendable {
        fileprivate let counted: SignInLimiter.Attempt
        fileprivate var countedOfAccount: SignInLimiter.Attempt?
        /// Where it is counted; nil = among the failures to sign in.
        fileprivate var limiter: SignInLimiter?
        /// Where it is counted as a guess when it fails; nil = the account knows the device or address.
        fileprivate var guesser: PeerAddress?
        /// The account's allowance was used up by its other name. That must not show, or it would tell that the two
        /// names belong together: the attempt is carried out as one with a wrong password.
        var isDecoy = false
    }

    /// - Throws: `too_many_attempts` with the time to wait.
    func admit(_ login: Login, _ candidate: Candidate, at applicant: Applicant) throws(Refusal) -> Attempt {
        let id = candidate.account.map { LimitKey($0.id.rawValue) }
        if candidate.isFamiliar, let id {
            return try admit(
                account: id, familiar: candidate.familiarKey(applicant.address), guesser: nil, at: applicant)
        }
        let counted = try admitted(
            services.failures.admit(
                account: login.limitKey, address: applicant.addressKey, familiar: nil, now: applicant.now),
            guesser: applicant.address)
        var attempt = Attempt(counted: counted, guesser: applicant.address)
        guard let id else { return attempt }
        switch services.accountFailures.admit(account: id, address: id, familiar: nil, now: applicant.now) {
        case .admitted(let ofAccount): attempt.countedOfAccount = ofAccount
        case .refused: attempt.isDecoy = true
        }
        return attempt
    }

    /// Of somebody who is signed in and shows the password again. All sign-ins of the account count together: whatever
    /// makes a new token brings no new guesses (ACC-13). An address from which it was signed in to has an allowance of
    /// its own, so that somebody elsewhere with a stolen token does not lock the person out.
    func admit(_ user: Applicant.User, _ applicant: Applicant) async throws -> Attempt {
        var (place, guesser) = ("elsewhere", applicant.address)
        if let address = applicant.address {
            let rows = try await store.read([FamiliarRecord.query(user.account, .address(address))])[0]
            var damage: [DamagedRow] = []
            if FamiliarRecord.isKnown(rows, &damage) {
                (place, guesser) = ("at \(address.network.high) \(address.network.low)", nil)
            }
            store.report(damage)
        }
        return try admit(
            account: LimitKey(user.account.rawValue), familiar: LimitKey(hashing: "signed in \(place)".utf8),
            guesser: guesser, at: applicant)
    }

    /// Of somebody who shows a provider's token: what is wrong with one counts for the address alone.
    func admit(provider: String, _ applicant: Applicant) throws(Refusal) -> Attempt {
        try admit(
            account: LimitKey(hashing: ("provider " + provider).utf8), familiar: applicant.addressKey,
            guesser: applicant.address, at: applicant)
    }

    /// Admits an attempt with a one-time code beside a provider's token.
    func admitCode(_ candidate: Candidate, at applicant: Applicant) throws(Refusal) -> Attempt {
        let account = candidate.account.map { "codes \($0.id.rawValue)" } ?? "codes"
        let guesser = candidate.isFamiliar ? nil : applicant.address
        let counted = try admitted(
            services.failures.admit(
                account: LimitKey(hashing: account.utf8), address: applicant.addressKey,
                familiar: candidate.isFamiliar ? candidate.familiarKey(applicant.address) : nil, now: applicant.now),
            guesser: guesser)
        return Attempt(counted: counted, guesser: guesser)
    }

    /// Declined payments of an account, and of an address, in any hour. A person mistypes a few times.
    static let declinesPerHour = 10

    /// Admits a charge or a receipt.
    /// - Throws: `too_many_attempts` with the time to wait.
    func admitPayment(by buyer: Buyer) throws(Refusal) -> Attempt {
        let admission = services.payments.admit(
            account: LimitKey(buyer.account.rawValue), address: buyer.address, familiar: nil, now: buyer.now)
        return Attempt(counted: try admitted(admission, guesser: nil), limiter: services.payments)
    }

    private func admit(
        account: LimitKey, familiar: LimitKey, guesser: PeerAddress?, at applicant: Applicant
    ) throws(Refusal) -> Attempt {
        let counted = try admitted(
            services.failures.admit(
                account: account, address: applicant.addressKey, familiar: familiar, now: applicant.now),
            guesser: guesser)
        return Attempt(counted: counted, guesser: guesser)
    }

    private func admitted(
        _ admission: SignInLimiter.Admission, guesser: PeerAddress?
    ) throws(Refusal) -> SignInLimiter.Attempt {
        switch admission {
        case .admitted(let attempt): return attempt
        case .refused(let wait):
            noteGuess(guesser)
            throw Self.tooMany(wait)
        }
    }

    private func noteGuess(_ guesser: PeerAddress?) {
        guard let guesser else { return }
        services.guesses.withLock { $0.add(from: guesser, now: .now) }
    }

    func succeeded(_ attempt: Attempt) {
        (attempt.limiter ?? services.failures).succeeded(attempt.counted)
        if let counted = attempt.countedOfAccount { services.accountFailures.succeeded(counted) }
    }

    func failed(_ attempt: Attempt) {
        (attempt.limiter ?? services.failures).failed(attempt.counted)
        if let counted = attempt.countedOfAccount { services.accountFailures.failed(counted) }
        noteGuess(attempt.guesser)
    }

    func abandoned(_ attempt: Attempt) {
        (attempt.limiter ?? services.failures).abandoned(attempt.counted)
        if let counted = attempt.countedOfAccount { services.accountFailures.abandoned(counted) }
    }

    /// What may be done so often in an hour. The codes of links need no limit: none is found by guessing.
    enum Deed {
        case signUp
        /// Asking for a mail with a link. How many of them a mailbox gets is another limit: `admitRecovery`.
        case recovery
    }

    /// Counts for the address that it comes from.
    /// - Throws: `too_many_attempts` with the time to wait.
    func admit(_ deed: Deed, at applicant: Applicant) throws(Refusal) {
        try admit(deed, applicant.addressKey)
    }

    /// Counts for the account.
    func admit(_ deed: Deed, of user: Applicant.User) throws(Refusal) {
        try admit(deed, LimitKey(hashing: "account \(user.account.rawValue)".utf8))
    }

    /// Counts another name that an account takes: each one reserves the name before it.
    /// - Throws: `too_many_attempts` with the time to wait.
    func admitRename(of account: AccountID) throws(Refusal) {
        if let wait = services.renames.admit(LimitKey(account.rawValue), now: .now) {
            throw Refusal(
                .tooManyAttempts, component: Self.component, retryAfter: wait, details: ["field": "username"])
        }
    }

    /// How often in an hour a person may show guests again what they had hidden: each time everything that they have
    /// left comes into all guests' views. Hiding is never refused.
    static let guestSightsPerHour = 20

    /// Counts that a person shows guests what they leave.
    /// - Throws: `too_many_attempts` with the time to wait.
    func admitGuestSight(of account: AccountID) throws(Refusal) {
        if let wait = services.guestSights.admit(LimitKey(account.rawValue), now: .now) {
            throw Refusal(
                .tooManyAttempts, component: Self.component, retryAfter: wait, details: ["field": "guestsSee"])
        }
    }

    /// Counts a search for people, or a name that may be taken, for the account, and for the address, which may make
    /// ten times as many.
    /// - Throws: `rate_limited` with the time to wait.
    func admitSearch(of user: Applicant.User, at applicant: Applicant) throws(Refusal) {
        let wait =
            services.searches.admit(LimitKey(user.account.rawValue), now: .now)
            ?? services.addressSearches.admit(applicant.addressKey, now: .now)
        if let wait { throw Refusal(.rateLimited, component: Self.component, retryAfter: wait) }
    }

    /// Changes of what a person has beside their homes, in any hour: nobody saves settings more often than that.
    static let changesPerHour = 1_000

    /// Counts a change for the account. Guests have limits by address.
    /// - Throws: `rate_limited` with the time to wait.
    func admitChange(by applicant: Applicant) throws(Refusal) {
        guard let user = applicant.user else { return }
        guard let wait = services.changes.admit(LimitKey(user.account.rawValue), now: .now) else { return }
        throw Refusal(.rateLimited, component: Self.component, retryAfter: wait)
    }

    private func admit(_ deed: Deed, _ key: LimitKey) throws(Refusal) {
        let limiter =
            switch deed {
            case .signUp: services.signUps
            case .recovery: services.recoveries
            }
        if let wait = limiter.admit(key, now: .now) { throw Self.tooMany(wait) }
    }

    private static func tooMany(_ wait: Duration) -> Refusal {
        Refusal(.tooManyAttempts, component: component, retryAfter: wait)
    }

    /// The desk is full.
    static let busy = Refusal(
        .tryAgain, "many sign in at the moment", component: component, retryAfter: .seconds(1))
}

extension Applicant {
    /// Whose turn a hash takes at the desk.
    var asker: PasswordDesk.Asker {
        guard let user else { return PasswordDesk.Asker(.stranger, at: addressKey, as: addressKey) }
        return PasswordDesk.Asker(
            .familiar, at: addressKey, as: LimitKey(hashing: "signed in \(user.account.rawValue)".utf8))
    }

    /// A /64 is one; addresses that a proxy does not tell are one as well.
    var addressKey: LimitKey {
        let network = address?.network
        return LimitKey(network?.high ?? 0, network?.low ?? 0)
    }
}

extension Login {
    /// Of what was entered, in the form in which it is compared.
    fileprivate var limitKey: LimitKey {
        LimitKey(hashing: (email?.folded ?? Username(text).compared).utf8)
    }
}

extension SignIn.Candidate {
    /// Whose turn the comparison takes at the desk. Others at an address from which the account is known have another
    /// turn than its devices.
    func asker(_ login: Login, at applicant: Applicant) -> PasswordDesk.Asker {
        let address = applicant.addressKey
        guard let id = account?.id.rawValue, isFamiliar else {
            return PasswordDesk.Asker(.stranger, at: address, as: login.limitKey)
        }
        if knowsDevice { return PasswordDesk.Asker(.device, at: address, as: LimitKey(id)) }
        return PasswordDesk.Asker(.familiar, at: address, as: LimitKey(hashing: "at an address \(id)".utf8))
    }

    fileprivate func familiarKey(_ address: PeerAddress?) -> LimitKey {
        knowsDevice ? LimitKey(1) : LimitKey(address?.network.high ?? 0, address?.network.low ?? 0)
    }
}

internal import CairnConfiguration
internal import CairnCore
internal import CairnNames
internal import CairnStore
internal import CairnWire

/// Deletes the person's account (CMP-3), and so withdraws the consent (CMP-1).
///
/// When it is acknowledged the account can sign in no more, and what is to be done is on disk; `Erasures` does it.
struct DeleteAccount: EntranceCommand {
    static let sender = EntranceSender.user

    private let body: WireDeleteAccount

    init(_ body: WireDeleteAccount) { self.body = body }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        let user = try applicant.requireUser()
        try await signIn.prove(
            user, applicant, password: body.password,
            ProviderProof(body.provider, accessToken: body.accessToken, idToken: body.idToken))
        try await signIn.delete(user.account, saying: applicant.language)
        await Shard.goByGuestSight(of: user.account, on: applicant.shards)
        return .answered(.done(WireDone()), ending: .account(user.account))
    }
}

extension SignIn {
    /// Closes an account and stores that it is to be deleted, in one unit. On disk when it returns.
    fileprivate func delete(_ id: AccountID, saying language: String) async throws {
        let language = try await self.language(of: id, or: language)
        try await close(id, in: language)
        // A search for the person that begins from here on finds nothing.
        names.people.set(id, to: nil)
        names.set(nil, of: id)
        // What is still there of the person is not for guests; a start in the middle knows it by `DeletionRecord`.
        names.setGuestsSee(false, of: id)
        // In its turn: a decision that was committed before is noted first.
        try await services.accountTurns.take { organisations.forget(id) }
        await organisations.recount(in: store)
        services.erasures.poke()
        services.postman.poke()
    }

    private func close(_ id: AccountID, in language: String) async throws {
        for _ in 0..<Self.attemptsMax {
            if try await isCommitted(try await closing(id, in: language)) { return }
        }
        throw Self.overtaken
    }

    private func closing(_ id: AccountID, in language: String) async throws -> [Statement] {
        let answers = try await store.read([
            AccountRecord.query(id), CredentialsRecord.query(id), NotificationDevice.query(of: id),
            AppIdentityRecord.query(of: id),
        ])
        guard let row = answers[0].first else { throw Self.overtaken }
        var account = try AccountRecord(row)
        guard !account.isClosed else { throw Refusal(.notSignedIn, component: Self.component) }
        let (name, now) = (account.name, clock.lasting)
        var statements = account.role == .admin ? try await otherAdminCheck(except: id) : []
        account.close(at: now)
        statements.append(account.update)
        let credentials = try answers[1].first.map { try CredentialsRecord($0) }
        let identity = try answers[3].first.map { try AppIdentityRecord($0) }
        if let identity {
            statements.append(EndedAppToken.deletion(of: identity, at: clock.now))
        } else {
            let until = now + .seconds(accounts.reservedNameDays * 86_400)
            statements += ReservedName.insertions(Username(name), of: id, until: until)
        }
        for table in Self.tables {
            for case .atOnce(let column)? in table.erasure ?? [] {
                statements.append(table.deletion(with: .integer(Int64(bitPattern: id.rawValue)), in: column))
            }
        }
        var damage: [DamagedRow] = []
        let devices = NotificationDevice.devices(in: answers[2], into: &damage).map(\.address)
        store.report(damage)
        let emails = [credentials?.email?.address.text, credentials?.pendingEmail?.text].compactMap { $0 }
        let recipients = (emails + devices).filter { !$0.isEmpty }
        statements.append(DeletionRecord(account: id, begun: now, recipients: recipients).insertion)
        return statements + farewell(to: credentials, in: language)
    }
}

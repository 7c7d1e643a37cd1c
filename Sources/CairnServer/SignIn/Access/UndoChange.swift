internal import CairnCore
internal import CairnStore
internal import CairnWire

/// Undoes a change of how one gets in, by the code of the mail that told of it (ACC-13). What was changed after it goes
/// as well: whoever has made one change that was not the person's may have made those, too.
struct UndoChange: EntranceCommand {
    static let sender = EntranceSender.anyone

    private let code: String

    init(_ body: WireUndoChange) { code = body.code }

    func run(for applicant: Applicant, by signIn: SignIn) async throws -> EntranceOutcome {
        for _ in 0..<SignIn.attemptsMax {
            let rows = try await signIn.store.read([AccessRecord.query(code, after: signIn.undoLimit)])[0]
            guard let first = signIn.entries(rows).first, !first.isUndone else { break }
            let language = try await signIn.language(of: first.account, or: applicant.language)
            if try await signIn.isUndone(first, in: language) {
                signIn.services.postman.poke()
                return .answer(
                    EntranceAnswer(
                        result: .done(WireDone()), ending: .all(of: first.account, except: nil),
                        notified: [first.account]))
            }
        }
        throw Refusal(.linkInvalid, component: SignIn.component)
    }
}

extension SignIn {
    /// Takes a change back, and all after it, and ends every sign-in. In the person's turn, in which names change.
    /// - Returns: as `isCommitted`.
    fileprivate func isUndone(_ first: AccessRecord, in language: String) async throws -> Bool {
        let outcome = await services.personTurns.take(of: first.account) { () -> Result<Bool, any Error> in
            do {
                let (name, statements) = try await undoing(first, in: language)
                guard try await isCommitted(statements) else { return .success(false) }
                names.people.rename(first.account, to: name)
                return .success(true)
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// The statements that do so, and the name that the account has then.
    private func undoing(
        _ first: AccessRecord, in language: String
    ) async throws -> (name: String, statements: [Statement]) {
        let record = try await record(of: first.account)
        let changes = try await changes(of: first.account).filter { $0.id >= first.id && $0.change.isUndoable }
        let before = try await waysIn(to: first.account)
        var ways = before
        for entry in changes { ways.undo(entry.change) }
        // Whoever has made the change may have asked for an address before it.
        ways.credentials?.pendingEmail = nil
        var account = record
        account.endTokens(issuedUntil: clock.lasting)
        var statements = try await restoreName(of: &account, undoing: changes.map(\.change))
        statements += changes.map(\.undoing) + [account.update, TokenRecord.removals(of: account.id)]
        if let credentials = ways.credentials, credentials != before.credentials {
            if let email = credentials.email {
                // Somebody may have signed up with it meanwhile; who has not proved it gives way.
                statements += try await release(
                    email.address, except: account.id, isProved: email.verified != nil)
            }
            statements.append(credentials.update)
        }
        for identity in before.identities.subtracting(ways.identities) {
            statements.append(ProviderIdentityRecord.removal(identity, of: account.id))
        }
        for identity in ways.identities.subtracting(before.identities) {
            let query = ProviderIdentityRecord.query(identity.provider, identity.subject)
            guard try await store.read([query])[0].isEmpty else {
                ways.identities.remove(identity)
                continue
            }
            statements.append(
                ProviderIdentityRecord.insertion(identity.provider, identity.subject, of: account.id))
        }
        // One that had led back does not do so once more.
        for case .providerReturned(let identity) in changes.map(\.change) where !ways.identities.contains(identity) {
            statements += ending(of: identity, at: account.id)
        }
        // Nothing signs in any more: a new password is set by a link to the address that is proved now.
        if !ways.hasPassword, ways.identities.isEmpty, !ways.isOfApp, let email = ways.credentials?.email {
            statements += recovery(of: account.id, at: email.address, in: language)
        }
        statements.append(notification(Notification.Draft(to: account.id, kind: .signInChanged, label: "undone")))
        return (account.name, statements)
    }
}

extension SignIn.WaysIn {
    /// What it was before a change. The password of before is not set again: whoever changed it may know it.
    fileprivate mutating func undo(_ change: AccessChange) {
        switch change {
        case .passwordAdded(let email):
            setPassword("")
            credentials?.oneTime = nil
            credentials?.pendingEmail = nil
            credentials?.email = email
        case .passwordChanged: setPassword("")
        case .emailAsked: credentials?.pendingEmail = nil
        case .emailChanged(let email):
            credentials?.pendingEmail = nil
            // One that nobody had proved may be a stranger's.
            if email?.verified != nil { credentials?.email = email }
        case .providerLinked(let identity), .providerReturned(let identity): identities.remove(identity)
        case .providerUnlinked(let identity): identities.insert(identity)
        case .providerEnded, .nameChanged: break
        case .codesOn: credentials?.oneTime = nil
        case .codesOff(let codes): credentials?.oneTime = codes
        }
    }

    private mutating func setPassword(_ password: String) {
        credentials?.password = password
        credentials?.passwordChanged = nil
    }
}

internal import CairnConfiguration
internal import CairnCore
internal import CairnNames
internal import CairnStore
internal import CairnWire
internal import Foundation
internal import Logging

/// Accounts of people whom an app's own backend vouches for (ACC-12). They have no tokens of the server's own, and no
/// name finds them: what stands for theirs is no name that anybody could have.
extension SignIn {
    /// What `hello` or `refresh` says about who it is. Success is on disk.
    func resolve(appToken text: String) async -> Outcome {
        let judgement: AppTokens.Judgement
        switch await proofs.appTokens.desk.judge(text, by: proofs.appTokens, now: clock.now) {
        case nil:
            return .refused(
                Refusal(.tryAgain, "many sign in at the moment", component: Self.component, retryAfter: .seconds(1)))
        case .failure(.expired)?: return .guest(expired: true)
        case .failure(let fault)?: return .refused(Self.refusal(fault))
        case .success(let good)?: judgement = good
        }
        do {
            return try await signIn(judgement, text)
        } catch let damage as DamagedRow {
            store.report([damage])
            return .refused(Self.damaged)
        } catch {
            logger.error("an app's account cannot be read or written", metadata: ["cause": "\(error)"])
            return .refused(Self.unavailable)
        }
    }

    static func refusal(_ fault: AppTokenFault) -> Refusal {
        Refusal(.tokenInvalid, component: component, details: ["reason": fault.rawValue])
    }

    /// Another device of the same person may be faster: then all begins anew.
    private func signIn(_ judgement: AppTokens.Judgement, _ text: String) async throws -> Outcome {
        let identity = judgement.identity
        let print = AppIdentityRecord.print(of: identity)
        for _ in 0..<Self.attemptsMax {
            let answers = try await store.read([
                AppIdentityRecord.query(print), AccountRecord.query(ofAppIdentity: print),
                EndedAppToken.query(signed: judgement.signed), SettingsRecord.query(ofAppIdentity: print),
                EndedAppToken.query(ofDeleted: identity),
            ])
            guard answers[2].isEmpty else { return .refused(Self.refusal(.revoked)) }
            guard let row = answers[0].first else {
                if let deleted = EndedAppToken.deleted(in: answers[4]), identity.issued <= deleted {
                    return .refused(Self.refusal(.revoked))
                }
                let account = newAccount(of: identity, called: try await shownName(wish(identity.name)))
                let insertions =
                    [account.insertion, AppIdentityRecord.insertion(identity, account: account.id)]
                    + SkeletonRecord.replacements(ofApp: Username(account.name), account: account.id)
                guard try await isCommitted(insertions) else { continue }
                return .signedIn(signedIn(account, by: identity, token: text, isNew: true))
            }
            let known = try AppIdentityRecord(row, of: identity)
            guard let stored = answers[1].first else { throw AppIdentityRecord.dangling(row) }
            var account = try AccountRecord(stored)
            guard identity.issued >= known.revokedBefore else { return .refused(Self.refusal(.revoked)) }
            let isRevoking = identity.revokedBefore > known.revokedBefore
            let changes = try await describing(&account, as: identity, known, isRevoking: isRevoking)
            if changes.isEmpty {
                // No sign-in waits for that: on a bad disk people still come in to look (DAT-4). What an older token
                // changes meanwhile is behind it, and finds another row than it has read.
                if identity.issued > known.described {
                    store.leave([known.update(revokedBefore: known.revokedBefore, described: identity.issued)])
                }
            } else if try await !isCommitted(changes) {
                continue
            }
            return .signedIn(
                signedIn(account, by: identity, token: text, isRevoking: isRevoking)
                    .with(settings(in: answers[3])))
        }
        throw Self.overtaken
    }

    /// No name has a zero byte, so none finds the account under open sign-in.
    private func newAccount(of identity: AppIdentity, called name: String) -> AccountRecord {
        let now = clock.now
        var account = AccountRecord(
            id: identifiers.next(AccountTag.self, at: now), name: name, foldedName: "\0" + identity.text,
            now: now)
        account.role = identity.role
        return account
    }

    /// Gives the account the name and the role of a token, unless a newer one gave it those it has; and ends the
    /// server's own tokens of an account that is signed out everywhere.
    private func describing(
        _ account: inout AccountRecord, as identity: AppIdentity, _ known: AppIdentityRecord, isRevoking: Bool
    ) async throws -> [Statement] {
        var changed = account
        if identity.issued >= known.described {
            let wish = wish(identity.name)
            if !Self.isDerived(account.name, from: wish) { changed.name = try await shownName(wish) }
            changed.role = identity.role
        }
        let isOther = changed.name != account.name || changed.role != account.role
        if isRevoking { changed.endTokens(issuedUntil: clock.lasting) }
        let skeletons =
            changed.name == account.name
            ? [] : SkeletonRecord.replacements(ofApp: Username(changed.name), account: account.id)
        account = changed
        guard isOther || isRevoking else { return [] }
        return [
            changed.update,
            known.update(
                revokedBefore: max(known.revokedBefore, identity.revokedBefore),
                described: max(known.described, identity.issued)),
        ] + skeletons + (isRevoking ? [TokenRecord.removals(of: account.id)] : [])
    }

    /// What may be a name of the one in a token, which is how a person is called: `ada.lovelace` of "Ada Lovelace". It
    /// may be too short for a name.
    private func wish(_ name: String) -> String {
        fault(in: name) == nil ? name : Self.plain(name, charactersMax: accounts.nameCharactersMax)
    }

    /// The name that others see: the backend's, or one made from it where it cannot be a name, or where an account that
    /// signs in by its name has that name or one that looks like it (ACC-1).
    private func shownName(_ name: String) async throws -> String {
        let isName = fault(in: name) == nil
        for attempt in 0..<Self.attemptsMax {
            let text =
                attempt == 0 && isName ? name : derivedStem(of: name) + "-" + Self.digits(Self.derivedDigits)
            if case .none = try await holder(of: Username(text), isOfApp: true) { return text }
        }
        throw Self.overtaken
    }

    private static let derivedDigits = 5

    /// What a derived name begins with: as much of the name as leaves room for what is added.
    private func derivedStem(of name: String) -> String {
        let stem = String(name.prefix(max(1, accounts.nameCharactersMax - Self.derivedDigits - 1)))
        return !stem.isEmpty && fault(in: stem + "-00000") == nil ? stem : "user"
    }

    /// Whether a name is a token's, or was made from it.
    private static func isDerived(_ name: String, from wish: String) -> Bool {
        if name == wish { return true }
        let tail = name.utf8.suffix(derivedDigits)
        let stem = name.utf8.dropLast(derivedDigits)
        guard tail.count == derivedDigits, tail.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            stem.last == UInt8(ascii: "-"), stem.count > 1
        else { return false }
        return wish.utf8.starts(with: stem.dropLast()) || stem.elementsEqual("user-".utf8)
    }

    private func signedIn(
        _ account: AccountRecord, by identity: AppIdentity, token: String, isNew: Bool = false,
        isRevoking: Bool = false
    ) -> SignedIn {
        SignedIn(
            account: account.id, name: account.name, role: account.role, token: token, isNew: isNew,
            appToken: AppTokenTerm(
                issued: identity.issued, expires: identity.expires,
                revokedBefore: isRevoking ? identity.revokedBefore : .epoch))
    }

    /// Ends a token that was signed out, until it would have ended by itself (ACC-6).
    func end(appToken text: String) async throws {
        guard let token = try? AppToken(text), let expires = AppTokenRules.time(token.claims["exp"]) else { return }
        try await store.commit([
            EndedAppToken.insertion(
                signed: String(decoding: token.signed, as: UTF8.self), expires: expires + proofs.appTokens.rules.leeway)
        ])
    }
}

/// How long a sign-in with a token of an app's backend holds.
struct AppTokenTerm: Hashable, Sendable {
    let issued: WallTime
    let expires: WallTime
    /// Newly seen: sessions whose token was issued before it end. `epoch` = nothing new.
    var revokedBefore = WallTime.epoch
}

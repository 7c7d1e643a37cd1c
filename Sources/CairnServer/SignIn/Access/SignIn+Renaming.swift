internal import CairnConfiguration
internal import CairnCore
internal import CairnNames
internal import CairnStore
internal import CairnWire

/// Another name for an account (PRF-2). Where the account has a password its name signs in, and another one is a change
/// of how one gets in (ACC-13).
extension SignIn {
    struct Renaming: Sendable {
        /// False: the same name with other letter case.
        let isOther: Bool
        /// Whether it is a change of how one gets in.
        let isAccess: Bool
        let statements: [Statement]
    }

    /// Gives an account the name that its owner wishes.
    /// - Parameters:
    ///   - account: has the name afterwards.
    ///   - isCounted: whether the limits have counted it, in an attempt before this one.
    /// - Returns: what is committed with the change.
    func renaming(
        _ account: inout AccountRecord, to text: String, by user: Applicant.User, _ applicant: Applicant,
        isCounted: Bool
    ) async throws -> Renaming {
        if let fault = fault(in: text) { throw fault }
        let (old, name) = (account.name, Username(text))
        let isOther = name.compared != Username(old).compared
        let ways = try await waysIn(to: account.id)
        guard !ways.isOfApp else {
            throw Refusal(
                .forbidden, "the app's backend names this account", component: Self.component,
                details: ["field": "username"])
        }
        let isAccess = isOther && ways.hasPassword
        let standing = isAccess ? try await self.standing(of: user) : []
        if isAccess { try await requireProof(user, applicant) }
        var statements = try await rename(&account, to: text, canBeUndone: isAccess)
        statements.append(account.update)
        if isOther, !isCounted {
            try admitRename(of: account.id)
            if isAccess { try await admitChange(of: account.id) }
        }
        guard isAccess else { return Renaming(isOther: isOther, isAccess: false, statements: statements) }
        let language = try await self.language(of: account.id, or: applicant.language)
        let notes = noting(
            .nameChanged(before: old), of: account.id, to: ways.credentials?.provedAddress ?? [], in: language)
        return Renaming(isOther: true, isAccess: true, statements: standing + statements + notes)
    }

    /// Gives an account another name. The old one stays reserved for the account, and signs in to it.
    /// - Parameter canBeUndone: the old name is reserved for as long as the change can be undone, at least.
    /// - Returns: what is committed with the account's own row.
    /// - Throws: `username_taken`.
    private func rename(
        _ account: inout AccountRecord, to text: String, canBeUndone: Bool
    ) async throws -> [Statement] {
        let (old, name) = (Username(account.name), Username(text))
        switch try await holder(of: name, for: account.id) {
        case .account(let holder) where holder.id == account.id: break
        case .account, .another: throw Self.nameTaken
        case .none: break
        }
        account.rename(to: text, foldedName: name.compared)
        let skeletons = SkeletonRecord.replacements(of: name.skeletons, account: account.id)
        guard name.compared != old.compared else { return skeletons }
        let days = max(accounts.reservedNameDays, canBeUndone ? accounts.undoDays : 0)
        return skeletons
            + ReservedName.insertions(old, of: account.id, until: clock.lasting + .seconds(days * 86_400))
            + ReservedName.deletions(name)
    }

    /// Gives an account the name of before the changes that are undone. One that somebody else has by now stays theirs.
    /// - Parameter changes: the newest first.
    func restoreName(
        of account: inout AccountRecord, undoing changes: [AccessChange]
    ) async throws -> [Statement] {
        var before: String?
        for case .nameChanged(let name) in changes { before = name }
        guard let before, before != account.name else { return [] }
        do {
            return try await rename(&account, to: before, canBeUndone: false)
        } catch is Refusal {
            return []
        }
    }
}

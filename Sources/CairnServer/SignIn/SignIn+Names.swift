internal import CairnConfiguration
internal import CairnCore
internal import CairnNames
internal import CairnStore
internal import CairnText
internal import CairnWire
internal import Foundation

/// Accounts under open sign-in, for which a name is enough (ACC-5). A new one has a name that no other has and that
/// looks like no other (ACC-1), as `Username` compares. Accounts of before the rules are still found under theirs.
extension SignIn {
    /// The account that has the name, or else a new one. Success is on disk. The name alone does not sign in to an
    /// admin, or to an account with a password or a provider.
    func open(_ text: String) async throws -> Outcome {
        let text = text.withoutBlanksAround
        guard isOfLength(text) else { return .refused(invalidName(text, nil)) }
        let name = Username(text)
        let token = Secret.make()
        guard let print = Self.print(of: token) else { preconditionFailure("a token is shorter than the longest") }
        for _ in 0..<Self.attemptsMax {
            let now = clock.now
            let account: AccountRecord
            var insertions: [Statement] = []
            var saved: [WireSetting] = []
            var mayBeNotified = false
            switch try await holder(of: name) {
            case .account(let holder):
                guard holder.role != .admin, let open = try await openAccount(holder.id) else {
                    return .refused(Self.nameTaken)
                }
                account = holder
                (saved, mayBeNotified) = open
            case .another: return .refused(Self.nameTaken)
            case .none(let skeletons):
                if let fault = name.fault { return .refused(invalidName(text, fault)) }
                let id = identifiers.next(AccountTag.self, at: now)
                account = AccountRecord(id: id, name: text, foldedName: name.compared, now: now)
                insertions = [account.insertion] + SkeletonRecord.insertions(of: skeletons, account: id)
            }
            insertions.append(TokenRecord.insertion(print, account: account.id, at: clock.lasting, nil))
            // Another hello may make it, or something take it away, meanwhile: then all begins anew.
            guard try await isCommitted(insertions) else { continue }
            var signedIn = SignedIn(
                account: account.id, name: account.name, role: account.role, token: token, isNew: insertions.count > 1)
            (signedIn.settings, signedIn.mayBeNotified, signedIn.hasNewToken) = (saved, mayBeNotified, true)
            return .signedIn(signedIn)
        }
        throw Self.overtaken
    }

    /// Whether a name alone signs in to the account.
    func isOpen(_ account: AccountID) async throws -> Bool { try await openAccount(account) != nil }

    /// The settings of an account to which a name alone signs in, and whether it has notifications; nil = it is none.
    /// One read for all.
    private func openAccount(
        _ account: AccountID
    ) async throws -> (settings: [WireSetting], mayBeNotified: Bool)? {
        let answers = try await store.read([
            CredentialsRecord.query(account), ProviderIdentityRecord.query(of: account), SettingsRecord.query(account),
            StoredNotification.any(of: account),
        ])
        guard answers[0].isEmpty, answers[1].isEmpty else { return nil }
        return (settings(in: answers[2]), !answers[3].isEmpty)
    }

    // MARK: Who has a name

    enum Holder {
        case account(AccountRecord)
        /// Another name looks like this one.
        case another
        /// The name is free, and has these skeletons.
        case none(skeletons: Set<String>)
    }

    /// - Parameters:
    ///   - account: whose name it is to become; it may take back one that it gave up. Nil = a new one's.
    ///   - isOfApp: for an account of an app's backend, whose name may look like that of another such account.
    func holder(of name: Username, for account: AccountID? = nil, isOfApp: Bool = false) async throws -> Holder {
        let small = name.text.lowercased()
        var queries = [AccountRecord.query(named: small)]
        // Accounts of before these rules are found by small letters alone. Most names have one form under both; bytes
        // are compared, because two spellings of one letter are equal as texts.
        if !small.utf8.elementsEqual(name.compared.utf8) { queries.append(AccountRecord.query(named: name.compared)) }
        // Asked together, because a second read costs more than an answer that is not needed; their accounts apart,
        // because nearly no new name looks like another's.
        let skeletons = name.skeletons
        let reserved = ReservedName.queries(name, now: clock.lasting)
        let answers = try await store.read(queries + reserved + SkeletonRecord.queries(of: skeletons, isOfApp: isOfApp))
        for answer in answers.prefix(queries.count) {
            if let row = answer.first { return .account(try AccountRecord(row)) }
        }
        let others = answers.dropFirst(queries.count)
        let owners = others.prefix(reserved.count).compactMap { ReservedName.owner(in: $0) }
        guard owners.allSatisfy({ $0 == account }) else { return .another }
        // A person's new name may look like the one that they give up.
        let alike = others.dropFirst(reserved.count).joined().contains { row in
            account.map { (try? row.integer(1)) != Int64(bitPattern: $0.rawValue) } ?? true
        }
        guard alike else { return .none(skeletons: skeletons) }
        for row in try await store.read(SkeletonRecord.accountQueries(of: skeletons)).joined() {
            let account = try AccountRecord(row)
            // The same name after all, in a spelling that was kept as it is before these rules.
            if Username(account.name).compared == name.compared { return .account(account) }
        }
        return .another
    }

    // MARK: What a name may be

    private static let nameLetterBytes = 16

    /// What is wrong with a name by today's rules; nil = nothing.
    func fault(in text: String) -> Refusal? {
        guard isOfLength(text) else { return invalidName(text, nil) }
        return Username(text).fault.map { invalidName(text, $0) }
    }

    /// A letter may be many code points, but not any number of them.
    private func isOfLength(_ name: String) -> Bool {
        name.utf8.count <= Self.nameLetterBytes * accounts.nameCharactersMax
            && (fewestCharacters(of: name)...accounts.nameCharactersMax).contains(name.count)
    }

    /// How long a name of these letters is at least (PRF-3), and no more than the longest.
    private func fewestCharacters(of name: String) -> Int {
        let (dense, usual) = (accounts.denseNameCharactersMin, accounts.nameCharactersMin)
        return dense < usual && Username(name).isDense ? dense : usual
    }

    private func nameLength(of name: String) -> Refusal.Text {
        let (min, max) = (fewestCharacters(of: name), accounts.nameCharactersMax)
        return Refusal.Text("a name has \(min) to \(max) letters, digits, '.', '_' or '-'")
    }

    private func invalidName(_ name: String, _ fault: Username.Fault?) -> Refusal {
        let text: Refusal.Text =
            switch fault {
            case nil, .letter:
                nameLength(of: name)
            case .mark:
                Refusal.Text("a name does not begin with a mark that is drawn on another letter")
            case .direction:
                Refusal.Text("a name is written in one direction, with digits of one kind, and ends with one of these")
            case .digits:
                Refusal.Text("a name has Arabic digits of one kind only")
            }
        return Refusal(.invalidUsername, text, component: Self.component, details: ["field": "name"])
    }

    /// It does not say which account has the name.
    static let nameTaken = Refusal(
        .usernameTaken, "another account has this name, or one that looks like it", component: component,
        details: ["field": "name"])
}

internal import CairnConfiguration
package import CairnCore
internal import CairnNames
internal import CairnStore
package import CairnWire

/// Lists of accounts for admins and operators (ROL-5).
package struct ListedAccount: Sendable {
    package let id: AccountID
    package let name: String
    package let role: Role
    package let created: WallTime
    package let suspension: Suspensions.Suspension?
}

/// Which accounts are listed.
package enum AccountFilter: Hashable, Sendable {
    case all
    case role(Role)
    /// By the first letters of the name, in any case.
    case prefix(String)

    fileprivate var role: Role? { if case .role(let role) = self { role } else { nil } }

    fileprivate func takes(_ account: AccountRecord) -> Bool {
        guard case .prefix(let prefix) = self else { return true }
        return account.name.lowercased().hasPrefix(prefix.lowercased())
    }
}

extension SignIn {
    /// Most accounts, or entries of the audit log, in a list.
    package static let listedMax = 1_000
    /// Accounts in memory at a time.
    private static let pageRows = 1_000

    /// The newest accounts first. Names are sealed, so a search by name reads every account until enough are found; it
    /// stands in the audit log before its author is answered.
    /// - Parameter before: the last account of the page before; nil = the first page.
    package func accounts(
        _ filter: AccountFilter, before: AccountID? = nil, countMax: Int, by author: AccountAuthor
    ) async throws -> [ListedAccount] {
        let found = try await accounts(filter, before: before, countMax: countMax)
        if case .prefix = filter { try await noteLookUp(of: found.map(\.id), how: "by name", by: author) }
        return found
    }

    /// Enters in the audit log who was looked up, before the author is told anything. The log has no names: what was
    /// searched for does not stand there, and whom it has found does, by id.
    /// - Parameter how: the search in words.
    package func noteLookUp(
        of found: [AccountID], how: String, by author: AccountAuthor, because reason: String = ""
    ) async throws {
        let named = found.prefix(Self.lookedUpNamed).map { identifiers.name(of: $0) }.joined(separator: " ")
        let rest = found.count > Self.lookedUpNamed ? " and \(found.count - Self.lookedUpNamed) more" : ""
        let whom = found.isEmpty ? "nobody" : named + rest
        let words = found.count == 1 ? how : "\(how): \(whom)"
        try await note(
            .lookUp, about: [found.count == 1 ? found[0] : nil], by: author,
            because: reason.isEmpty ? words : "\(words); \(reason)")
    }

    /// Ids that an entry of a search names; beyond it how many more were found.
    private static let lookedUpNamed = 20

    /// What is stored of an account that an operator looks at.
    package enum Known: Sendable {
        case account(ListedAccount)
        /// Its row is damaged: nobody signs in to it.
        case damaged
        /// There is none, or it is being deleted.
        case none
    }

    package func known(_ id: AccountID) async throws -> Known {
        guard let row = try await store.read([AccountRecord.query(id)])[0].first else { return .none }
        do throws(DamagedRow) {
            let account = try AccountRecord(row)
            guard !account.isClosed else { return .none }
            return .account(
                ListedAccount(
                    id: id, name: account.name, role: account.role, created: account.created,
                    suspension: suspensions[id]))
        } catch {
            store.report([error])
            return .damaged
        }
    }

    private func accounts(
        _ filter: AccountFilter, before: AccountID?, countMax: Int
    ) async throws -> [ListedAccount] {
        var found: [ListedAccount] = []
        var last = before.map { Int64(bitPattern: $0.rawValue) } ?? .max
        while true {
            let page = try await store.read([
                AccountRecord.query(below: last, role: filter.role, rowsMax: Self.pageRows)
            ])[0]
            for row in page {
                do throws(DamagedRow) {
                    let account = try AccountRecord(row)
                    guard !account.isClosed, filter.takes(account) else { continue }
                    found.append(
                        ListedAccount(
                            id: account.id, name: account.name, role: account.role, created: account.created,
                            suspension: suspensions[account.id]))
                    if found.count == countMax { return found }
                } catch {
                    store.report([error])
                }
            }
            guard page.count == Self.pageRows, let id = try? page.last?.integer(0) else { return found }
            last = id
        }
    }

    /// The account of an id, of a name, or of an email that was proved: an email that was not may be anybody's.
    package func account(named text: String) async throws -> AccountID? {
        if let id: AccountID = identifiers.identifier(named: text) {
            let query = Query("SELECT 1 FROM accounts WHERE id = ?", .integer(Int64(bitPattern: id.rawValue)))
            if try await !store.read([query])[0].isEmpty { return id }
        }
        if let address = EmailAddress(text) {
            guard let row = try await store.read([CredentialsRecord.query(address)])[0].first else { return nil }
            let credentials = try CredentialsRecord(row)
            return credentials.email?.verified == nil ? nil : credentials.account
        }
        guard text.utf8.count <= Self.nameBytesMax, case .account(let account) = try await holder(of: Username(text))
        else { return nil }
        return account.id
    }

    private static let nameBytesMax = 1_024
}

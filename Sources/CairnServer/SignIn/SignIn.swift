internal import CairnCore
internal import CairnStore
internal import CairnWire
internal import Crypto
internal import Foundation

/// Who is who: turns a name or a token into an account (ACC-5, SES-2).
///
/// With `accounts.open` any name is an account, made on first use. Whatever replaces it - passwords, social sign-in -
/// gives the same `SignedIn`.
struct SignIn: Sendable {
    let store: Store
    let identifiers: IdentifierIssuer
    let clock: ServerClock
    let accounts: Configuration.Accounts

    /// Who a connection belongs to from now on.
    struct SignedIn: Sendable {
        let account: AccountID
        let name: String
        let role: String
        /// The token that resumes the account; only its hash is stored (DAT-8).
        let token: String
        /// Whether the account was made just now.
        var isNew = false
    }

    enum Outcome: Sendable {
        case signedIn(SignedIn)
        /// Nobody in particular. `expired`: a token was shown but is no longer good.
        case guest(expired: Bool)
        case refused(Refusal)
    }

    private static let component = "sign-in"
    private static let day: Int64 = 86_400_000

    private static let seal = Seal("accounts")
    private static let nameSeal = Seal("accounts.folded_name")

    static let migrations = [
        Migration(
            "sealed-accounts-1",
            """
            CREATE TABLE accounts (
                id INTEGER PRIMARY KEY, folded_name BLOB NOT NULL UNIQUE, role TEXT NOT NULL, created INTEGER NOT NULL,
                sealed BLOB NOT NULL
            ) STRICT
            """,
            """
            CREATE TABLE tokens (
                hash BLOB PRIMARY KEY, account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                used INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX tokens_account ON tokens (account)",
            "CREATE INDEX tokens_used ON tokens (used)")
    ]

    func expiries(now: Int64) -> [Statement] {
        [Statement("DELETE FROM tokens WHERE used < ?", .integer(now - Int64(accounts.tokenDays) * Self.day))]
    }

    /// What `hello` says about who it is. Success is on disk.
    func resolve(token: String, name: String) async -> Outcome {
        do {
            if !token.isEmpty {
                if let known = try await account(with: token) { return .signedIn(known) }
                if name.isEmpty || !accounts.open { return .guest(expired: true) }
            }
            guard accounts.open, !name.isEmpty else { return .guest(expired: false) }
            if let refusal = fault(in: name) { return .refused(refusal) }
            return .signedIn(try await open(name))
        } catch {
            return .refused(
                Refusal(
                    .storageUnavailable, "the account cannot be read or written now", component: Self.component,
                    retryAfter: .seconds(1)))
        }
    }

    /// Ends a token at once (ACC-6). On disk when it returns (DAT-2).
    func revoke(_ token: String) async throws(Refusal) {
        guard let hash = Self.hash(token) else { return }
        do {
            try await store.commit([Statement("DELETE FROM tokens WHERE hash = ?", .blob(hash))])
        } catch {
            throw Refusal(
                .storageUnavailable, "the token is still good: come back with it and sign out again",
                component: Self.component, retryAfter: .seconds(1))
        }
    }

    private func account(with token: String) async throws -> SignedIn? {
        guard let hash = Self.hash(token) else { return nil }
        let query = Query(
            """
            SELECT accounts.id, accounts.sealed, accounts.role, tokens.used FROM tokens
            JOIN accounts ON accounts.id = tokens.account WHERE tokens.hash = ?
            """, .blob(hash), opening: Opening(1, Self.seal, row: 0))
        guard let row = try await store.read([query]).first?.first else { return nil }
        let now = clock.now
        guard row.integer(3) >= now - Int64(accounts.tokenDays) * Self.day else { return nil }
        // Nobody waits for that: on a bad disk people still come in to look (DAT-4).
        if row.integer(3) < now - Self.day {
            Task { [store] in
                try await store.commit([
                    Statement("UPDATE tokens SET used = ? WHERE hash = ?", .integer(now), .blob(hash))
                ])
            }
        }
        return SignedIn(
            account: AccountID(rawValue: UInt64(bitPattern: row.integer(0))), name: row.opened(1).text(0),
            role: row.text(2), token: token)
    }

    private func open(_ name: String) async throws -> SignedIn {
        let folded = SQLValue.fingerprint(name.lowercased(), Self.nameSeal)
        let query = Query(
            "SELECT id, sealed, role FROM accounts WHERE folded_name = ?", folded,
            opening: Opening(1, Self.seal, row: 0))
        let token = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }.base64EncodedString()
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
        let now = clock.now
        let fresh: AccountID = identifiers.next(AccountTag.self, at: now)
        let row = Int64(bitPattern: fresh.rawValue)
        try await store.commit([
            Statement(
                """
                INSERT INTO accounts (id, folded_name, role, created, sealed) VALUES (?, ?, 'general', ?, ?)
                ON CONFLICT (folded_name) DO NOTHING
                """,
                .integer(row), folded, .integer(now), .sealed([.text(name)], Self.seal, row: row)),
            Statement(
                "INSERT INTO tokens (hash, account, used) SELECT ?, id, ? FROM accounts WHERE folded_name = ?",
                .blob(Self.hash(token) ?? []), .integer(now), folded),
        ])
        guard let found = try await store.read([query]).first?.first else {
            preconditionFailure("an account that was just committed is not there")
        }
        return SignedIn(
            account: AccountID(rawValue: UInt64(bitPattern: found.integer(0))), name: found.opened(1).text(0),
            role: found.text(2), token: token, isNew: found.integer(0) == row)
    }

    private static let nameLetterBytes = 16

    private func fault(in name: String) -> Refusal? {
        let length = accounts.nameCharactersMin...accounts.nameCharactersMax
        let isValid =
            length.contains(name.count)
            // A letter may be many code points, but not any number of them.
            && name.utf8.count <= Self.nameLetterBytes * length.upperBound
            && name.unicodeScalars.allSatisfy { scalar in
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || ".-_".unicodeScalars.contains(scalar)
            }
        guard !isValid else { return nil }
        return Refusal(
            .invalidUsername,
            "a name has \(length.lowerBound) to \(length.upperBound) letters, digits, '.', '_' or '-'",
            component: Self.component, details: ["field": "name"])
    }

    /// Tokens are 32 random bytes, so a plain hash is enough to keep them from a reader of the database.
    private static func hash(_ token: String) -> [UInt8]? {
        guard token.utf8.count <= 128 else { return nil }
        return Array(SHA256.hash(data: Data(token.utf8)))
    }
}

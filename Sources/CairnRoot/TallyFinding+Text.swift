internal import CairnStore

/// What `cairn verify` says of a table that is not as the server wrote it.
extension TallyFinding {
    /// Most keys that are named.
    private static let keysShownMax = 20

    /// The difference, whose rows they are, and what it means.
    var lines: [String] {
        var lines = ["  not as the server wrote it: \(table): \(difference)"]
        if let meaning = isLost ? Self.lost : Self.meanings[table] { lines.append("    \(meaning)") }
        if !missing.isEmpty { lines.append("    missing: \(Self.list(missing))") }
        if !foreign.isEmpty { lines.append("    not written by the server: \(Self.list(foreign))") }
        return lines
    }

    private static func list(_ keys: [Int64]) -> String {
        let shown = keys.prefix(keysShownMax).map { "account \(UInt64(bitPattern: $0))" }.joined(separator: ", ")
        return keys.count > keysShownMax ? "\(shown) and \(keys.count - keysShownMax) more" : shown
    }

    private static let lost = "what was deleted or changed in it cannot be told any more"

    /// What a missing or changed row of a table gives, in words of the operator. Of the other tables the name says it.
    fileprivate static let meanings = [
        "suspensions": "who was suspended would sign in again; the server keeps them out, and reinstate lets them in",
        "relations": "people who had blocked each other see each other again, or friends are none",
        "votes": "a post may be shown again that votes had hidden, and its voters can vote once more",
        "kept_answers": "a change that is sent again with its key is made twice, and quotas of a day begin anew",
        "post_log": "people can post more than their quota of a day",
        "tokens": "a sign-in is gone, or one was put back; accounts refuse those that they have ended",
        "accounts": "an account is gone or has the state of an earlier day",
        "realm_members": "somebody is a member who was not taken in, or is none any more",
        "notifications": "somebody has lost notifications, or sees old ones as new",
        "purchases": "a tour that was bought is lost, or one is owned that was not paid",
        "ledger": "the sums of sales are wrong; cairn admin ledger compares them with the service's",
        "engagement": "figures of days are wrong; no person is concerned",
    ]
}

extension AbsentRow {
    /// Which row, and what it means.
    var lines: [String] {
        ["  gone: \(self), of which the account's own row says that it is there"]
            + (TallyFinding.meanings[table].map { ["    \($0)"] } ?? [])
    }
}

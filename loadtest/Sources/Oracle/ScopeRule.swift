import CairnClient
import CairnTime
import CairnWire

/// Only members receive what is shared in a sub-realm, and only they use it (SUB-9, VIS-5, PLC-3).
struct ScopeRule {
    private(set) var rights = RightHistory()
    /// Ids of sub-realms by the names of their scopes in topics, and the other way round. The two differ on the wire.
    private var realms: [String: String] = [:]
    private var scopes: [String: String] = [:]
    /// Received items that the history did not allow yet when they came: an answer may follow its items.
    private var doubts: [Doubt] = []
    private var uses: [(bot: Int, use: RightUse)] = []

    private struct Doubt {
        let bot: Int
        let scope: String
        /// The server sent it in this span.
        let since: MonotonicTime
        let at: MonotonicTime
    }

    mutating func take(_ observation: Observation, _ broken: inout Broken) {
        switch observation {
        case .named(let bot, let scope, let realm): learn(scope, of: realm, bot, &broken)
        case .received(let bot, let scope, let since, let at):
            if let realm = realms[scope], rights.holds(realm, bot, from: since, to: at) { return }
            doubts.append(Doubt(bot: bot, scope: scope, since: since, at: at))
        case .did(let bot, let deed):
            for change in deed.rightChanges { rights.take(change) }
            for use in deed.rightUses
            where !rights.holds(use.realm, bot, from: use.requestedAt, to: use.acknowledgedAt) {
                uses.append((bot, use))
            }
        default: break
        }
    }

    private mutating func learn(_ scope: String, of realm: String, _ bot: Int, _ broken: inout Broken) {
        let (known, other) = (realms[scope] ?? realm, scopes[realm] ?? scope)
        guard !realm.isEmpty, known == realm, other == scope else {
            return broken.add(Self.leaked, "bot \(bot) selected \"\(realm)\" and was shown \(name(scope))")
        }
        (realms[scope], scopes[realm]) = (realm, scope)
    }

    /// The name of the rule, which rules of features report, too.
    static let leaked = "scope_leaked"
    static let missing = "scope_missing"

    func judge(_ views: FinalViews, _ broken: inout Broken) {
        for doubt in doubts where !mayReceive(doubt.scope, doubt.bot, from: doubt.since, to: doubt.at) {
            broken.add(Self.leaked, "bot \(doubt.bot) received something of \(name(doubt.scope))")
        }
        for (bot, use) in uses
        where !rights.mayHold(use.realm, bot, from: use.requestedAt, to: use.acknowledgedAt) {
            broken.add("not_a_member", "bot \(bot) used \(use.realm)")
        }
        // The scopes of sub-realms whose own topics a bot follows: members do, wherever they are.
        var followed: [Int: Set<String>] = [:]
        for topic in views.topics {
            if followed[topic.bot] == nil { followed[topic.bot] = [] }
            let name = TopicName(topic.replica.name)
            guard let scope = name.scope, !topic.isOfGuest || !name.isOfGuests else { continue }
            if !mayReceive(String(scope), topic.bot, from: .distantFuture, to: .distantFuture) {
                broken.add(Self.leaked, "bot \(topic.bot) still follows \(self.name(String(scope))) in \(name.home)")
            }
            // The home of anything else than ground has a kind before its number.
            if topic.replica.isComplete, name.home.contains(":") { followed[topic.bot]?.insert(String(scope)) }
        }
        for (bot, own) in followed {
            let held = rights.realmsHeld(by: bot)
            for realm in held {
                guard let scope = scopes[realm], !own.contains(scope) else { continue }
                broken.add(Self.missing, "bot \(bot) does not follow \(name(scope))")
            }
            let nameless = held.count { scopes[$0] == nil } - own.count { realms[$0] == nil }
            broken.add(Self.missing, times: nameless, "bot \(bot) does not follow \(nameless) of its sub-realms")
        }
    }

    /// Whether a person may have been sent something of a scope. While it is unknown which sub-realm has that scope, it
    /// may be any that is unknown otherwise.
    private func mayReceive(
        _ scope: String, _ bot: Int, from start: MonotonicTime, to end: MonotonicTime
    ) -> Bool {
        if let realm = realms[scope] { return rights.mayHold(realm, bot, from: start, to: end) }
        return rights.mayFound(bot, at: end)
            || rights.realms.contains { scopes[$0] == nil && rights.mayHold($0, bot, from: start, to: end) }
    }

    private func name(_ scope: String) -> String { realms[scope].map { "\(scope), sub-realm \($0)" } ?? scope }
}

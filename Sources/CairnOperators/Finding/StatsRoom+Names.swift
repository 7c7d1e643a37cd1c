internal import CairnCore
internal import CairnLogging
internal import CairnServer
internal import CairnWire

extension StatsRoom {
    /// Ids in one question for names.
    static let namesMax = 50

    /// Answers with the names of accounts. First it is entered in the audit log, about each that is named.
    /// - Parameter words: ids of accounts or of sessions.
    func tellNames(of words: [String], for someone: Operator) throws(StatsRefusal) {
        guard (1...Self.namesMax).contains(words.count) else {
            throw StatsRefusal(.badArgument, "wants 1 to \(Self.namesMax) ids of accounts or sessions")
        }
        let ids = Set(words)
        whenBusy(someone) { done in
            ask({ $0.accounts(ofSessions: ids) }) { room, parts in
                let sessions = parts.reduce(into: [String: AccountID]()) { all, part in
                    all.merge(part ?? [:]) { first, _ in first }
                }
                done(room) { room.tellNames(of: words, sessions, for: $0) }
            }
        }
    }

    private func tellNames(of words: [String], _ sessions: [String: AccountID], for someone: Operator) {
        let (context, author) = (context, AccountAuthor.named(someone.name))
        let (identifiers, people) = (context.identifiers, context.names.people)
        perform(for: someone) {
            let asked = words.map { word -> (id: String, account: AccountID?, name: String?) in
                let account: AccountID? = sessions[word] ?? identifiers.identifier(named: word)
                let name = account.flatMap { people.name(of: $0) }
                return (word, name == nil ? nil : account, name)
            }
            let named = Set(asked.compactMap { $0.account })
            try await context.signIn.note(.lookUp, about: Array(named), by: author, because: "name")
            return JSONLine.object { line in
                line.array("names") { line in
                    for (id, account, name) in asked {
                        line.element { line in
                            line.member("id", id)
                            if let account, let name {
                                line.member("account", identifiers.name(of: account))
                                line.member("name", name)
                            } else {
                                line.null("account")
                                line.null("name")
                            }
                        }
                    }
                }
            }
        }
    }
}

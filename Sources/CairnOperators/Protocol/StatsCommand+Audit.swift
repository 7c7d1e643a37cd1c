internal import CairnCore
internal import CairnLogging
internal import CairnServer
internal import CairnText
internal import CairnWire

/// The audit log: who did what to whom, when and why (ROL-5).
extension StatsCommand {
    static var audit: [StatsCommand] {
        [
            StatsCommand(
                "audit", takes: "[ACCOUNT] [what=WHAT] [by=PART] [from=TIME] [to=TIME] [before=ENTRY] [top=N]",
                level: .admin,
                "changes of accounts by others, decisions about organisations, kicks, removals and who was looked up, "
                    + "with author, time and reason, newest first; at most 1,000 of those that one question reads. "
                    + "what = the words for what was done, with commas between, or a minus and those that are left "
                    + "out; by = a part of the author's name or id; a time is a date or milliseconds since 1970, UTC; "
                    + "next = what before= goes on with"
            ) { room, someone, arguments throws(StatsRefusal) in
                room.audit(try AuditChoice(arguments, room.context.identifiers), for: someone)
            }
        ]
    }
}

/// The entries that an operator asks for.
struct AuditChoice: Sendable {
    /// Whom they are about: the id, the name or the proved email of an account; nil = anybody.
    private(set) var about: String?
    private(set) var filter = AuditFilter()
    private(set) var top = SignIn.listedMax

    init(_ arguments: StatsArguments, _ identifiers: IdentifierIssuer) throws(StatsRefusal) {
        for word in arguments.words {
            if let names = Self.value(of: "what", in: word) {
                filter.actions = try Self.actions(names)
            } else if let part = Self.value(of: "by", in: word) {
                if !part.isEmpty { filter.author.append(part) }
            } else if let time = try StatsArguments.time("from", in: word) {
                filter.from = time
            } else if let time = try StatsArguments.time("to", in: word) {
                filter.to = time
            } else if let name = Self.value(of: "before", in: word) {
                guard let entry: AuditID = identifiers.identifier(named: name) else {
                    throw StatsRefusal(.badArgument, "before= wants the next of the page before")
                }
                filter.before = entry
            } else if let count = Self.value(of: "top", in: word) {
                guard let top = Int(count), (1...SignIn.listedMax).contains(top) else {
                    throw StatsRefusal(.badArgument, "top= wants 1 to \(SignIn.listedMax)")
                }
                self.top = top
            } else if about == nil {
                about = word
            } else {
                throw StatsRefusal(.badArgument, "wants one account; \(word.prefix(40)) is the second")
            }
        }
    }

    private static func actions(_ names: String) throws(StatsRefusal) -> Set<AuditRecord.Action> {
        var actions: Set<AuditRecord.Action> = []
        let isAllBut = names.hasPrefix("-")
        for name in names.dropFirst(isAllBut ? 1 : 0).pieces(at: ",").map(String.init) {
            guard let action = AuditRecord.Action(rawValue: name) else {
                let all = AuditRecord.Action.allCases.map(\.rawValue)
                throw StatsRefusal(
                    .badArgument, "what= got \(name.prefix(40)), wants some of \(all.joined(separator: ","))",
                    nearest: NearestName.of(name, in: all))
            }
            actions.insert(action)
        }
        return isAllBut ? Set(AuditRecord.Action.allCases).subtracting(actions) : actions
    }

    private static func value(of name: String, in word: String) -> String? {
        word.hasPrefix(name + "=") ? String(word.dropFirst(name.utf8.count + 1)) : nil
    }
}

extension StatsArguments {
    /// The time in `NAME=TIME`: a date, or milliseconds since 1970, UTC.
    /// - Returns: nil when the word has another name, or there is none.
    static func time(_ name: String, in word: String?) throws(StatsRefusal) -> WallTime? {
        guard let word, word.hasPrefix(name + "=") else { return nil }
        let value = String(word.dropFirst(name.utf8.count + 1))
        if let day = CalendarDay.number(value), day >= 0 { return WallTime(milliseconds: day * 86_400_000) }
        guard let number = Int64(value), (0...latest).contains(number) else {
            throw StatsRefusal(.badArgument, "\(name)= wants a date such as 2026-03-31, or milliseconds since 1970")
        }
        return WallTime(milliseconds: number)
    }

    /// The end of the year 9998: what is later cannot be stored.
    private static let latest: Int64 = 253_370_764_799_999
}

extension StatsRoom {
    fileprivate func audit(_ choice: AuditChoice, for someone: Operator) {
        let (signIn, identifiers) = (context.signIn, context.identifiers)
        perform(for: someone) {
            var filter = choice.filter
            if let name = choice.about {
                // Entries outlive their account.
                filter.account = try await signIn.account(named: name) ?? identifiers.identifier(named: name)
                if filter.account == nil { throw Self.noAccount }
            }
            let page = try await signIn.audit(filter, countMax: choice.top)
            return JSONLine.object { line in
                line.member("count", page.records.count)
                line.audit(page.records, identifiers)
                line.list("actions", AuditRecord.Action.allCases.map(\.rawValue))
                if let next = page.next { line.member("next", identifiers.name(of: next)) } else { line.null("next") }
            }
        }
    }
}

extension JSONLine {
    /// What stands in the audit log, the newest first.
    mutating func audit(_ records: [AuditRecord], _ identifiers: IdentifierIssuer) {
        array("audit") { line in
            for record in records { line.element { $0.members(of: record, identifiers) } }
        }
    }

    private mutating func members(of record: AuditRecord, _ identifiers: IdentifierIssuer) {
        member("at", Int(record.at.milliseconds))
        let author = record.author.name(by: identifiers)
        switch record.author {
        case .operator, .named: member("operator", author)
        case .admin: member("admin", author)
        case .member: member("member", author)
        }
        member("what", record.action.rawValue)
        if let account = record.account { member("account", identifiers.name(of: account)) }
        if let organisation = record.organisation { member("organisation", identifiers.name(of: organisation)) }
        if record.from != record.to {
            member("from", record.from.rawValue)
            member("to", record.to.rawValue)
        }
        if let (kind, id) = record.subject {
            switch kind {
            case .thing: member("thing", id)
            case .tour: member("tour", id)
            case .purchase: member("purchase", id)
            }
        }
        member("reason", record.words)
    }
}

internal import CairnConfiguration
internal import CairnCore
internal import CairnFeatures
internal import CairnGeo
internal import CairnLogging
internal import CairnServer
internal import CairnStore
internal import CairnWire
internal import Logging

/// Commands against what people do and leave (ROL-5, MOD-4). Each is logged.
extension StatsCommand {
    static var moderating: [StatsCommand] {
        [
            StatsCommand(
                "kick", takes: "SESSION|ACCOUNT [REASON]", level: .admin,
                "close the connections of a session or an account, and end their sign-in"
            ) { room, someone, arguments throws(StatsRefusal) in
                guard let name = arguments.words.first else {
                    throw StatsRefusal(.badArgument, "wants the id of a session or an account")
                }
                room.kick(name, because: try arguments.checkedReason(after: 1), for: someone)
            },
            StatsCommand(
                "ban", takes: "SESSION|ACCOUNT [until=TIME] [REASON]", level: .admin,
                "suspend an account, or that of a session: its connections are closed, and sign-ins are refused until "
                    + "TIME (a date, or milliseconds since 1970, UTC) or unban"
            ) { room, someone, arguments throws(StatsRefusal) in
                let end = try StatsArguments.time("until", in: arguments.words.dropFirst().first)
                if let end, end <= room.context.clock.now {
                    throw StatsRefusal(.badArgument, "until= wants a time that is not over")
                }
                let reason = arguments.reason(after: end == nil ? 1 : 2)
                room.suspend(try arguments.account(), until: end, because: reason, for: someone)
            },
            StatsCommand("unban", takes: "ACCOUNT [REASON]", level: .admin, "let a suspended account in again") {
                room, someone, arguments throws(StatsRefusal) in
                room.reinstate(try arguments.account(), because: arguments.reason(after: 1), for: someone)
            },
            StatsCommand(
                "bans", level: .admin,
                "the suspended accounts, since when, until when and why, newest first; at most 1,000"
            ) {
                room, someone, arguments throws(StatsRefusal) in
                try arguments.none()
                let (identifiers, suspensions) = (room.context.identifiers, room.context.suspensions)
                let all = suspensions.all.sorted { $0.value.at > $1.value.at }
                room.answer(someone) { line in
                    line.member("count", all.count)
                    line.array("suspended") { line in
                        for (account, suspension) in all.prefix(Self.bansMax) {
                            line.element { line in
                                line.member("account", identifiers.name(of: account))
                                line.members(of: suspension, suspensions)
                            }
                        }
                    }
                }
            },
            StatsCommand(
                InstanceWithdrawal.command, takes: "INSTANCE [REASON]", level: .admin,
                "remove an instance; the clients that show it are informed"
            ) { room, someone, arguments throws(StatsRefusal) in
                guard let name = arguments.words.first,
                    let id: InstanceID = room.context.identifiers.identifier(named: name)
                else { throw StatsRefusal(.badArgument, "wants the id of an instance, as clients are told it") }
                room.withdraw(id, because: try arguments.checkedReason(after: 1), for: someone)
            },
        ]
    }

    /// Lines of `bans`.
    private static let bansMax = 1_000
}

extension StatsRoom {
    fileprivate func kick(_ name: String, because reason: String, for someone: Operator) {
        noteAction("kick", of: someone)
        whenBusy(someone) { done in
            ask({ $0.kick(name) }) { room, parts in
                let count = parts.reduce(0) { $0 + ($1?.count ?? 0) }
                let tokens = parts.reduce(into: Set<String>()) { $0.formUnion($1?.tokens ?? []) }
                let accounts = parts.reduce(into: Set<AccountID>()) { $0.formUnion($1?.accounts ?? []) }
                done(room) { someone in
                    guard count > 0 else {
                        return room.answer(
                            someone, refusal: StatsRefusal(.notFound, "nobody of that id is connected"))
                    }
                    let (signIn, shards) = (room.context.signIn, room.shards)
                    let author = AccountAuthor.named(someone.name)
                    room.perform(for: someone) {
                        try await signIn.note(.kick, about: Array(accounts), by: author, because: reason)
                        try await Shard.revoke(tokens, signIn: signIn, on: shards)
                        return JSONLine.object { $0.member("closed", count) }
                    }
                }
            }
        }
    }

    /// - Parameter name: of a session, whose account is suspended, or of an account.
    fileprivate func suspend(_ name: String, until end: WallTime?, because reason: String, for someone: Operator) {
        noteAction("ban", of: someone)
        whenBusy(someone) { done in
            ask({ $0.account(ofSession: name) }) { room, parts in
                let account = parts.compactMap { $0 ?? nil }.first
                done(room) { room.suspend(account, or: name, until: end, because: reason, for: $0) }
            }
        }
    }

    private func suspend(
        _ account: AccountID?, or name: String, until end: WallTime?, because reason: String, for someone: Operator
    ) {
        let (signIn, shards, identifiers) = (context.signIn, shards, context.identifiers)
        let author = AccountAuthor.named(someone.name)
        perform(for: someone) {
            var account = account
            if account == nil { account = try await signIn.account(named: name) }
            guard let account else {
                throw StatsRefusal(.notFound, "there is no session and no account of that id or name")
            }
            let order = try AccountOrder(account, by: author, because: reason)
            let count = try await signIn.suspend(by: order, until: end, on: shards)
            return JSONLine.object { line in
                line.member("account", identifiers.name(of: account))
                line.member("closed", count)
            }
        }
    }

    fileprivate func reinstate(_ name: String, because reason: String, for someone: Operator) {
        noteAction("unban", of: someone)
        let (signIn, shards, identifiers) = (context.signIn, shards, context.identifiers)
        let author = AccountAuthor.named(someone.name)
        perform(for: someone) {
            guard let account = try await signIn.account(named: name) else { throw Self.noAccount }
            try await signIn.reinstate(by: try AccountOrder(account, by: author, because: reason), on: shards)
            return JSONLine.object { $0.member("reinstated", identifiers.name(of: account)) }
        }
    }

    fileprivate func withdraw(_ id: InstanceID, because reason: String, for someone: Operator) {
        let author = AccountAuthor.named(someone.name)
        let name = context.identifiers.name(of: id)
        context.logger.notice(
            "an operator acts",
            metadata: [
                "action": "\(InstanceWithdrawal.command)", "instance": "\(name)", "operator": "\(someone.name)",
            ])
        let (context, shards) = (context, shards)
        perform(for: someone) {
            var isNoted = false
            // The instance may move to another cell during the search.
            for _ in 0..<Self.withdrawalTries {
                let kinds = context.register.withdrawals
                let answers = try await context.store.read(kinds.map { $0.whereabouts(id, context.clock.lasting) })
                guard let (kind, rows) = zip(kinds, answers).first(where: { !$1.isEmpty }) else {
                    return Self.errorLine(code: StatsRefusal.Code.notFound.rawValue, "there is no such instance")
                }
                let record = try kind.record(rows[0])
                let cell = CellID(record.coordinate, level: context.configuration.cells.level)
                // Nothing is done unnoted; whose it was stands there as well.
                if !isNoted {
                    try await context.signIn.note(
                        .instanceRemove, on: name, about: [record.owner], by: author, because: reason)
                    isNoted = true
                }
                if await Shard.withdraw(id, from: cell, in: context, on: shards) {
                    return JSONLine.object { $0.member("removed", name) }
                }
            }
            return Self.errorLine(code: StatsRefusal.Code.notAvailable.rawValue, "it could not be removed now")
        }
    }

    private static let withdrawalTries = 3
}

extension JSONLine {
    /// The members of a suspension.
    mutating func members(of suspension: Suspensions.Suspension, _ suspensions: Suspensions) {
        member("since", Int(suspension.at.milliseconds))
        if let until = suspension.until {
            member("until", Int(suspensions.wallTime(of: until).milliseconds))
        } else {
            null("until")
        }
        member("reason", suspension.reason)
    }
}

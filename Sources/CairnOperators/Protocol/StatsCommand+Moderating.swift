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
                "kick", takes: "SESSION|ACCOUNT", level: .admin,
                "close the connections of a session or an account, and end the sign-in that they came by"
            ) { room, someone, arguments throws(StatsRefusal) in
                room.kick(try arguments.one("the id of a session or an account"), for: someone)
            },
            StatsCommand(
                "ban", takes: "SESSION|ACCOUNT [REASON]", level: .admin,
                "suspend an account, or that of a session: its connections are closed, and it does not get in until "
                    + "unban"
            ) { room, someone, arguments throws(StatsRefusal) in
                let account = try Self.account(arguments, room.context.identifiers)
                let reason = arguments.words.dropFirst().joined(separator: " ")
                guard reason.count <= OperatorNotice.charactersMax else {
                    throw StatsRefusal(
                        .badArgument,
                        "got \(reason.count) characters, wants a reason of at most \(OperatorNotice.charactersMax)")
                }
                room.suspend(arguments.words[0], or: account, because: reason, for: someone)
            },
            StatsCommand("unban", takes: "ACCOUNT", level: .admin, "let a suspended account in again") {
                room, someone, arguments throws(StatsRefusal) in
                _ = try arguments.one("the id of an account")
                let account = try Self.account(arguments, room.context.identifiers)
                guard room.context.suspensions[account] != nil else {
                    throw StatsRefusal(.notFound, "no account of that id is suspended")
                }
                room.reinstate(account, for: someone)
            },
            StatsCommand(
                "bans", level: .admin, "the suspended accounts, since when and why, newest first; at most 1,000"
            ) {
                room, someone, arguments throws(StatsRefusal) in
                try arguments.none()
                let identifiers = room.context.identifiers
                let all = room.context.suspensions.all.sorted { $0.value.at > $1.value.at }
                room.answer(someone) { line in
                    line.member("count", all.count)
                    line.array("suspended") { line in
                        for (account, suspension) in all.prefix(Self.bansMax) {
                            line.element { line in
                                line.member("account", identifiers.name(of: account))
                                line.member("since", Int(suspension.at.milliseconds))
                                line.member("reason", suspension.reason)
                            }
                        }
                    }
                }
            },
            StatsCommand(
                InstanceWithdrawal.command, takes: "INSTANCE", level: .admin,
                "take a thing away; whoever sees it is told that it has left"
            ) { room, someone, arguments throws(StatsRefusal) in
                let name = try arguments.one("the id of an instance")
                guard let id: InstanceID = room.context.identifiers.identifier(named: name) else {
                    throw StatsRefusal(.badArgument, "wants the id of an instance, as clients are told it")
                }
                room.withdraw(id, for: someone)
            },
        ]
    }

    /// Lines of `bans`.
    private static let bansMax = 1_000

    private static func account(
        _ arguments: StatsArguments, _ identifiers: IdentifierIssuer
    ) throws(StatsRefusal) -> AccountID {
        guard let name = arguments.words.first, let account: AccountID = identifiers.identifier(named: name) else {
            throw StatsRefusal(.badArgument, "wants the id of an account")
        }
        return account
    }
}

extension StatsRoom {
    fileprivate func kick(_ name: String, for someone: Operator) {
        noteAction("kick", of: someone)
        whenBusy(someone) { done in
            ask({ $0.kick(name) }) { room, parts in
                let count = parts.reduce(0) { $0 + ($1?.count ?? 0) }
                let tokens = parts.reduce(into: Set<String>()) { $0.formUnion($1?.tokens ?? []) }
                done(room) { someone in
                    guard count > 0 else {
                        return room.answer(
                            someone, refusal: StatsRefusal(.notFound, "nobody of that id is connected"))
                    }
                    let (signIn, shards) = (room.context.signIn, room.shards)
                    room.perform(for: someone) {
                        try await Shard.revoke(tokens, signIn: signIn, on: shards)
                        return JSONLine.object { $0.member("closed", count) }
                    }
                }
            }
        }
    }

    /// - Parameters:
    ///   - name: the name of a session; its account is suspended.
    ///   - account: the account of that name, for when no session has the name.
    fileprivate func suspend(
        _ name: String, or account: AccountID, because reason: String, for someone: Operator
    ) {
        noteAction("ban", of: someone)
        whenBusy(someone) { done in
            ask({ $0.account(ofSession: name) }) { room, parts in
                let account = parts.compactMap { $0 ?? nil }.first ?? account
                done(room) { room.suspend(account, because: reason, for: $0) }
            }
        }
    }

    private func suspend(_ account: AccountID, because reason: String, for someone: Operator) {
        let (suspensions, shards, now) = (context.suspensions, shards, context.clock.now)
        let name = context.identifiers.name(of: account)
        perform(for: someone) {
            guard try await suspensions.exists(account) else {
                return Self.errorLine(
                    code: StatsRefusal.Code.notFound.rawValue, "there is no session and no account of that id")
            }
            // On disk and in memory before the first connection is closed, so no sign-in comes in between.
            try await suspensions.suspend(account, Suspensions.Suspension(reason: reason, at: now))
            var count = 0
            for shard in shards { count += await shard.endSessions(of: account) }
            return JSONLine.object { [count] line in
                line.member("account", name)
                line.member("closed", count)
            }
        }
    }

    fileprivate func reinstate(_ account: AccountID, for someone: Operator) {
        noteAction("unban", of: someone)
        let (suspensions, name) = (context.suspensions, context.identifiers.name(of: account))
        perform(for: someone) {
            try await suspensions.reinstate(account)
            return JSONLine.object { $0.member("reinstated", name) }
        }
    }

    fileprivate func withdraw(_ id: InstanceID, for someone: Operator) {
        let name = context.identifiers.name(of: id)
        context.logger.notice(
            "an operator acts",
            metadata: [
                "action": "\(InstanceWithdrawal.command)", "instance": "\(name)", "operator": "\(someone.number)",
            ])
        let (context, shards) = (context, shards)
        perform(for: someone) {
            // The instance may move to another cell during the search.
            for _ in 0..<Self.withdrawalTries {
                let kinds = context.register.withdrawals
                let answers = try await context.store.read(kinds.map { $0.whereabouts(id, context.clock.lasting) })
                guard let (kind, rows) = zip(kinds, answers).first(where: { !$1.isEmpty }) else {
                    return Self.errorLine(code: StatsRefusal.Code.notFound.rawValue, "there is no such instance")
                }
                let cell = try kind.cell(rows[0], context.configuration.cells.level)
                if await Shard.withdraw(id, from: cell, in: context, on: shards) {
                    return JSONLine.object { $0.member("removed", name) }
                }
            }
            return Self.errorLine(code: StatsRefusal.Code.notAvailable.rawValue, "it could not be removed now")
        }
    }

    private static let withdrawalTries = 3
}

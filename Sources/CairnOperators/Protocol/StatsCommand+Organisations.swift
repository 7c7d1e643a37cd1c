internal import CairnCore
internal import CairnLogging
internal import CairnServer
internal import CairnWire

/// Commands about organisations and the requests for their accounts (ORG-2, ORG-3). Each that acts is logged and has
/// its entry in the audit log.
extension StatsCommand {
    static var organisations: [StatsCommand] {
        [
            StatsCommand(
                "organisations", level: .admin,
                "the organisations, at most 1,000, and the open requests for an organisation account, oldest first, at "
                    + "most 100"
            ) { room, someone, arguments throws(StatsRefusal) in
                try arguments.none()
                room.listOrganisations(for: someone)
            },
            StatsCommand(
                "organisation-accept", takes: "REQUEST [ORGANISATION]", level: .admin,
                "accept a request: the account belongs to the organisation of the name, or to the one that is given"
            ) { room, someone, arguments throws(StatsRefusal) in
                guard (1...2).contains(arguments.words.count) else {
                    throw StatsRefusal(.badArgument, "wants a request, and perhaps an organisation")
                }
                let request: OrganisationRequestID = try room.identifier(arguments.words[0], "request")
                let organisation: OrganisationID? =
                    arguments.words.count == 1 ? nil : try room.identifier(arguments.words[1], "organisation")
                room.decide("organisation-accept", for: someone) { author, signIn, shards in
                    let (decision, count) = try await signIn.accept(
                        request, into: organisation, by: author, because: "", on: shards)
                    return JSONLine.object { line in
                        line.members(of: decision, signIn)
                        line.member("connections", count)
                    }
                }
            },
            StatsCommand(
                "organisation-deny", takes: "REQUEST REASON", level: .admin,
                "deny a request; the person is notified with the reason"
            ) { room, someone, arguments throws(StatsRefusal) in
                guard arguments.words.count >= 2 else {
                    throw StatsRefusal(.badArgument, "wants a request and a reason")
                }
                let request: OrganisationRequestID = try room.identifier(arguments.words[0], "request")
                let reason = try arguments.checkedReason(after: 1)
                room.decide("organisation-deny", for: someone) { author, signIn, shards in
                    let decision = try await signIn.deny(request, by: author, because: reason, on: shards)
                    return JSONLine.object { $0.members(of: decision, signIn) }
                }
            },
            StatsCommand(
                "organisation-add", takes: "ACCOUNT NAME", level: .admin,
                "make an account a user of the organisation of this name, which is made if there is none"
            ) { room, someone, arguments throws(StatsRefusal) in
                let name = try arguments.organisationName(after: 1)
                room.order("organisation-add", try arguments.account(), "", for: someone) { order, signIn, shards in
                    let (decision, count) = try await signIn.setOrganisation(name, by: order, on: shards)
                    let organisation = decision.organisation.map { signIn.identifiers.name(of: $0) } ?? ""
                    return { line in
                        line.member("organisation", organisation)
                        line.member("connections", count)
                    }
                }
            },
            StatsCommand(
                "organisation-remove", takes: "ACCOUNT [REASON]", level: .admin,
                "end an account's membership of its organisation: it becomes a general account"
            ) { room, someone, arguments throws(StatsRefusal) in
                room.order("organisation-remove", try arguments.account(), arguments.reason(after: 1), for: someone) {
                    order, signIn, shards in
                    let count = try await signIn.expel(by: order, on: shards)
                    return { line in
                        line.member("role", Role.general.rawValue)
                        line.member("connections", count)
                    }
                }
            },
            suspension(
                "organisation-suspend", "suspend an organisation: its members are notified, and it accepts no new ones"
            ) { id, author, reason, signIn, shards in
                try await signIn.suspend(id, by: author, because: reason, on: shards)
            },
            suspension("organisation-reinstate", "end the suspension of an organisation") {
                id, author, reason, signIn, shards in
                try await signIn.reinstate(id, by: author, because: reason, on: shards)
            },
        ]
    }

    private static func suspension(
        _ name: String, _ meaning: String,
        _ act: @escaping @Sendable (OrganisationID, AccountAuthor, String, SignIn, [Shard]) async throws -> Int
    ) -> StatsCommand {
        StatsCommand(name, takes: "ORGANISATION [REASON]", level: .admin, meaning) {
            room, someone, arguments throws(StatsRefusal) in
            guard let word = arguments.words.first else {
                throw StatsRefusal(.badArgument, "wants the id of an organisation")
            }
            let id: OrganisationID = try room.identifier(word, "organisation")
            let reason = try arguments.checkedReason(after: 1)
            room.decide(name, for: someone) { author, signIn, shards in
                let count = try await act(id, author, reason, signIn, shards)
                return JSONLine.object { line in
                    line.member("organisation", word)
                    line.member("connections", count)
                }
            }
        }
    }
}

extension StatsArguments {
    func checkedReason(after count: Int) throws(StatsRefusal) -> String {
        let reason = reason(after: count)
        do throws(Refusal) { try AccountOrder.check(reason: reason) } catch {
            throw StatsRefusal(.badArgument, error.message)
        }
        return reason
    }

    fileprivate func organisationName(after count: Int) throws(StatsRefusal) -> OrganisationName {
        do throws(Refusal) { return try OrganisationName(new: reason(after: count)) } catch {
            throw StatsRefusal(.badArgument, error.message)
        }
    }
}

extension StatsRoom {
    /// The id that a word of a command names.
    func identifier<Tag>(_ word: String, _ what: String) throws(StatsRefusal) -> Identifier<Tag> {
        guard let id: Identifier<Tag> = context.identifiers.identifier(named: word) else {
            throw StatsRefusal(.notFound, "there is no such \(what)")
        }
        return id
    }

    /// Carries out what is not about an account that the operator names.
    func decide(
        _ command: String, for someone: Operator,
        _ action: @escaping @Sendable (AccountAuthor, SignIn, [Shard]) async throws -> [UInt8]
    ) {
        noteAction(command, of: someone)
        let (signIn, shards, author) = (context.signIn, shards, AccountAuthor.named(someone.name))
        perform(for: someone) { try await action(author, signIn, shards) }
    }

    fileprivate func listOrganisations(for someone: Operator) {
        let signIn = context.signIn
        perform(for: someone) {
            let requests = try await signIn.openRequests(after: nil, countMax: 100)
            let organisations = signIn.organisations
            return JSONLine.object { line in
                line.member("open", organisations.figures.openRequests)
                line.array("requests") { line in
                    for request in requests { line.element { $0.members(of: request, signIn) } }
                }
                line.array("organisations") { line in
                    for organisation in organisations.all().prefix(SignIn.listedMax) {
                        line.element { $0.members(of: organisation, signIn) }
                    }
                }
            }
        }
    }
}

extension JSONLine {
    fileprivate mutating func members(of decision: OrganisationDecision, _ signIn: SignIn) {
        if let account = decision.account { member("account", signIn.identifiers.name(of: account)) }
        if let organisation = decision.organisation {
            member("organisation", signIn.identifiers.name(of: organisation))
        }
    }

    fileprivate mutating func members(of request: OrganisationRequestRecord, _ signIn: SignIn) {
        member("request", signIn.identifiers.name(of: request.id))
        member("account", signIn.identifiers.name(of: request.account))
        member("name", request.name.text)
        member("justification", request.justification)
        member("at", Int(request.at.milliseconds))
        // The operator who accepts it has to know whether that makes a new organisation.
        if let known = signIn.knownOrganisation(of: request) { member("known", signIn.identifiers.name(of: known.id)) }
    }

    mutating func members(of organisation: Organisation, _ signIn: SignIn) {
        member("organisation", signIn.identifiers.name(of: organisation.id))
        member("name", organisation.name.text)
        member("created", Int(organisation.created.milliseconds))
        member("suspended", organisation.suspension != nil)
        member("reason", organisation.suspension?.reason ?? "")
        array("members") { line in
            for member in signIn.organisations.members(of: organisation.id) {
                line.element { $0.member("account", signIn.identifiers.name(of: member.account)) }
            }
        }
    }
}

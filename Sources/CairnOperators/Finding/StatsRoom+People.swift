internal import CairnCore
internal import CairnFeatures
internal import CairnGeo
internal import CairnLogging
internal import CairnServer
internal import CairnStore
internal import CairnWire

/// What is known of an account, without its sessions.
private struct PersonFile: Sendable {
    let account: AccountID
    let known: SignIn.Known
    /// How many instances it has, by kind.
    let holds: [(kind: String, count: Int)]
    let tour: TourID?
    /// The first page.
    let left: LeftPage
    let audit: [AuditRecord]
}

extension StatsRoom {
    /// Entries of the audit log that a page has: of what was done, and of who looked. Each look adds one.
    private static let auditMax = 20

    /// - Parameter name: of an account or a session.
    func showPerson(_ name: String, because reason: String, for someone: Operator) {
        whenBusy(someone) { done in
            ask({ $0.account(ofSession: name) }) { room, parts in
                let account = parts.compactMap { $0 ?? nil }.first
                done(room) { room.show(account, or: name, because: reason, for: $0) }
            }
        }
    }

    private func show(_ account: AccountID?, or name: String, because reason: String, for someone: Operator) {
        let (context, author) = (context, AccountAuthor.named(someone.name))
        let file: @Sendable () async throws -> PersonFile = {
            var account = account
            if account == nil { account = try await context.signIn.account(named: name) }
            guard let account else {
                throw StatsRefusal(.notFound, "there is no session and no account of that id or name")
            }
            let known = try await context.signIn.known(account)
            if case .none = known { throw StatsRefusal(.notFound, "the account is being deleted") }
            try await context.signIn.noteLookUp(of: [account], how: "page", by: author, because: reason)
            return try await Self.file(of: account, known, in: context)
        }
        perform(for: someone, file) { room, someone, file in
            room.whenBusy(someone) { done in
                room.ask({ $0.sessions(of: file.account) }) { room, parts in
                    let sessions = parts.flatMap { $0 ?? [] }
                    done(room) { room.answer($0) { $0.write(file, sessions, room.context) } }
                }
            }
        }
    }

    private static func file(
        of account: AccountID, _ known: SignIn.Known, in context: ServerContext
    ) async throws -> PersonFile {
        let kinds = context.register.withdrawals
        let now = context.clock.lasting
        let answers = try await context.store.read(
            [WalkedTour.query(of: account)] + kinds.map { $0.count(account, now) })
        var damage: [DamagedRow] = []
        let tour = WalkedTour.tour(in: answers[0], into: &damage)
        context.store.report(damage)
        return PersonFile(
            account: account, known: known,
            holds: zip(kinds, answers.dropFirst()).map { kind, rows in
                (kind.kind.name.text, Int((try? rows.first?.integer(0)) ?? 0))
            },
            tour: tour, left: try await LeftPage.read(of: account, in: context),
            audit: try await audit(of: account, context.signIn))
    }

    private static func audit(of account: AccountID, _ signIn: SignIn) async throws -> [AuditRecord] {
        var filter = AuditFilter()
        filter.account = account
        filter.actions = [.lookUp]
        let looks = try await signIn.audit(filter, countMax: auditMax).records
        filter.actions = Set(AuditRecord.Action.allCases).subtracting([.lookUp])
        let deeds = try await signIn.audit(filter, countMax: auditMax).records
        return (looks + deeds).sorted { $0.id > $1.id }
    }
}

extension JSONLine {
    fileprivate mutating func write(_ file: PersonFile, _ sessions: [PersonSession], _ context: ServerContext) {
        let identifiers = context.identifiers
        member("account", identifiers.name(of: file.account))
        var isAdmin = false
        if case .account(let account) = file.known {
            isAdmin = account.role == .admin
            member("name", account.name)
            member("role", account.role.rawValue)
            member("created", Int(account.created.milliseconds))
        } else {
            member("isDamaged", true)
        }
        if let organisation = context.organisations.organisation(of: file.account) {
            object("organisation") { line in
                line.member("organisation", identifiers.name(of: organisation.id))
                line.member("name", organisation.name.text)
            }
        }
        let suspension = context.suspensions[file.account]
        if let suspension {
            object("suspended") { line in
                line.members(of: suspension, context.suspensions)
            }
        } else {
            null("suspended")
        }
        object("holds") { line in for (kind, count) in file.holds { line.member(named: kind, count) } }
        if let tour = file.tour { member("walks", identifiers.name(of: tour)) }
        object("left") { $0.members(of: file.left, context) }
        array("sessions") { line in
            for session in sessions { line.element { $0.members(of: session) } }
        }
        list(
            "can",
            (sessions.isEmpty ? [] : ["kick"]) + [suspension == nil ? "ban" : "unban", "sign-out"]
                + (isAdmin ? ["role"] : ["role", "organisation-add"]))
        audit(file.audit, identifiers)
    }

    private mutating func members(of session: PersonSession) {
        member("session", session.session)
        member("frontEnd", session.frontEnd)
        if let cell = session.cell { member("cell", cell.token) } else { null("cell") }
        member("inSpace", session.isInSpace)
        member("seconds", session.seconds)
        member("isCut", session.isCut)
    }
}

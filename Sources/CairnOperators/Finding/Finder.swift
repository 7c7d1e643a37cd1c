internal import CairnCore
internal import CairnServer
internal import CairnStore
internal import CairnWire

/// Looks a text up in the world, off the room's thread. Only admins' searches come here.
struct Finder: Sendable {
    let context: ServerContext
    let author: AccountAuthor

    /// All that the text finds, people first; who is found stands in the audit log before this returns.
    /// - Parameter session: the account of the session with this id; nil = there is no such session.
    func hits(_ sought: SearchText, session: AccountID?) async throws -> [FindHit] {
        var hits = try await people(sought)
        if let id = sought.id {
            if session != nil {
                hits.append(FindHit(kind: "session", id: id, title: "a session", show: "person \(id)"))
            }
            hits += try await instances(id)
            hits += try await purchases(id)
        }
        hits += organisations(sought)
        for seeker in OperatorFeatures.seekers { hits += try await seeker.hits(sought, context) }
        return hits
    }

    // MARK: People

    private func people(_ sought: SearchText) async throws -> [FindHit] {
        var found: [AccountID] = []
        if let word = sought.name ?? sought.id, let account = try await account(named: word) { found.append(account) }
        if let name = sought.name {
            let others = context.names.people.entries(beginningWith: name, max: FindHit.perKindMax + 1).map(\.id)
            found += others.filter { !found.contains($0) }
        }
        if sought.name != nil || !found.isEmpty {
            try await context.signIn.noteLookUp(of: found, how: "by name or id", by: author)
        }
        return found.map { account in
            let (id, name) = (context.identifiers.name(of: account), context.names.people.name(of: account))
            return FindHit(
                kind: "person", id: id, title: name ?? "an account without a name",
                place: context.suspensions[account] == nil ? "" : "suspended", show: "person \(id)")
        }
    }

    /// A damaged row costs its account this way of being found, and the search nothing else.
    private func account(named word: String) async throws -> AccountID? {
        do {
            return try await context.signIn.account(named: word)
        } catch let damage as DamagedRow {
            context.store.report([damage])
            return nil
        }
    }

    // MARK: Instances

    private func instances(_ id: String) async throws -> [FindHit] {
        guard let instance: InstanceID = context.identifiers.identifier(named: id) else { return [] }
        guard let stored = try await StoredInstance.read(instance, in: context) else { return [] }
        let show = "thing \(id)"
        switch stored {
        case .damaged(let kind): return [FindHit(kind: kind, id: id, title: "its row is damaged", show: show)]
        case .sound(let record):
            let instance = SeenInstance(record, context)
            return [
                FindHit(
                    kind: instance.kind, id: id, title: instance.title, place: "in cell \(instance.cell)", show: show)
            ]
        }
    }

    // MARK: Purchases

    private func purchases(_ id: String) async throws -> [FindHit] {
        guard let purchase: PurchaseID = context.identifiers.identifier(named: id) else { return [] }
        var damage: [DamagedRow] = []
        let rows = try await context.store.read([Purchase.query(purchase)])[0]
        let found = Purchase.purchases(in: rows, into: &damage)
        context.store.report(damage)
        return found.map { purchase in
            let account = context.identifiers.name(of: purchase.account)
            return FindHit(
                kind: "purchase", id: id, title: "\(purchase.name), \(purchase.price.text)",
                place: "by \(account)" + (purchase.refunded == nil ? "" : ", refunded"), show: "person \(account)")
        }
    }

    // MARK: Organisations

    private func organisations(_ sought: SearchText) -> [FindHit] {
        let identifiers = context.identifiers
        let id: OrganisationID? = sought.id.flatMap { identifiers.identifier(named: $0) }
        let part = sought.name?.lowercased()
        let found = context.signIn.organisations.all().lazy.filter { organisation in
            organisation.id == id || part.map { organisation.name.text.lowercased().contains($0) } ?? false
        }
        return found.prefix(FindHit.perKindMax + 1).map { organisation in
            let name = identifiers.name(of: organisation.id)
            return FindHit(
                kind: "organisation", id: name, title: organisation.name.text,
                place: organisation.suspension == nil ? "" : "suspended", show: "organisation \(name)")
        }
    }
}

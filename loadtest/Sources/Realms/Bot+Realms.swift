import CairnClient
import CairnTime
import CairnWire

/// A request about sub-realms, or its answer.
struct RealmDeed: Deed {
    var rightChanges: [RightChange] = []
    var rightUses: [RightUse] = []
    /// Members by an answer.
    var listing: RealmListing?
}

/// What an answer says of memberships.
struct RealmListing: Sendable {
    enum Subject: Sendable {
        /// The sub-realms of the bot that asked.
        case own(Set<String>)
        /// The members of one sub-realm, as bots.
        case members(of: String, Set<Int>)
    }

    let subject: Subject
    let requestedAt: MonotonicTime
    let acknowledgedAt: MonotonicTime
}

/// Founding sub-realms, and changing who is in them.
extension Bot {
    /// Most sub-realms that a person wants to be in by own doing.
    private static let realmsWanted = 4

    var realmBook: RealmBook { company[RealmBook.self] }

    /// Does one thing about sub-realms: answers who waits for an answer, or something by chance.
    func gather(due: MonotonicTime, now: MonotonicTime) -> [any Deed] {
        var random = nextErrand()
        let dice = Double.random(in: 0..<1, using: &random)
        if dice < 0.05 {
            listRealms(due: due, now: now)
            return []
        }
        let matter = answering(dice, using: &random) ?? acting(dice, using: &random)
        return matter.map { send($0, due: due, now: now) } ?? []
    }

    /// An answer to an invitation, or to a person who wants to join.
    private func answering(_ dice: Double, using random: inout SeededGenerator) -> RealmMatter? {
        let isWilling = Double.random(in: 0..<1, using: &random) < 0.75
        // Some are left waiting.
        guard dice < 0.8 else { return nil }
        for entry in realmBook.entries where !entry.isEnding {
            if entry.invited.contains(index), !entry.busy.contains(index) {
                return RealmMatter(action: isWilling ? .accept : .decline, realm: entry.id, person: index)
            }
            if entry.owner == index, let person = entry.pending.subtracting(entry.busy).min() {
                return RealmMatter(action: isWilling ? .approve : .turnAway, realm: entry.id, person: person)
            }
        }
        return nil
    }

    private func acting(_ dice: Double, using random: inout SeededGenerator) -> RealmMatter? {
        let own = realmBook.own(index)
        let mayFound = realmBook.count < plan.realms && own.count < Self.realmsWanted
        guard let entry = own.randomElement(using: &random) else {
            return (mayFound ? founding(using: &random) : nil) ?? joining(using: &random)
        }
        switch dice {
        case ..<0.2: return mayFound ? founding(using: &random) : joining(using: &random)
        case ..<0.4: return own.count < Self.realmsWanted ? joining(using: &random) : nil
        case ..<0.65:
            guard let other = anotherPerson(using: &random), entry.isStranger(other) else { return nil }
            return RealmMatter(action: .invite, realm: entry.id, person: other)
        case ..<0.74:
            let friends = company[FriendBook.self].friends(of: index).filter(entry.isStranger)
            return friends.randomElement(using: &random).map {
                RealmMatter(action: .add, realm: entry.id, person: $0)
            }
        case ..<0.82:
            guard !entry.busy.contains(index) else { return nil }
            return RealmMatter(action: .leave, realm: entry.id, person: index)
        default: return ending(entry, using: &random)
        }
    }

    /// An owner removes a member, or now and then ends it all; another member removes a friend (SUB-5).
    private func ending(_ entry: RealmBook.Entry, using random: inout SeededGenerator) -> RealmMatter? {
        let isOwner = entry.owner == index
        if isOwner, Double.random(in: 0..<1, using: &random) < 0.1, entry.busy.isEmpty {
            return RealmMatter(action: .disband, realm: entry.id, person: index)
        }
        let friends = Set(company[FriendBook.self].friends(of: index))
        let others = entry.members.subtracting(entry.busy).subtracting([index, entry.owner ?? index])
            .filter { isOwner || friends.contains($0) }
        return others.sorted().randomElement(using: &random).map {
            RealmMatter(action: .expel, realm: entry.id, person: $0)
        }
    }

    private func founding(using random: inout SeededGenerator) -> RealmMatter {
        let friends = company[FriendBook.self].friends(of: index)
        return RealmMatter(
            action: .found, realm: "", person: index, friends: Array(friends.prefix(3)),
            isOpen: Double.random(in: 0..<1, using: &random) < plan.openShare,
            asksApproval: Double.random(in: 0..<1, using: &random) < 0.3)
    }

    private func joining(using random: inout SeededGenerator) -> RealmMatter? {
        realmBook.entries.filter { $0.isOpen && !$0.isEnding && $0.isStranger(index) }
            .randomElement(using: &random)
            .map { RealmMatter(action: .join, realm: $0.id, person: index) }
    }

    private func send(_ matter: RealmMatter, due: MonotonicTime, now: MonotonicTime) -> [any Deed] {
        guard let body = matter.body(company, name: "Circle \(realmBook.count) of \(index)"),
            let ticket = try? core.ask(body, now: now)
        else { return [] }
        realmBook.begin(matter)
        _ = note(ticket, Errand.Kind(matter.action.rawValue), matter: matter, due: due, now: now)
        let change = matter.change(of: matter.realm, requestedAt: now, .underWay)
        return change.map { [RealmDeed(rightChanges: [$0])] } ?? []
    }

    // MARK: Selecting

    /// Selects one of its sub-realms, or what is everyone's.
    func selectRealm(due: MonotonicTime, now: MonotonicTime) {
        var random = nextErrand()
        let dice = Double.random(in: 0..<1, using: &random)
        let own = realmBook.own(index).map(\.id).filter { $0 != shown }
        let chosen = own.randomElement(using: &random)
        // One selection at a time: answers in another order would leave it open which one counts.
        guard !isBusy(with: Gathering.select) else { return }
        var body = WireSelectRealm()
        if dice < 0.75, let chosen { body.realm = chosen }
        guard body.realm != shown, let ticket = try? core.ask(body, now: now) else { return }
        _ = note(ticket, Errand.Kind(Gathering.select), due: due, now: now)
    }

    /// The sub-realms in which it shares what it leaves next.
    func realmsToShareIn(using random: inout SeededGenerator) -> [String] {
        guard Double(index) < Double(plan.people) * plan.scopedShare else { return [] }
        let own = realmBook.own(index).map(\.id)
        let count = Int.random(in: 1...2, using: &random)
        return Array(own.shuffled(using: &random).prefix(count))
    }

    // MARK: Looking

    func listRealms(due: MonotonicTime, now: MonotonicTime) {
        guard !isBusy(with: Gathering.list), let ticket = try? core.ask(WireListRealms(), now: now)
        else { return }
        _ = note(ticket, Errand.Kind(Gathering.list), due: due, now: now)
    }

    func listMembers(of realm: String, now: MonotonicTime) {
        var body = WireListMembers()
        body.realm = realm
        guard !isBusy(with: Gathering.members), let ticket = try? core.ask(body, now: now)
        else { return }
        _ = note(ticket, Errand.Kind(Gathering.members), matter: realm, due: now, now: now)
    }

    /// After the loss of a right it asks something: whatever comes behind the answer was sent after the loss. And it
    /// finds out who owns a sub-realm whose owner has left.
    func lookAtRealms(now: MonotonicTime) {
        if let lost = realmBook.lostAt[index], sentSince <= lost { listRealms(due: now, now: now) }
        let orphan = realmBook.entries.first { $0.owner == nil && !$0.isEnding && $0.members.min() == index }
        if let orphan { listMembers(of: orphan.id, now: now) }
    }

    /// Leaves one sub-realm.
    func leaveRealm(now: MonotonicTime) -> Bool {
        guard let entry = realmBook.entries.first(where: { $0.members.contains(index) && !$0.busy.contains(index) })
        else { return false }
        let matter = RealmMatter(action: .leave, realm: entry.id, person: index)
        return !send(matter, due: now, now: now).isEmpty
    }
}

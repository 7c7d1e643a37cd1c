import CairnTime
import CairnWire

/// The sub-realms of a crowd, as the answers to its people tell of them.
///
/// Of the changes of one person's membership in one sub-realm only one is under way at a time, so that what is
/// acknowledged last is certain. Changes of other people of the same sub-realm go on meanwhile.
final class RealmBook: BotPart {
    struct Entry {
        let id: String
        /// Nil = unknown, because the owner has left.
        var owner: Int?
        let isOpen: Bool
        var members: Set<Int>
        /// People with an invitation.
        var invited: Set<Int> = []
        /// People who wait for the owner's approval.
        var pending: Set<Int> = []
        /// People with a change under way.
        var busy: Set<Int> = []
        /// Its end is requested: no bot begins anything with it any more.
        var isEnding = false

        /// Whether a person has nothing to do with it yet.
        func isStranger(_ bot: Int) -> Bool {
            !members.contains(bot) && !invited.contains(bot) && !pending.contains(bot) && !busy.contains(bot)
        }
    }

    /// In the order in which they were founded, so that choices do not depend on a dictionary's order.
    private(set) var entries: [Entry] = []
    private var foundings = 0
    /// When it was last acknowledged that a right of a person has ended.
    private(set) var lostAt: [Int: MonotonicTime] = [:]

    /// Sub-realms, with those that are being founded.
    var count: Int { entries.count + foundings }

    /// The sub-realms with a person in them.
    func own(_ bot: Int) -> [Entry] { entries.filter { $0.members.contains(bot) && !$0.isEnding } }

    /// A request is on its way.
    func begin(_ matter: RealmMatter) {
        guard matter.action != .found else { return foundings += 1 }
        change(matter.realm) { entry in
            entry.busy.insert(matter.person)
            if matter.action == .disband || matter.action == .leave && entry.members.count == 1 {
                entry.isEnding = true
            }
        }
    }

    /// It is acknowledged.
    func acknowledged(_ matter: RealmMatter, _ result: WireReply.OneOf_Result, by bot: Int, at now: MonotonicTime) {
        if matter.action == .found, case .realm(let realm) = result {
            foundings -= 1
            entries.append(
                Entry(id: realm.id, owner: bot, isOpen: matter.isOpen, members: Set([bot] + matter.friends)))
            return
        }
        if matter.action == .disband {
            for member in entries.first(where: { $0.id == matter.realm })?.members ?? [] { lostAt[member] = now }
            return entries.removeAll { $0.id == matter.realm }
        }
        if matter.action.isGain == false { lostAt[matter.person] = now }
        change(matter.realm) { entry in
            entry.apply(matter, isPending: matter.waits(after: result))
            entry.busy.remove(matter.person)
        }
        dropEmpty(matter.realm)
    }

    /// It is refused: the state is another than this book has it.
    func refused(_ matter: RealmMatter, _ code: Refusal.Code) {
        guard matter.action != .found else { return foundings -= 1 }
        change(matter.realm) { entry in
            entry.busy.remove(matter.person)
            entry.isEnding = false
            switch matter.action {
            case .accept, .decline: entry.invited.remove(matter.person)
            case .approve, .turnAway: entry.pending.remove(matter.person)
            default: break
            }
            if code == .forbidden { entry.owner = nil }
        }
        dropEmpty(matter.realm)
    }

    func learn(_ owner: Int, of realm: String) { change(realm) { $0.owner = owner } }

    private func change(_ realm: String, _ change: (inout Entry) -> Void) {
        guard let index = entries.firstIndex(where: { $0.id == realm }) else { return }
        change(&entries[index])
    }

    /// The last member has left.
    private func dropEmpty(_ realm: String) {
        entries.removeAll { $0.id == realm && $0.members.isEmpty && $0.busy.isEmpty }
    }
}

extension RealmBook.Entry {
    fileprivate mutating func apply(_ matter: RealmMatter, isPending: Bool) {
        switch matter.action {
        case .found, .disband: break
        case .invite: invited.insert(matter.person)
        case .decline: invited.remove(matter.person)
        case .turnAway: pending.remove(matter.person)
        case .accept, .join, .approve, .add:
            invited.remove(matter.person)
            pending.remove(matter.person)
            if isPending { pending.insert(matter.person) } else { members.insert(matter.person) }
        case .leave, .expel:
            members.remove(matter.person)
            isEnding = false
            if owner == matter.person { owner = nil }
        }
    }
}

import CairnTime

/// Lists of sub-realms and members say what was acknowledged (SUB-11). Changes under way may be in a list or not.
struct MemberRule: FeatureRule {
    private var rights = RightHistory()
    private var bots: Set<Int> = []

    mutating func take(_ deed: any Deed, of bot: Int, _ broken: inout Broken) {
        guard let deed = deed as? RealmDeed else { return }
        for change in deed.rightChanges {
            rights.take(change)
            bots.formUnion(change.people ?? [])
        }
        guard let listing = deed.listing else { return }
        let (start, end) = (listing.requestedAt, listing.acknowledgedAt)
        switch listing.subject {
        case .own(let listed):
            for realm in rights.realms.subtracting(listed) where rights.holds(realm, bot, from: start, to: end) {
                broken.add("members_differ", "bot \(bot) is in \(realm), which its list does not have")
            }
            for realm in listed where !rights.mayHold(realm, bot, from: start, to: end) {
                // A founder's answer may come later than the list of a friend.
                guard !rights.mayFound(bot, at: end) else { continue }
                broken.add("members_differ", "bot \(bot) is not in \(realm), which its list has")
            }
        case .members(let realm, let listed):
            for other in bots.subtracting(listed) where rights.holds(realm, other, from: start, to: end) {
                broken.add("members_differ", "bot \(other) is in \(realm), and is not listed")
            }
            for other in listed where !rights.mayHold(realm, other, from: start, to: end) {
                broken.add("members_differ", "bot \(other) is not in \(realm), and is listed")
            }
        }
    }
}

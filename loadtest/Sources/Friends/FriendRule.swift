import CairnTime

/// A person's list of friends says what was acknowledged (FRD-3, FRD-5, FRD-6). A change under way may be in it or not.
struct FriendRule: FeatureRule {
    /// A friendship is a right that two people share, and a pair has the name of a sub-realm.
    private var friendships = RightHistory()
    private var known: [Int: Set<FriendBook.Pair>] = [:]

    mutating func take(_ deed: any Deed, of bot: Int, _ broken: inout Broken) {
        guard let deed = deed as? FriendDeed else { return }
        if let change = deed.change {
            friendships.take(
                RightChange(
                    realm: Self.name(change.pair), people: [change.pair.low], isGain: change.isGain,
                    requestedAt: change.requestedAt, progress: change.progress))
            for person in [change.pair.low, change.pair.high] { known[person, default: []].insert(change.pair) }
        }
        guard let listing = deed.listing else { return }
        let (start, end) = (listing.requestedAt, listing.acknowledgedAt)
        for pair in known[bot] ?? [] where !listing.friends.contains(pair.other(than: bot)) {
            if friendships.holds(Self.name(pair), pair.low, from: start, to: end) {
                broken.add("friends_differ", "bots \(pair.low) and \(pair.high) are friends, and \(bot) lists it not")
            }
        }
        for other in listing.friends {
            let pair = FriendBook.Pair(bot, other)
            if !friendships.mayHold(Self.name(pair), pair.low, from: start, to: end) {
                broken.add("friends_differ", "bot \(bot) lists \(other), who is no friend")
            }
        }
    }

    private static func name(_ pair: FriendBook.Pair) -> String { "\(pair.low) \(pair.high)" }
}

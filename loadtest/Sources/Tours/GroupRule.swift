import CairnTime
import CairnWire

/// What walkers may be told of groups on tours (TRM-11): of their own group alone, with the target that its guide has
/// set, and of nobody who is not in it. It uses no sockets and no clocks, so tests feed it doctored groups.
struct GroupRule: Sendable {
    /// A group as it really is.
    private struct Group: Sendable {
        let guide: Int
        let tour: Int
        let code: String
        /// Those whom an answer has let in.
        var inside: Set<Int>
        /// Those who have asked to come or to go, and have no answer.
        var between: Set<Int> = []
        /// Since when others are outside.
        var left: [Int: MonotonicTime] = [:]
        /// What the guide has set, the latest last.
        var targets: [Target]
        /// Whether the guide may have ended it.
        var mayHaveEnded = false
    }

    private struct Target: Sendable {
        let stop: String
        /// When it was acknowledged; nil = not yet.
        var since: MonotonicTime?
    }

    private var groups: [String: Group] = [:]
    private var groupOf: [Int: String] = [:]
    /// Those who have asked to open a group.
    private var opening: Set<Int> = []
    /// The target that each was told last.
    private var told: [Int: String] = [:]
    private(set) var broken = Broken()
    private(set) var counts = (opened: 0, followed: 0, targets: 0)

    /// How long something that was under way may still arrive.
    private static let grace = Duration.seconds(2)
    /// After this time every member knows the target.
    private static let known = Duration.seconds(6)
    private static let followersMax = 5

    // MARK: What walkers do

    func group(of walker: Int) -> String? { groupOf[walker] }

    func guides(_ walker: Int) -> Bool { groupOf[walker].flatMap { groups[$0] }?.guide == walker }

    /// A group that a person on a tour may follow.
    func joinable(on tour: Int) -> (id: String, code: String)? {
        groups.filter { $0.value.tour == tour && !$0.value.mayHaveEnded && !$0.value.code.isEmpty }
            .filter { $0.value.inside.count + $0.value.between.count <= Self.followersMax }
            .min { $0.key < $1.key }.map { ($0.key, $0.value.code) }
    }

    mutating func asksToOpen(_ walker: Int) { opening.insert(walker) }

    mutating func opened(_ walker: Int, _ group: WireGroup, tour: Int, at now: MonotonicTime) {
        opening.remove(walker)
        check(groups[group.id] == nil, "group_of_another", walker, group.id)
        check(!group.code.isEmpty, "group_code_told", walker, "none to its guide")
        groups[group.id] = Group(
            guide: walker, tour: tour, code: group.code, inside: [walker], targets: [Target(stop: "", since: now)])
        groupOf[walker] = group.id
        counts.opened += 1
    }

    mutating func asksToFollow(_ walker: Int, _ id: String) {
        groups[id]?.between.insert(walker)
        groupOf[walker] = id
    }

    mutating func followed(_ walker: Int, _ id: String, _ group: WireGroup) {
        check(group.id == id, "group_of_another", walker, group.id)
        counts.followed += 1
        // Its end may be told before the answer that a cut has held up.
        guard groupOf[walker] == id else { return }
        groups[id]?.between.remove(walker)
        groups[id]?.inside.insert(walker)
        groups[id]?.left[walker] = nil
    }

    mutating func asksForTarget(_ walker: Int, _ stop: String) {
        guard let id = groupOf[walker] else { return }
        groups[id]?.targets.append(Target(stop: stop, since: nil))
    }

    mutating func hasSetTarget(_ walker: Int, at now: MonotonicTime) {
        guard let id = groupOf[walker], var group = groups[id], let last = group.targets.indices.last else { return }
        group.targets[last].since = now
        group.targets.removeFirst(max(0, group.targets.count - 4))
        groups[id] = group
        counts.targets += 1
    }

    /// The walker asks to leave the group, or the run with it. Without its guide a group ends.
    mutating func asksToLeave(_ walker: Int) {
        opening.remove(walker)
        guard let id = groupOf[walker] else { return }
        groups[id]?.between.insert(walker)
        if groups[id]?.guide == walker { groups[id]?.mayHaveEnded = true }
    }

    /// The walker is in no group any more.
    mutating func left(_ walker: Int, at now: MonotonicTime) {
        opening.remove(walker)
        told[walker] = nil
        guard let id = groupOf.removeValue(forKey: walker), var group = groups[id] else { return }
        group.inside.remove(walker)
        group.between.remove(walker)
        group.left[walker] = now
        if group.guide == walker { group.mayHaveEnded = true }
        groups[id] = group
    }

    /// A request was refused about a group, or about a new one: nil.
    /// - Returns: whether that may be: the group may have ended, or the walker may still be on the way out of another.
    func mayRefuse(_ id: String?, _ code: String) -> Bool {
        guard let id, let group = groups[id] else { return code == "already_member" }
        return code == "already_member" || code == "not_found" && group.mayHaveEnded
    }

    // MARK: What they are told

    /// - Parameters:
    ///   - slack: how long the walker was without a connection lately.
    ///   - walkers: by name.
    ///   - reached: how many stops a walker has reached, as far as they know.
    mutating func hear(
        _ walker: Int, _ told: WireGroup, slack: Duration, at now: MonotonicTime, walkers: [String: Int],
        reached: (Int) -> Int?
    ) {
        guard let group = groups[told.id] else {
            return check(opening.contains(walker), "group_told_outside", walker, told.id)
        }
        guard group.inside.contains(walker) || group.between.contains(walker) else {
            let isLate = group.left[walker].map { now - $0 <= Self.grace + slack } ?? false
            return check(isLate, "group_told_outside", walker, told.id)
        }
        self.told[walker] = told.target
        let isRight = group.targets.indices.contains(where: { index in
            guard group.targets[index].stop == told.target else { return false }
            let next = group.targets.indices.contains(index + 1) ? group.targets[index + 1].since : nil
            return next.map { now - $0 <= Self.grace + slack } ?? true
        })
        check(isRight, "group_target_wrong", walker, "\(told.target) in \(group.targets.map(\.stop))")
        check(told.code.isEmpty || walker == group.guide, "group_code_told", walker, told.id)
        let known = group.inside.union(group.between)
            .union(group.left.filter { now - $0.value <= Self.grace + slack }.keys)
        check(told.members.count <= known.count, "group_stranger", walker, "\(told.members.count) of \(known.count)")
        for member in told.members {
            guard let other = walkers[member.name] else { continue }
            check(known.contains(other), "group_stranger", walker, member.name)
            // The others may learn of a stop before its walker does.
            guard group.inside.contains(other), let really = reached(other) else { continue }
            check(Int(member.reached) <= really + 1, "group_step_wrong", walker, "\(member.reached) of \(really)")
        }
    }

    /// The walker was told that they are in a group no longer.
    mutating func ended(_ walker: Int, _ id: String, at now: MonotonicTime) {
        guard groupOf[walker] == id, let group = groups[id] else { return }
        let isAsked = group.mayHaveEnded || group.between.contains(walker)
        check(isAsked, "group_ended_unasked", walker, id)
        left(walker, at: now)
    }

    /// The walker has been a member with a connection since then: by now they have to know the target.
    mutating func expectTarget(_ walker: Int, since: MonotonicTime, at now: MonotonicTime) {
        guard let id = groupOf[walker], let group = groups[id], group.inside.contains(walker), !group.mayHaveEnded,
            !group.between.contains(walker), let target = group.targets.last, let set = target.since,
            now - max(set, since) > Self.known
        else { return }
        let known = told[walker]
        check(known == target.stop, "group_target_missed", walker, "\(known ?? "none") for \(target.stop)")
    }

    /// A person outside a group was told of it.
    mutating func leaked(_ who: String, _ id: String) { broken.add("group_told_outside", "\(who): group \(id)") }

    mutating func refused(_ walker: Int, _ code: String) { check(false, "group_refused", walker, code) }

    private mutating func check(_ holds: Bool, _ rule: String, _ walker: Int, _ example: @autoclosure () -> String) {
        if !holds { broken.add(rule, "walker \(walker): \(example())") }
    }
}

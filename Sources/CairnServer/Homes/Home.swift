internal import CairnConfiguration
internal import CairnCore
internal import CairnStore
internal import CairnTime
internal import CairnWebSocket
internal import CairnWire

/// An actor that hosts features for one address, on its shard's thread. A turn runs from check to change without
/// `await` (invariant 9); its outputs wait in the core until its writes are on disk.
///
/// Waking, waiting, turns, commits, faults, followers and sleep are written once, in the extensions of this protocol. A
/// kind adds what is special to it: a cell its people, an account its devices, keys and quotas.
protocol Home: LoopResident {
    nonisolated var address: HomeAddress { get }
    nonisolated var shard: Shard { get }
    /// The state that every home has.
    var host: HomeHost { get }

    /// Whether the home has neither users nor followers.
    var isEmpty: Bool { get }
    /// Whether work of the kind's own is under way.
    var isBusy: Bool { get }
    /// How long the home stays awake after the last person left.
    var sleepDelay: Duration { get }
    /// Resting homes of this kind on one loop. Beyond it those that have rested longest sleep early: a bound on the
    /// memory of homes that clients wake and leave.
    static var restingMax: Int { get }

    /// The kind's own queries when it wakes, before those of features.
    var questions: [[Query]] { get }
    /// Restores the kind's own state from the answers to `questions`.
    func restore(_ answers: [[[Row]]])
    /// Takes a task from the shard. Stands here so that each kind has code of its own for it.
    nonisolated func receive(_ task: HomeTask)
    /// Handles a request that comes from its sender.
    func arrive(_ request: Request)
    /// Items that a new follower of a topic gets beside the topic's state.
    func addendum(to request: FollowRequest) -> [[UInt8]]
    /// Whether one of these people is here, seen by followers.
    func shows(anyOf people: Set<AccountID>) -> Bool
    /// How followers of this format learn that people leave and join for them; nil = no one does.
    func presence(leaving gone: Set<AccountID>, joining back: Set<AccountID>, for format: WireFormat) -> [UInt8]?
    /// The group of the fan-out in which a follower is.
    func group(of participant: Participant) -> UInt16

    /// Called when the stored state is in memory.
    func awoke()
    /// Called when the shard has created the home.
    func began()
    /// Called when the shard releases the home.
    func ended()
    /// Called when new settings apply.
    func settingsApplied()
    /// Called when something has changed that operators see.
    func touched()
    /// Called after each turn.
    func turnTook(microseconds: UInt64)
    /// Called for each event that leaves.
    func published()
    /// Called when a follower has resumed from its cursor.
    func resumed()
}

extension Home {
    nonisolated var loop: WebSocketLoop { shard.loop }
    var isEmpty: Bool { host.hasNoFollowers }
    var isBusy: Bool { false }
    var sleepDelay: Duration { .seconds(host.context.configuration.cells.sleepSeconds) }
    static var restingMax: Int { 4_096 }
    var questions: [[Query]] { [] }
    func restore(_ answers: [[[Row]]]) {}
    func arrive(_ request: Request) { decide(request) }
    func addendum(to request: FollowRequest) -> [[UInt8]] { [] }
    func shows(anyOf people: Set<AccountID>) -> Bool { false }
    func presence(leaving: Set<AccountID>, joining: Set<AccountID>, for format: WireFormat) -> [UInt8]? { nil }
    func group(of participant: Participant) -> UInt16 { 0 }
    func awoke() {}
    func began() {}
    func ended() {}
    func settingsApplied() {}
    func touched() {}
    func turnTook(microseconds: UInt64) {}
    func published() {}
    func resumed() {}
}

/// A core by itself: an account whose person only looks has none, and takes that much less memory.
final class LoadedCore {
    var value: HomeCore

    init(_ core: HomeCore) { value = core }

    /// Lends the core in place: before a method that changes nothing Swift copies the whole property of a class.
    func lend<Result>(_ body: (inout HomeCore) -> Result) -> Result { body(&value) }
}

/// The parts of a home, whatever its kind. A class, because generic code over homes would copy a value at each access.
final class HomeHost {
    var context: ServerContext
    private var loaded: LoadedCore?
    /// Work that arrived before the stored state was read.
    var queue = HomeQueue()
    /// Followers of everyone's topic.
    var followers = Followers()
    /// Followers of the topics of further scopes.
    var scopedFollowers: [Scope: Followers] = [:]
    /// Followers for whom people are absent.
    var excerptReaders: [Scope: [Participant: ExcerptReader]] = [:]
    var snapshots: [Scope: SnapshotCache] = [:]
    /// Operators who wait for the disk to take a turn, by its number.
    var orders: [UInt64: @Sendable (Bool) -> Void] = [:]
    /// When the last person or follower left.
    var emptySince: MonotonicTime
    // Small fields beside each other share a word: every account has a host.
    private let address: HomeAddress
    var stage = Stage.asleep
    /// Whether the home is in the shard's queue of firing homes.
    var isFiring = false
    /// Whether the shard looks from time to time if the home may sleep; it does at first.
    var isResting = true

    static let snapshotPageInstances = 128

    /// How much of the home is in memory.
    enum Stage {
        /// Nothing of what is stored.
        case asleep
        /// It is being read.
        case waking
        case awake
    }

    init(_ address: HomeAddress, context: ServerContext, now: MonotonicTime) {
        self.address = address
        self.context = context
        emptySince = now
    }

    // MARK: The core

    /// The state of the features in memory; made on first need.
    var core: LoadedCore {
        get {
            if let loaded { return loaded }
            let made = LoadedCore(
                HomeCore(
                    address: address, register: context.register, settings: context.settings,
                    identifiers: context.identifiers, names: context.names, now: context.clock.now,
                    lasting: context.clock.lasting, start: .random(),
                    recentMax: context.configuration.cells.ringEvents))
            loaded = made
            return made
        }
    }

    /// Whether nothing of the core is under way.
    var isQuiet: Bool { loaded?.lend { $0.isQuiet } ?? true }

    /// Whether an account has things here, as far as the home is in memory.
    func holds(thingsOf account: AccountID) -> Bool { loaded?.lend { $0.holds(thingsOf: account) } ?? false }

    /// What guests are told of a person's choice about them, as far as the home is in memory (PRF-5).
    func goByGuestSight(of person: AccountID) -> [HomeCore.Action] {
        loaded?.value.goByGuestSight(of: person) ?? []
    }

    func apply(_ settings: Settings) { loaded?.value.apply(settings) }

    /// Forgets what is in memory of what is stored.
    func forget() {
        loaded = nil
        stage = .asleep
        snapshots = [:]
        excerptReaders = [:]
    }

    // MARK: Followers

    var hasNoFollowers: Bool { followers.isEmpty && scopedFollowers.isEmpty }

    /// The number of followers who have the home in view, by whatever selection.
    var viewers: Int {
        scopedFollowers.isEmpty
            ? followers.count
            : scopedFollowers.reduce(followers.count) { $1.key.isView ? $0 + $1.value.count : $0 }
    }

    /// The number of loops that have any of them.
    var loopsOfViewers: Int {
        guard !scopedFollowers.isEmpty else { return followers.placeCount }
        let scoped = scopedFollowers.lazy.filter { $0.key.isView }.flatMap { $0.value.places }
        return Set(followers.places).union(scoped).count
    }

    /// Those of them who read JSON.
    var viewersOfJSON: Set<Participant> {
        scopedFollowers.reduce(into: followers.jsonReaders) { if $1.key.isView { $0.formUnion($1.value.jsonReaders) } }
    }

    var viewersReadJSON: Bool { followers.readsJSON || (!scopedFollowers.isEmpty && !viewersOfJSON.isEmpty) }

    func followers(of scope: Scope) -> Followers? { scope == .everyone ? followers : scopedFollowers[scope] }

    func add(_ participant: Participant, to scope: Scope) {
        if scope == .everyone {
            followers.add(participant)
        } else {
            scopedFollowers[scope, default: Followers()].add(participant)
        }
    }

    func remove(_ participant: Participant, from scope: Scope) {
        if !excerptReaders.isEmpty { removeExcerptReader(participant, of: scope) }
        if scope == .everyone {
            followers.remove(participant)
        } else if let index = scopedFollowers.index(forKey: scope) {
            scopedFollowers.values[index].remove(participant)
            if scopedFollowers.values[index].isEmpty { scopedFollowers.remove(at: index) }
        }
    }
}

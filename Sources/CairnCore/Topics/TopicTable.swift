internal import CairnWire

/// The topics of one home: the one for everyone, and one for each further scope that has had a follower.
///
/// A scope that nobody follows has no topic. The first follower has it made, from what is on disk and with a numbering
/// of its own; it lasts until the home sleeps.
struct TopicTable: Sendable {
    private let home: HomeAddress
    private let recentMax: Int
    private var everyone: TopicStream
    private var others: [Scope: TopicStream] = [:]

    /// - Parameter start: where the numbering of everyone's topic begins: `TopicStream.init`.
    init(home: HomeAddress, start: Cursor, recentMax: Int) {
        self.home = home
        self.recentMax = recentMax
        everyone = TopicStream(topic: Topic(home), start: start, recentMax: recentMax)
    }

    /// The topic of a scope; nil while nobody has asked for it.
    subscript(scope: Scope) -> TopicStream? {
        scope == .everyone ? everyone : others[scope]
    }

    /// Puts an instance into everyone's topic without an event: the state that a home wakes up with.
    mutating func restore(_ instance: WireInstance, id: InstanceID) {
        everyone.restore(instance, id: id)
    }

    /// Makes the topic of a scope, unless it is there.
    /// - Parameter instances: what the scope sees, as it is on disk.
    mutating func open(_ scope: Scope, instances: () -> [(id: InstanceID, state: WireInstance)]) {
        guard self[scope] == nil else { return }
        var stream = TopicStream(topic: Topic(home, scope), start: .random(), recentMax: recentMax)
        for (id, state) in instances() { stream.restore(state, id: id) }
        others[scope] = stream
    }

    /// The next event of each topic that the publication is for; a scope without a topic has no followers.
    mutating func publish(_ publication: Publication, _ tell: (Scope, WireItem) -> Void) {
        for scope in publication.audience.scopes {
            if scope == .everyone {
                tell(scope, everyone.publish(publication))
            } else if let item = others[scope]?.publish(publication) {
                tell(scope, item)
            }
        }
    }
}

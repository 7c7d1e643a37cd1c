internal import CairnWire

/// The topics of one home: everyone's, and one for each further scope that has had a follower.
///
/// A scope that has never had a follower has no topic. The first follower creates it, from the state on disk and with
/// its own numbering. It exists until the home sleeps.
struct TopicTable: Sendable {
    private let home: HomeAddress
    private let recentMax: Int
    private var everyone: TopicStream
    private var others: [Scope: TopicStream] = [:]

    /// - Parameter start: the start of the numbering of everyone's topic, as in `TopicStream.init`.
    init(home: HomeAddress, start: Cursor, recentMax: Int) {
        self.home = home
        self.recentMax = recentMax
        everyone = TopicStream(topic: Topic(home), start: start, recentMax: recentMax)
    }

    /// The topic of a scope; nil while the scope has had no follower.
    subscript(scope: Scope) -> TopicStream? {
        scope == .everyone ? everyone : others[scope]
    }

    /// Whether the topic of a scope other than everyone's exists.
    func has(_ scope: Scope) -> Bool { others.index(forKey: scope) != nil }

    /// Adds an instance to everyone's topic without an event: the state with which a home wakes.
    mutating func restore(_ instance: WireInstance, id: InstanceID, of owner: AccountID) {
        everyone.restore(instance, id: id, of: owner)
    }

    /// Changes the topic of a scope, if it exists.
    mutating func change<Result>(_ scope: Scope, _ body: (inout TopicStream) -> Result) -> Result? {
        if scope == .everyone { return body(&everyone) }
        guard let index = others.index(forKey: scope) else { return nil }
        return body(&others.values[index])
    }

    /// Creates the topic of a scope, unless it exists.
    /// - Parameter instances: the instances in the scope, as they are on disk.
    mutating func open(
        _ scope: Scope, instances: () -> [(id: InstanceID, owner: AccountID, state: WireInstance)]
    ) {
        guard self[scope] == nil else { return }
        var stream = TopicStream(topic: Topic(home, scope), start: .random(), recentMax: recentMax)
        for (id, owner, state) in instances() { stream.restore(state, id: id, of: owner) }
        others[scope] = stream
    }

    /// Publishes the next event of each topic of the audience. A scope without a topic has no followers.
    mutating func publish(
        _ publication: Publication, _ tell: (Scope, WireItem, TopicStream.ExcerptNews) -> Void
    ) {
        for scope in publication.audience.scopes {
            let told = change(scope) { stream in
                let item = stream.publish(publication)
                guard !stream.excerpts.isEmpty else { return (item, TopicStream.ExcerptNews()) }
                return (item, stream.takeIntoExcerpts(item, of: publication.owner))
            }
            if let told { tell(scope, told.0, told.1) }
        }
    }
}

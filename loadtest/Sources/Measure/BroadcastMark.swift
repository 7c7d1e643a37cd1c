import CairnWire

/// What an acknowledged change tells its followers.
struct Broadcast: Hashable, Sendable {
    let mark: BroadcastMark
    /// What the asker has said of the subject by now, where saying the same again changes nothing, such as a vote;
    /// empty = nothing, as in the beginning.
    var own: String?
}

/// A change as both the answer to its request and its event name it.
struct BroadcastMark: Hashable, Sendable {
    /// Id of the instance or sub-realm.
    let subject: String
    /// What it is after the change.
    let state: String
    /// Whether no other change of the subject leads to the same state.
    let isUnique: Bool

    static func version(_ version: UInt32, of subject: String) -> Self {
        Self(subject: subject, state: "v\(version)", isUnique: true)
    }

    static func end(of subject: String) -> Self { Self(subject: subject, state: "end", isUnique: true) }

    /// A state that may come again, such as a total.
    static func passing(_ state: String, of subject: String) -> Self {
        Self(subject: subject, state: state, isUnique: false)
    }

    /// The mark of an event; nil = nothing that people ask for leads to it.
    static func of(_ change: WireEvent.OneOf_Change) -> Self? {
        switch change {
        case .entered(let entered): .version(entered.instance.version, of: entered.instance.id)
        case .left(let left): .end(of: left.instance)
        default: CrowdFeatures.broadcast(of: change)
        }
    }
}

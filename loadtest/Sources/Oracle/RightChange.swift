import CairnTime

/// A change of people's right to a sub-realm, as a request or the answer to it tells of it.
struct RightChange: Sendable {
    enum Progress: Sendable {
        /// Requested: the server decides it at some time from now on.
        case underWay
        case acknowledged(at: MonotonicTime)
        /// Nothing has changed.
        case refused
    }

    /// Id of the sub-realm; empty = one that is being founded and has no id yet.
    let realm: String
    /// Indices of bots; nil = everybody, because the sub-realm ends.
    let people: [Int]?
    /// Whether they get the right; otherwise it ends.
    let isGain: Bool
    /// Identifies the request, with the people.
    let requestedAt: MonotonicTime
    let progress: Progress
}

/// A success that the server gives members of a sub-realm only.
struct RightUse: Sendable {
    /// Id of the sub-realm.
    let realm: String
    let requestedAt: MonotonicTime
    let acknowledgedAt: MonotonicTime
}

/// The name of a topic: that of a home, and the scope's behind a `/` unless it is everyone's.
struct TopicName {
    let home: Substring
    /// Nil for everyone's.
    let scope: Substring?

    init(_ name: String) {
        let slash = name.utf8.firstIndex(of: UInt8(ascii: "/"))
        home = name[..<(slash ?? name.endIndex)]
        scope = slash.map { name[name.index(after: $0)...] }
    }

    /// The name by which the oracle knows a view of a cell: topics name a sub-realm otherwise than requests do.
    /// - Parameter realm: id of the sub-realm that is shown; empty = what is everyone's.
    static func view(of cell: some StringProtocol, shown realm: String) -> String {
        realm.isEmpty ? String(cell) : "\(cell)/\(realm)"
    }
}

/// What a person may see beyond what everyone does, as their account knows it.
///
/// What is stored is read when the first device comes. What homes say meanwhile is newer than the answer: a right that
/// has ended does not come back by it.
public struct Rights: Sendable {
    private enum Stage {
        case unread
        /// With the scopes that were taken away meanwhile.
        case reading(ended: Set<Scope>)
        case read
    }

    private var stage = Stage.unread
    public private(set) var scopes: Set<Scope> = []

    public init() {}

    public var isReading: Bool { if case .reading = stage { true } else { false } }

    /// What is stored is being read from now on.
    /// - Returns: false when that was done before.
    public mutating func beginReading() -> Bool {
        guard case .unread = stage else { return false }
        stage = .reading(ended: [])
        return true
    }

    /// What is stored has been read.
    /// - Returns: the scopes that are new.
    public mutating func add(stored: Set<Scope>) -> Set<Scope> {
        guard case .reading(let ended) = stage else { return [] }
        stage = .read
        let new = stored.subtracting(ended).subtracting(scopes)
        scopes.formUnion(new)
        return new
    }

    /// - Returns: whether the scope is new.
    public mutating func grant(_ scope: Scope) -> Bool {
        if case .reading(var ended) = stage {
            ended.remove(scope)
            stage = .reading(ended: ended)
        }
        return scopes.insert(scope).inserted
    }

    /// A right has ended, whether or not it was there.
    public mutating func end(_ scope: Scope) {
        if case .reading(var ended) = stage {
            ended.insert(scope)
            stage = .reading(ended: ended)
        }
        scopes.remove(scope)
    }
}

/// The scopes to which a person has a right, beside everyone's, as their account knows them.
///
/// Stored rights are read when the first device signs in. Grants and ends that come during the read are newer than its
/// answer, so the answer does not restore a right that has ended meanwhile.
public struct Rights: Sendable {
    private enum Stage {
        case unread
        /// The read of stored rights is under way; with the scopes whose right has ended since it began.
        case reading(ended: Set<Scope>)
        case read
    }

    private var stage = Stage.unread
    public private(set) var scopes: Set<Scope> = []

    public init() {}

    public var isReading: Bool { if case .reading = stage { true } else { false } }

    /// Begins the read of stored rights.
    /// - Returns: false when it has begun before.
    public mutating func beginReading() -> Bool {
        guard case .unread = stage else { return false }
        stage = .reading(ended: [])
        return true
    }

    /// Adds the stored rights and ends the read.
    public mutating func add(stored: Set<Scope>) {
        guard case .reading(let ended) = stage else { return }
        stage = .read
        scopes.formUnion(stored.subtracting(ended))
    }

    /// Adds a right.
    public mutating func grant(_ scope: Scope) {
        if case .reading(var ended) = stage {
            ended.remove(scope)
            stage = .reading(ended: ended)
        }
        scopes.insert(scope)
    }

    /// Ends a right, if the person has it.
    public mutating func end(_ scope: Scope) {
        if case .reading(var ended) = stage {
            ended.insert(scope)
            stage = .reading(ended: ended)
        }
        scopes.remove(scope)
    }
}

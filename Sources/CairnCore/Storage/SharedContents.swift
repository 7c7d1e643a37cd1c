internal import Synchronization

/// Contents that never change, such as the published version of a tour: a thousand homes that have read the same one
/// hold it once. A content goes when the last home that has it goes. Usable from any thread.
public final class SharedContents: Sendable {
    /// Names a content: of which sort it is, and two numbers.
    public struct Name: Hashable, Sendable {
        private let sort: ObjectIdentifier
        private let first: UInt64
        private let second: UInt64

        public init(_ type: (some AnyObject).Type, _ first: UInt64, _ second: UInt64) {
            (sort, self.first, self.second) = (ObjectIdentifier(type), first, second)
        }
    }

    private struct Weak: Sendable {
        weak var content: (any AnyObject & Sendable)?
    }

    private struct State: Sendable {
        var contents: [Name: Weak] = [:]
        /// The number of entries at which those without a content are dropped.
        var sweepAt = 64
    }

    private let state = Mutex(State())

    init() {}

    /// The content of this name that a home has already; else this one, which others get from now on.
    public func shared<Content: AnyObject & Sendable>(_ name: Name, _ content: Content) -> Content {
        state.withLock { state in
            if let known = state.contents[name]?.content as? Content { return known }
            if state.contents.count >= state.sweepAt {
                state.contents = state.contents.filter { $0.value.content != nil }
                state.sweepAt = max(64, state.contents.count * 2)
            }
            state.contents[name] = Weak(content: content)
            return content
        }
    }

    /// Number of contents in memory.
    public var count: Int { state.withLock { $0.contents.values.count { $0.content != nil } } }
}

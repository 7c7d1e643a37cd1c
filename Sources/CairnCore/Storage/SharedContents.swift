internal import Synchronization

/// Contents that never change, such as the published version of a tour: a thousand homes that have read the same one
/// hold it once. A content goes when the last home that has it goes.
///
/// Contents that were read for a moment, such as the pages of a tour, stay for the next who asks: those used last, up
/// to `recentBytesMax`. Beyond it the one that was used longest ago goes first. Usable from any thread.
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

    /// A content that is kept though no home has it.
    private struct Recent: Sendable {
        let name: Name
        let content: any AnyObject & Sendable
        let bytes: Int
    }

    private struct State: Sendable {
        var contents: [Name: Weak] = [:]
        /// The one that was used last is the last.
        var recent: [Recent] = []
        var recentBytes = 0
        /// Bytes of the largest of them.
        var largestRecent: Int { recent.reduce(0) { max($0, $1.bytes) } }
        /// The number of entries at which those without a content are dropped.
        var sweepAt = 64
    }

    private let state = Mutex(State())

    /// Most bytes of contents that no home has, as far as they are known, beside the largest of them: that one stays
    /// whatever its size, also while others are used, or each of its pages would be read from the disk.
    public static let recentBytesMax = 32 << 20
    /// Most such contents.
    static let recentMax = 256

    init() {}

    /// The content of this name that was kept before; nil = it is not in memory.
    public func known<Content: AnyObject & Sendable>(_ name: Name, _ type: Content.Type = Content.self) -> Content? {
        state.withLock { state in
            if let index = state.recent.firstIndex(where: { $0.name == name }) {
                let recent = state.recent.remove(at: index)
                state.recent.append(recent)
                return recent.content as? Content
            }
            return state.contents[name]?.content as? Content
        }
    }

    /// Keeps a content for the next who asks for it.
    /// - Parameter bytes: about how much memory it takes.
    public func keep(_ name: Name, _ content: some AnyObject & Sendable, bytes: Int) {
        state.withLock { state in
            if let index = state.recent.firstIndex(where: { $0.name == name }) {
                state.recentBytes -= state.recent.remove(at: index).bytes
            }
            state.recent.append(Recent(name: name, content: content, bytes: bytes))
            state.recentBytes += bytes
            while state.recent.count > 1,
                state.recentBytes - state.largestRecent > Self.recentBytesMax || state.recent.count > Self.recentMax
            {
                state.recentBytes -= state.recent.removeFirst().bytes
            }
        }
    }

    /// Contents that are kept though no home has them, and their bytes.
    public var recent: (count: Int, bytes: Int) { state.withLock { ($0.recent.count, $0.recentBytes) } }

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

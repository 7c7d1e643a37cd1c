public import CairnWire
internal import Synchronization

/// Names in memory, found by identifier and by their beginning (FRD-1, SUB-12). On disk names are sealed and cannot be
/// searched.
///
/// Filled when the server starts, and changed when a change of a name is on disk. Usable from any thread. A name takes
/// about 70 bytes when it has at most 15 bytes (decision 0030).
public final class NameIndex<Tag>: Sendable {
    /// A named thing.
    public struct Entry: Hashable, Sendable {
        public let id: Identifier<Tag>
        public let name: String

        public init(id: Identifier<Tag>, name: String) {
            self.id = id
            self.name = name
        }
    }

    private let state = Mutex(NameTable())
    private let fold: @Sendable (String) -> String

    /// An empty index.
    /// - Parameter fold: the form by which names are compared: two names are equal if their forms are.
    public init(folding fold: @escaping @Sendable (String) -> String = { $0.lowercased() }) {
        self.fold = fold
    }

    public var count: Int { state.withLock { $0.count } }

    /// The present name; nil = there is none.
    public func name(of id: Identifier<Tag>) -> String? { state.withLock { $0.name(of: id.rawValue) } }

    /// Adds a name or replaces it; nil removes it.
    public func set(_ id: Identifier<Tag>, to name: String?) {
        let new = name.map { NameTable.Key(fold($0), id.rawValue) }
        state.withLock { table in
            let old = table.name(of: id.rawValue).map { NameTable.Key(fold($0), id.rawValue) }
            table.replace(old, by: new, id: id.rawValue, name: name)
        }
    }

    /// Replaces a name; nothing happens where there is none any more.
    public func rename(_ id: Identifier<Tag>, to name: String) {
        let new = NameTable.Key(fold(name), id.rawValue)
        state.withLock { table in
            guard let old = table.name(of: id.rawValue) else { return }
            table.replace(NameTable.Key(fold(old), id.rawValue), by: new, id: id.rawValue, name: name)
        }
    }

    /// Adds many names at once, in place of all that is there.
    /// - Parameter entries: in any order, each identifier once.
    public func fill(with entries: [Entry]) {
        let table = NameTable(entries.map { ($0.id.rawValue, $0.name) }, folding: fold)
        state.withLock { $0 = table }
    }

    /// The names with a beginning, in alphabetical order of their folded forms: an equal name comes first.
    /// - Parameters:
    ///   - max: most entries.
    ///   - isWanted: says of an entry whether it counts. At most `lookedAtMax` are looked at.
    public func entries(
        beginningWith prefix: String, max: Int, where isWanted: (Entry) -> Bool = { _ in true }
    ) -> [Entry] {
        let found = state.withLock { $0.entries(beginningWith: fold(prefix), max: Self.lookedAtMax) }
        return Array(
            found.lazy.map { Entry(id: Identifier(rawValue: $0.id), name: $0.name) }.filter(isWanted).prefix(max))
    }

    /// Most entries that one search looks at: a bound on its cost when nearly all are unwanted.
    public static var lookedAtMax: Int { 2_000 }
}

/// The two orders of an index: by identifier, and by folded name.
private struct NameTable: Sendable {
    /// A place in the order of names. Most comparisons are decided by the first eight bytes.
    struct Key: Sendable {
        let head: UInt64
        let folded: String
        let id: UInt64

        init(_ folded: String, _ id: UInt64) {
            self.folded = folded
            self.id = id
            var (head, shift) = (UInt64(0), 56)
            for byte in folded.utf8.prefix(8) {
                head |= UInt64(byte) << UInt64(shift)
                shift -= 8
            }
            self.head = head
        }

        static func < (one: Key, other: Key) -> Bool {
            if one.head != other.head { return one.head < other.head }
            let (left, right) = (one.folded.utf8, other.folded.utf8)
            if left.elementsEqual(right) { return one.id < other.id }
            return left.lexicographicallyPrecedes(right)
        }
    }

    /// Ascending, with a name for each. New identifiers are greater than all before, so they are appended.
    private var ids: [UInt64] = []
    private var names: [String] = []
    /// Ascending from block to block. An insertion moves the keys of one block.
    private var blocks: [[Key]] = []
    private static let blockMax = 512

    init() {}

    init(_ entries: [(id: UInt64, name: String)], folding fold: (String) -> String) {
        let sorted = entries.sorted { $0.id < $1.id }
        ids = sorted.map(\.id)
        names = sorted.map(\.name)
        let keys = sorted.map { Key(fold($0.name), $0.id) }.sorted(by: <)
        blocks = stride(from: 0, to: keys.count, by: Self.blockMax / 2).map {
            Array(keys[$0..<min($0 + Self.blockMax / 2, keys.count)])
        }
    }

    var count: Int { ids.count }

    func name(of id: UInt64) -> String? {
        let index = place(of: id)
        return index < ids.count && ids[index] == id ? names[index] : nil
    }

    /// The first index whose identifier is not below this one.
    private func place(of id: UInt64) -> Int {
        if let last = ids.last, last < id { return ids.count }
        return partition(ids.count) { ids[$0] < id }
    }

    mutating func replace(_ old: Key?, by new: Key?, id: UInt64, name: String?) {
        let index = place(of: id)
        let isKnown = index < ids.count && ids[index] == id
        switch (isKnown, name) {
        case (true, let name?): names[index] = name
        case (true, nil):
            ids.remove(at: index)
            names.remove(at: index)
        case (false, let name?):
            ids.insert(id, at: index)
            names.insert(name, at: index)
        case (false, nil): break
        }
        if let old { remove(old) }
        if let new { insert(new) }
    }

    private mutating func remove(_ key: Key) {
        let block = block(of: key)
        guard block < blocks.count else { return }
        let index = partition(blocks[block].count) { blocks[block][$0] < key }
        guard index < blocks[block].count, blocks[block][index].id == key.id else { return }
        blocks[block].remove(at: index)
        if blocks[block].isEmpty { blocks.remove(at: block) }
    }

    private mutating func insert(_ key: Key) {
        guard !blocks.isEmpty else {
            blocks = [[key]]
            return
        }
        let block = min(block(of: key), blocks.count - 1)
        let index = partition(blocks[block].count) { blocks[block][$0] < key }
        blocks[block].insert(key, at: index)
        guard blocks[block].count > Self.blockMax else { return }
        let half = blocks[block].count / 2
        blocks.insert(Array(blocks[block][half...]), at: block + 1)
        blocks[block].removeSubrange(half...)
    }

    /// The first block whose last key is not below this one.
    private func block(of key: Key) -> Int {
        partition(blocks.count) { index in blocks[index].last.map { $0 < key } ?? false }
    }

    /// The first index for which `isBelow` does not hold; it holds for all before and for none after.
    private func partition(_ count: Int, _ isBelow: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBelow(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func entries(beginningWith prefix: String, max: Int) -> [(id: UInt64, name: String)] {
        let first = Key(prefix, 0)
        var block = block(of: first)
        guard block < blocks.count else { return [] }
        var index = partition(blocks[block].count) { blocks[block][$0] < first }
        var found: [(id: UInt64, name: String)] = []
        while block < blocks.count, found.count < max {
            guard index < blocks[block].count else {
                (block, index) = (block + 1, 0)
                continue
            }
            let key = blocks[block][index]
            guard key.folded.utf8.starts(with: prefix.utf8) else { break }
            if let name = name(of: key.id) { found.append((key.id, name)) }
            index += 1
        }
        return found
    }
}

public import CairnWire
internal import Synchronization

/// Names in memory, found by identifier, by their beginning and by a part of them (FRD-1, SUB-12). On disk names are
/// sealed and cannot be searched.
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

    /// The names that a text is part of: first those that begin with it, as `entries(beginningWith:)`, then those that
    /// have it further on, in alphabetical order of their folded forms (FRD-1).
    ///
    /// The others are looked for outside of the lock, in the names of one moment: nobody waits for a long search.
    /// - Parameters:
    ///   - max: most entries.
    ///   - isWanted: as of `entries(beginningWith:)`.
    public func entries(
        containing text: String, max: Int, where isWanted: (Entry) -> Bool = { _ in true }
    ) -> [Entry] {
        var found = entries(beginningWith: text, max: max, where: isWanted)
        let part = Array(fold(text).utf8)
        guard found.count < max, !part.isEmpty else { return found }
        var (looks, matches) = (0, 0)
        for block in state.withLock({ $0.order }) {
            for key in block {
                looks += 1
                guard looks <= Self.searchedMax, matches < Self.lookedAtMax else { return found }
                guard key.hasFurtherOn(part) else { continue }
                matches += 1
                guard let name = name(of: Identifier(rawValue: key.id)) else { continue }
                let entry = Entry(id: Identifier(rawValue: key.id), name: name)
                guard isWanted(entry) else { continue }
                found.append(entry)
                if found.count == max { return found }
            }
        }
        return found
    }

    /// Most entries that one search looks at: a bound on its cost when nearly all are unwanted.
    public static var lookedAtMax: Int { 2_000 }

    /// Most names in which one search looks for a text further on than at the beginning, in alphabetical order: some
    /// 30 ms of one thread. Beyond them a name is found by its beginning alone.
    public static var searchedMax: Int { 1_000_000 }
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

        /// Whether bytes stand in the name, and not at its beginning. Both are UTF-8, so a match begins at a letter.
        func hasFurtherOn(_ part: [UInt8]) -> Bool {
            var folded = folded
            return folded.withUTF8 { bytes in
                let last = bytes.count - part.count
                guard last >= 1, !bytes.starts(with: part) else { return false }
                for start in 1...last where bytes[start] == part[0] {
                    if bytes[start..<start + part.count].elementsEqual(part) { return true }
                }
                return false
            }
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

    /// The keys in their order, block by block. A change made while somebody holds them copies one block, and the list
    /// of the blocks.
    var order: [[Key]] { blocks }

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

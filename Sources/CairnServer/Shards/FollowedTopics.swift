internal import CairnCore
internal import CairnGeo

/// The topics that a session follows, by topic. Lists, because nearly every session has some ten topics: a dictionary
/// of these has sixteen places and costs twice the memory, which every connection pays.
struct FollowedTopics: Sequence {
    typealias Element = (key: Topic, value: Session.Follow)

    /// Everyone's topics of cells, by their cells: nearly all that are followed, in half of a topic's memory.
    private var cells = List<CellID>()
    private var others = List<Topic>()

    private struct List<Key: Equatable> {
        var entries: [(key: Key, value: Session.Follow)] = []
        /// Places that a full list gains, in place of twice as many.
        private static var step: Int { 4 }

        subscript(key: Key) -> Session.Follow? {
            get { index(of: key).map { entries[$0].value } }
            set {
                switch (index(of: key), newValue) {
                case (let index?, let follow?): entries[index].value = follow
                case (let index?, nil): entries.remove(at: index)
                case (nil, let follow?):
                    if entries.count == entries.capacity { makeRoom(for: Swift.max(Self.step, entries.count / 4)) }
                    entries.append((key, follow))
                case (nil, nil): break
                }
            }
        }

        mutating func makeRoom(for count: Int) { entries.reserveCapacity(entries.count + count) }

        private func index(of key: Key) -> Int? { entries.firstIndex { $0.key == key } }
    }

    var keys: [Topic] { cells.entries.map { Topic($0.key) } + others.entries.map(\.key) }

    subscript(topic: Topic) -> Session.Follow? {
        get { topic.publicCell.map { cells[$0] } ?? others[topic] }
        set { if let cell = topic.publicCell { cells[cell] = newValue } else { others[topic] = newValue } }
    }

    /// Makes room for so many more cells.
    mutating func makeRoom(for count: Int) { cells.makeRoom(for: count) }

    mutating func removeValue(forKey topic: Topic) -> Session.Follow? {
        defer { self[topic] = nil }
        return self[topic]
    }

    func makeIterator() -> IndexingIterator<[Element]> {
        (cells.entries.map { (Topic($0.key), $0.value) } + others.entries).makeIterator()
    }
}

extension Session {
    /// One word, because a session has one for each cell in its view.
    struct Follow {
        private var bits: UInt64

        init(number: UInt64) { bits = number << 2 }

        var number: UInt64 {
            get { bits >> 2 }
            set { bits = newValue << 2 | bits & 3 }
        }

        var isAnswered: Bool {
            get { bits & 1 == 1 }
            set { bits = bits & ~1 | (newValue ? 1 : 0) }
        }

        /// Whether it gets the account's excerpt of the topic, which no other account gets.
        var isExcerpt: Bool {
            get { bits & 2 == 2 }
            set { bits = bits & ~2 | (newValue ? 2 : 0) }
        }
    }
}

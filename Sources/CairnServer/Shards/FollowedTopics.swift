internal import CairnCore

/// The topics that a session follows, by topic. A list, because nearly every session has some ten of them: a dictionary
/// of these has sixteen places and costs twice the memory, which every connection pays.
struct FollowedTopics: Sequence {
    typealias Element = (key: Topic, value: Session.Follow)

    private var list: [Element] = []
    /// Places that a full list gains, in place of twice as many.
    private static let step = 4

    var keys: [Topic] { list.map(\.key) }

    subscript(topic: Topic) -> Session.Follow? {
        get { index(of: topic).map { list[$0].value } }
        set {
            switch (index(of: topic), newValue) {
            case (let index?, let follow?): list[index].value = follow
            case (let index?, nil): list.remove(at: index)
            case (nil, let follow?):
                if list.count == list.capacity { makeRoom(for: Swift.max(Self.step, list.count / 4)) }
                list.append((topic, follow))
            case (nil, nil): break
            }
        }
    }

    /// Makes room for so many more.
    mutating func makeRoom(for count: Int) { list.reserveCapacity(list.count + count) }

    mutating func removeValue(forKey topic: Topic) -> Session.Follow? {
        index(of: topic).map { list.remove(at: $0).value }
    }

    func makeIterator() -> IndexingIterator<[Element]> { list.makeIterator() }

    private func index(of topic: Topic) -> Int? { list.firstIndex { $0.key == topic } }
}

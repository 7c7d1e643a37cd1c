/// The topics that a connection follows, each with its place in the topic's list of subscribers.
///
/// A list, because nearly every connection follows some ten topics: a dictionary of these has sixteen places and costs
/// twice the memory, which every connection pays. Entries refer to the fan-out, whose key is three times as large.
struct FollowedFanOuts {
    private var list: [(fanOut: FanOut, place: Int)] = []
    /// Places that a full list gains, in place of twice as many.
    private static let step = 4

    var all: [FanOut] { list.map(\.fanOut) }

    /// The place in the list of subscribers; nil = the topic is not followed.
    subscript(fanOut: FanOut) -> Int? { index(of: fanOut).map { list[$0].place } }

    /// Adds a topic that is not followed.
    mutating func add(_ fanOut: FanOut, at place: Int) {
        if list.count == list.capacity { list.reserveCapacity(list.count + max(Self.step, list.count / 4)) }
        list.append((fanOut, place))
    }

    /// Notes another place in the list of subscribers.
    mutating func move(_ fanOut: FanOut, to place: Int) {
        if let index = index(of: fanOut) { list[index].place = place }
    }

    /// - Returns: the place that it had; nil = the topic was not followed.
    mutating func remove(_ fanOut: FanOut) -> Int? {
        guard let index = index(of: fanOut) else { return nil }
        let place = list[index].place
        list.swapAt(index, list.count - 1)
        list.removeLast()
        return place
    }

    private func index(of fanOut: FanOut) -> Int? { list.firstIndex { $0.fanOut === fanOut } }
}

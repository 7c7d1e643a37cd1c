/// When the connections of a recorded run had to do with its topics. Times are the numbers of messages, over all
/// connections.
struct RecordedViews: Sendable {
    private struct View: Hashable {
        let link: Int
        let topic: String
    }

    private var links: Set<Int> = []
    /// By name, the first message on each connection with an item of it.
    private var firsts: [String: [Int: Int]] = [:]
    /// The last message with a snapshot of a topic on a connection, or with its end.
    private var lasts: [View: Int] = [:]

    init() {}

    /// - Parameter name: by which strangers are told: of a topic, its own or its scope's; nil = it does not count.
    init(_ log: CrowdLog, _ name: (String) -> String?) {
        var messages = 0
        for entry in log.entries {
            guard case .received(let message, _, let link) = entry.call else { continue }
            messages += 1
            links.insert(link)
            for item in Tampering.Item.items(of: message) {
                guard let topic = item.topic else { continue }
                if item.field != .event { lasts[View(link: link, topic: topic)] = messages }
                if let name = name(topic), firsts[name]?[link] == nil { firsts[name, default: [:]][link] = messages }
            }
        }
    }

    /// A connection that has nothing to do with a topic until after this message: if possible one that never has,
    /// otherwise the one that is the last to have. Nil = there is none.
    func stranger(to name: String, after message: Int) -> Int? {
        let known = firsts[name] ?? [:]
        func first(_ link: Int) -> Int { known[link] ?? .max }
        return links.filter { first($0) > message }.max { (first($0), $1) < (first($1), $0) }
    }

    /// Whether a connection's view of a topic is not begun anew, and does not end, after this message.
    func areLast(_ topic: String, on link: Int, after message: Int) -> Bool {
        lasts[View(link: link, topic: topic)].map { $0 < message } ?? false
    }
}

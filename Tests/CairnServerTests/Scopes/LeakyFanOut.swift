import CairnCore
import CairnWire
import Synchronization

@testable import CairnRoot
@testable import CairnServer

/// A fault that only tests have: one event in so many, of those that are for groups, also goes out by the key of
/// everyone's topic, as in a build whose fan-out forgets the scope.
final class LeakyFanOut: Sendable {
    private let period: Int
    private let state = Mutex((events: 0, leaked: Set<String>()))

    /// - Parameter period: every event of this number leaks.
    init(oneIn period: Int) {
        self.period = period
    }

    /// Events for groups so far.
    var events: Int { state.withLock { $0.events } }
    /// Texts of the notes that leaked.
    var leaked: Set<String> { state.withLock { $0.leaked } }

    /// An event tells of a note in a cell. Returns when it waits in the outboxes of those whom it must not reach, if it
    /// leaks.
    func told(of note: WireInstance, by server: RunningServer) async {
        guard let group = Notes.groups(in: note.object).first, let topic = Topic(name: note.cell) else { return }
        await told(of: note, in: Topic(topic.home, group), seenIn: topic.home, by: server)
    }

    /// An event of a topic tells of a note.
    /// - Parameter cell: where it is sent to everybody, if it leaks.
    func told(of note: WireInstance, in topic: Topic, seenIn cell: HomeAddress, by server: RunningServer) async {
        let leaks = state.withLock { state in
            state.events += 1
            guard state.events.isMultiple(of: period) else { return false }
            state.leaked.insert(note.text)
            return true
        }
        guard leaks else { return }
        var item = WireItem()
        // Every second one says by its name where it belongs.
        item.event.topic = (leaked.count.isMultiple(of: 2) ? Topic(topic.home, .everyone) : topic).name
        item.event.entered.instance = note
        let encoded = EncodedItem(item, json: false)
        for shard in await server.shards {
            await withCheckedContinuation { continuation in
                shard.post { shard in
                    shard.perform(.topic(Topic(cell, .everyone), .event(encoded)))
                    continuation.resume()
                }
            }
        }
    }
}

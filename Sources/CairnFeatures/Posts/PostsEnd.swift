internal import CairnCore
internal import CairnWire

/// Ends posts whose time is over (PST-7): viewers get `left`.
///
/// A cell has one timer, at the earliest end. Ends within `pause` after it are published together, at most `atOnce` in
/// one turn. Nothing but the timer is written: an end follows from the time that is stored with the post, and the row
/// is deleted within the hour (`Posts.expiries`).
struct PostsEnd: HomeTimer {
    static let kind: StaticText = "posts.end"

    init() {}

    init(subject: UInt64, payload: [UInt8]) throws(ColumnFault) {
        guard subject == 0, payload.isEmpty else { throw ColumnFault(0, .unreadable) }
    }

    /// Time between two firings in a cell. When many posts end one after the other, this is how late an
    /// end can be, out of the second that PST-7 allows.
    private static let pause = Duration.milliseconds(200)
    private static let atOnce = 64

    func fire(due: LastingTime, in turn: inout Turn) -> [Effect] {
        let ended = turn.objects.takeEnded(.post, by: turn.lasting, max: Self.atOnce)
        var effects = ended.map { Effect.publish(.departure(of: $0)) }
        if let next = turn.objects.nextEnd(of: .post) {
            // More posts may have ended already. The stored time is over, so nothing is written before the next turn:
            // a write would hold back what that turn publishes, and a commit would then release thousands of ends at
            // once.
            effects.append(
                ended.count == Self.atOnce
                    ? .delay(PostsEnd(), until: turn.lasting)
                    : .wake(at: max(next, turn.lasting + Self.pause), PostsEnd()))
        }
        return effects
    }

    /// Sets the cell's timer when a new post needs it; nil = the timer that is set comes early enough.
    static func setting(for post: Post, in turn: Turn) -> Effect? {
        guard let due = turn.due(of: PostsEnd.self) else {
            // This is the first post, or the timer's row was damaged: the timer is set again here.
            return .wake(at: turn.objects.nextEnd(of: .post) ?? post.ends, PostsEnd())
        }
        return post.ends < due ? .wake(at: post.ends, PostsEnd()) : nil
    }
}

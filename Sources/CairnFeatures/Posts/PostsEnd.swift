internal import CairnCore
internal import CairnWire

/// Posts end by themselves (PST-7): viewers are told that they have left.
///
/// A cell has one timer, at the end that comes first. Ends that follow within `pause` are told together, and at most
/// `atOnce` in one turn, however many there are. The timer writes nothing else: an end follows from the time that is
/// stored with the post, and the row goes within the hour (`Posts.expiries`).
struct PostsEnd: HomeTimer {
    static let kind: StaticText = "posts.end"

    init() {}

    init(subject: UInt64, payload: [UInt8]) throws(ColumnFault) {
        guard subject == 0, payload.isEmpty else { throw ColumnFault(0, .unreadable) }
    }

    /// Between two firings of a cell, milliseconds: with the next end of many a post is told so much too late, of the
    /// second that PST-7 allows.
    private static let pause: Int64 = 200
    private static let atOnce = 64

    func fire(due: Int64, in turn: inout Turn) -> [Effect] {
        let ended = turn.objects.takeEnded(.post, by: turn.lasting, max: Self.atOnce)
        var effects = ended.map { Effect.publish(.departure(of: $0)) }
        if let next = turn.objects.nextEnd(of: .post) {
            let earliest = ended.count == Self.atOnce ? turn.lasting : turn.lasting + Self.pause
            effects.append(.wake(at: max(next, earliest), PostsEnd()))
        }
        return effects
    }

    /// Sees to it that a new post's end is told, and those of the posts that are there.
    static func setting(for post: Post, in turn: Turn) -> Effect? {
        guard let due = turn.due(of: PostsEnd.self) else {
            // The first post, or the timer's row was damaged: then it begins anew here.
            return .wake(at: turn.objects.nextEnd(of: .post) ?? post.ends, PostsEnd())
        }
        return post.ends < due ? .wake(at: post.ends, PostsEnd()) : nil
    }
}

internal import CairnCore
internal import CairnWire

/// Posts end by themselves (PST-7): whoever sees one is told that it has left.
///
/// A cell has one timer, at the end that comes first. It writes nothing: an end follows from the time that is stored
/// with the post, and the row goes within the hour (`Posts.expiries`).
struct PostsEnd: HomeTimer {
    static let kind: StaticText = "posts.end"

    init() {}

    init(subject: UInt64, payload: [UInt8]) throws(ColumnFault) {
        guard subject == 0, payload.isEmpty else { throw ColumnFault(0, .unreadable) }
    }

    func fire(due: Int64, in turn: inout Turn) -> [Effect] {
        var effects: [Effect] = []
        var next: Int64?
        for record in turn.objects.records(of: .post) {
            guard let ends = record.attachments[PostLife.self]?.ends else { continue }
            guard ends <= turn.lasting else {
                next = min(next ?? ends, ends)
                continue
            }
            turn.objects.end(record.id)
            effects.append(.publish(.departure(of: record)))
        }
        if let next { effects.append(.wake(at: next, PostsEnd())) }
        return effects
    }

    /// Sees to it that a new post's end is told, and those of the posts that are there.
    static func setting(for post: Post, in turn: Turn) -> Effect? {
        guard let due = turn.due(of: PostsEnd.self) else {
            // The first post, or the timer's row was damaged: then it begins anew here.
            let ends = turn.objects.records(of: .post).compactMap { $0.attachments[PostLife.self]?.ends }
            return .wake(at: min(ends.min() ?? post.life.ends, post.life.ends), PostsEnd())
        }
        return post.life.ends < due ? .wake(at: post.life.ends, PostsEnd()) : nil
    }
}

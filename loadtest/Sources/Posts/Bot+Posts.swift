import CairnClient
import CairnTime
import CairnWire

/// Leaving posts, and voting on those of others.
extension Bot {
    /// Leaves a post.
    func post(due: MonotonicTime, now: MonotonicTime) {
        var random = nextErrand()
        let number = UInt32.random(in: 0...UInt32.max, using: &random)
        guard let ticket = try? core.createPost("post \(number) of \(index) \u{1F4AC}", now: now) else { return }
        _ = note(ticket, Errand.Kind("post"), due: due, now: now)
    }

    /// Votes on a post within reach: mostly up, now and then down, and some take their vote back.
    func vote(due: MonotonicTime, now: MonotonicTime) {
        var random = nextErrand()
        guard let place = told else { return }
        let dice = Double.random(in: 0..<1, using: &random)
        let vote = dice < 0.6 ? PostVote.up : dice < 0.9 ? .down : .withdrawn
        // One vote at a time on each post, because two votes under way may be decided in either order.
        let underWay = Set(pending.values.filter { $0.kind.name == "vote" }.compactMap(\.kind.instance))
        let posts = core.view.posts(seenFrom: place, at: serverTime(at: now)).filter { post in
            guard let id = InstanceID(post.id) else { return false }
            return !underWay.contains(id) && core.view.topics[post.cell]?.own.contains(id) != true
        }
        guard let post = chosen(from: posts, using: &random), let id = InstanceID(post.id),
            let ticket = try? core.vote(vote, on: post, now: now)
        else { return }
        _ = note(ticket, Errand.Kind("vote", id), due: due, now: now)
    }

    /// The server's time, milliseconds since 1970: the time in the welcome and the time that has passed since.
    func serverTime(at now: MonotonicTime) -> Int64 {
        guard let welcome = core.welcome else { return 0 }
        return welcome.serverTime + Int64(now.microseconds(since: liveSince) / 1_000)
    }

    /// Posts in view that have ended, and how many milliseconds ago.
    func endedPosts(at now: MonotonicTime) -> [(id: String, milliseconds: Int64)] {
        let time = serverTime(at: now)
        return core.view.topics.values.filter(\.isComplete).flatMap { topic in
            topic.instances.values.compactMap { instance in
                guard instance.hasPost, !instance.post.hidden, instance.post.expires < time else { return nil }
                return (instance.id, time - instance.post.expires)
            }
        }
    }
}

import CairnClient
import CairnWire

/// A bot's requests and observations about posts.
enum PostObservation: Deed {
    /// A post was acknowledged.
    case posted(WireInstance)
    /// A vote was acknowledged.
    case voted(InstanceID, WireVoteSet)
    /// A bot's view has a post that ended this many milliseconds ago, by the server's time.
    case heldAfterItsEnd(String, milliseconds: Int64)
}

/// Each person has one vote on a post, a score is the sum of the last votes, and no post is seen after its end (RCT-3,
/// RCT-4, PST-7).
struct PostRule: FeatureRule {
    /// How long after its end a post may still be in view: the promised second, and the delay of the message on a busy
    /// machine.
    static let lateMillisecondsMax: Int64 = 2_500

    /// The last acknowledged vote of each bot.
    private var votes: [InstanceID: [Int: Int32]] = [:]
    private var posted: Set<InstanceID> = []

    mutating func take(_ deed: any Deed, of bot: Int, _ broken: inout Broken) {
        guard let observation = deed as? PostObservation else { return }
        switch observation {
        case .posted(let instance):
            guard let id = InstanceID(instance.id) else { return }
            if !posted.insert(id).inserted { broken.add("posted_twice", "\(id) was acknowledged again") }
        case .voted(let id, let set):
            votes[id, default: [:]][bot] = set.vote
        case .heldAfterItsEnd(let id, let milliseconds):
            guard milliseconds > Self.lateMillisecondsMax else { return }
            broken.add("seen_after_its_end", "bot \(bot) holds \(id), which ended \(milliseconds) ms ago")
        }
    }

    /// At the end of the run: compares a post with the acknowledgements.
    func judge(_ views: FinalViews, _ broken: inout Broken) -> [HeldInstance] {
        for topic in views.topics where topic.replica.isComplete {
            for (id, instance) in topic.replica.instances where instance.hasPost {
                let wanted = (votes[id] ?? [:]).values.reduce(0, +)
                if instance.post.score != wanted {
                    broken.add(
                        "score_differs",
                        "\(id) for bot \(topic.bot): \(instance.post.score), the votes add up to \(wanted)")
                }
                if !posted.contains(id) { broken.add("post_unasked", "\(id), and no answer told of it") }
            }
        }
        return []
    }
}

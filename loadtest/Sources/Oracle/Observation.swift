import CairnClient
import CairnTime
import CairnWire

/// A bot's action or observation, for the oracle. Times are of one clock.
enum Observation {
    /// The bot's view of a topic is complete: from here on it gets every event. Views of cells are named as
    /// `TopicName.view(of:shown:)` names them.
    case followed(bot: Int, topic: String, at: MonotonicTime)
    /// The bot no longer follows a topic, or events of it were dropped for it.
    case unfollowed(bot: Int, topic: String, at: MonotonicTime)
    /// - Parameter shown: the sub-realm that the bot has selected; empty = it is shown what is everyone's.
    case appeared(bot: Int, WireInstance, shown: String = "")
    /// An instance in view was received again, with another version.
    case changed(bot: Int, WireInstance)

    /// A bot received something of a sub-realm: an item of a topic with this scope, sent after `since`.
    case received(bot: Int, scope: String, since: MonotonicTime, at: MonotonicTime)
    /// A bot learned the scope in the topics of a sub-realm.
    case named(bot: Int, scope: String, realm: String)

    /// An action or observation of a feature.
    case did(bot: Int, any Deed)

    case violation(bot: Int, Violation)
    case poseFaults(bot: Int, PoseFaults)
    /// An answer of another kind than the request.
    case wrongAnswer(bot: Int, String)
    /// Requests without an answer at the end of the run.
    case unanswered(bot: Int, count: Int)
    /// The server ended a connection, or the link broke.
    case cut(bot: Int, code: UInt16, reason: String)

    /// At the end a bot has not reconnected.
    case notReturned(bot: Int)
    /// Poses that neither arrived nor were replaced in time by newer ones.
    case posesLost(count: Int)
    /// At the end a bot does not hold a person's newest pose.
    case stalePose(bot: Int, person: Int, String)
    /// At the end a bot does not see a person who is certainly in a cell that it follows.
    case unseen(bot: Int, person: Int, in: String)
    /// At the end a bot sees a person in a cell in which the person certainly is not.
    case ghost(bot: Int, person: Int, in: String)
    /// A bot received a person who does not share the position.
    case hiddenSeen(bot: Int, person: Int, in: String)
    /// A bot received people in a cell that it does not follow.
    case presenceOutOfView(bot: Int, cell: String)
    /// A bot follows a topic, at this distance from its cell.
    case seen(bot: Int, cell: String, metresAway: Double)
    /// At the end a bot does not follow a cell that its view touches.
    case notFollowed(bot: Int, cell: String)
}

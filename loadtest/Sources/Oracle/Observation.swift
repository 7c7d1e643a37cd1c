import CairnClient
import CairnTime
import CairnWire

/// Something that a bot did or saw, as the oracle is told. Times are of one clock.
enum Observation {
    /// The bot's view of a topic is complete: from here on it gets every event.
    case followed(bot: Int, topic: String, at: MonotonicTime)
    /// The bot no longer follows a topic, or events of it were dropped for it.
    case unfollowed(bot: Int, topic: String, at: MonotonicTime)
    case appeared(bot: Int, WireInstance)
    /// An instance in view is told anew.
    case changed(bot: Int, WireInstance)

    /// It did or saw something of a feature.
    case did(bot: Int, any Deed)

    case violation(bot: Int, Violation)
    case poseFaults(bot: Int, PoseFaults)
    /// An answer of another kind than the request.
    case wrongAnswer(bot: Int, String)
    /// Requests that have no answer in the end.
    case unanswered(bot: Int, count: Int)
    /// The server ended a connection, or the link broke.
    case cut(bot: Int, code: UInt16, reason: String)

    /// In the end a bot has not been let in again.
    case notReturned(bot: Int)
    /// Poses that neither came nor were replaced in time by newer ones.
    case posesLost(count: Int)
    /// In the end a bot does not hold somebody's newest pose.
    case stalePose(bot: Int, person: Int, String)
    /// In the end a bot does not see somebody who is certainly in a cell that it follows.
    case unseen(bot: Int, person: Int, in: String)
    /// In the end a bot sees somebody in a cell that they are certainly not in.
    case ghost(bot: Int, person: Int, in: String)
    /// A bot was told of somebody who does not share their position.
    case hiddenSeen(bot: Int, person: Int, in: String)
    /// A bot was told of people in a cell that it does not follow.
    case presenceOutOfView(bot: Int, cell: String)
    /// A bot was let into a topic, so far from its cell.
    case seen(bot: Int, cell: String, metresAway: Double)
    /// In the end a bot does not follow a cell that its view touches.
    case notFollowed(bot: Int, cell: String)
}

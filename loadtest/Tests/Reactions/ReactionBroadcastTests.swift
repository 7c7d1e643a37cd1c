import CairnClient
import CairnTime
import CairnWire
import Testing

@testable import CairnCrowd

@Suite struct ReactionBroadcastTests {
    @Test func answer_hasTheMarkOfItsEvent_whichMayComeAgain() throws {
        var (event, reply, love) = (WireEvent(), WireReply(), WireReactionCount())
        (love.reaction, love.count) = ("love", 2)
        (event.reacted.instance, event.reacted.reactions) = ("a", [love])
        (reply.reactionSet.instance, reply.reactionSet.reaction, reply.reactionSet.reactions) = ("a", "love", [love])
        let mark = try #require(event.change.flatMap(BroadcastMark.of))
        let errand = Bot.Errand(kind: Bot.Errand.Kind("react"), due: .epoch, at: .epoch)
        let result = try #require(reply.result)
        let told = try #require(CrowdFeatures.broadcast(of: result, to: errand))
        #expect(told.mark == mark && !mark.isUnique && told.own == "love")
        event.reacted.reactions[0].count = 3
        #expect(event.change.flatMap(BroadcastMark.of) != mark)
    }
}

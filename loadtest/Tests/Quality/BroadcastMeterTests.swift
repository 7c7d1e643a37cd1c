import CairnClient
import CairnTesting
import CairnTime
import CairnWire
import Histogram
import Testing

@testable import CairnCrowd

/// A broadcast ends at the last receiver of its event. Times are in microseconds.
@Suite struct BroadcastMeterTests {
    private var meter = BroadcastMeter()

    /// An event of a topic by which an instance enters it.
    private func entered(_ id: String = "a", version: UInt32 = 1, topic: String = "cell", number: UInt64) -> WireEvent {
        var event = WireEvent()
        (event.topic, event.sequence) = (topic, number)
        (event.entered.instance.id, event.entered.instance.version) = (id, version)
        return event
    }

    private func scored(_ score: Int32, number: UInt64) -> WireEvent {
        var event = WireEvent()
        (event.topic, event.sequence) = ("cell", number)
        (event.voted.post, event.voted.score) = ("a", score)
        return event
    }

    private func errand(_ kind: String, due: MonotonicTime) -> Bot.Errand {
        Bot.Errand(kind: Bot.Errand.Kind(kind), due: due, at: due + .microseconds(5))
    }

    private func placed(_ id: String = "a", version: UInt32 = 1) throws -> WireReply.OneOf_Result {
        var reply = WireReply()
        (reply.placed.instance.id, reply.placed.instance.version) = (id, version)
        return try #require(reply.result)
    }

    private func voted(_ vote: Int32, score: Int32) throws -> WireReply.OneOf_Result {
        var reply = WireReply()
        (reply.voteSet.post, reply.voteSet.vote, reply.voteSet.score) = ("a", vote, score)
        return try #require(reply.result)
    }

    private mutating func acknowledge(_ errand: Bot.Errand, _ result: WireReply.OneOf_Result, now: MonotonicTime) {
        meter.acknowledged(errand, result, of: 3, isMeasured: true, now: now)
    }

    /// The only time of a kind, and the receivers that it is of.
    private func only(_ kind: String) throws -> (microseconds: UInt64, receivers: Int) {
        let times = try #require(meter.times().byKind[kind])
        #expect(times.times.totalCount == 1)
        return (times.times.maxRecorded, times.receivers)
    }

    @Test mutating func broadcast_lastsFromWhenItWasDueToItsLastReceiver() throws {
        meter.heard(entered(number: 7), now: 1_300)
        acknowledge(errand("place", due: 1_000), try placed(), now: 1_350)
        meter.heard(entered(number: 7), now: 1_500)
        meter.heard(entered("b", number: 8), now: 1_900)
        meter.heard(entered(number: 7), now: 1_700)
        let found = try only("place")
        #expect(found.microseconds == 700 && found.receivers == 3)
        #expect(meter.times().unmatched.isEmpty)
    }

    @Test mutating func instanceInSeveralTopics_countsUntilTheLastOfThem() throws {
        acknowledge(errand("place", due: 0), try placed(), now: 100)
        meter.heard(entered(topic: "cell/one", number: 7), now: 200)
        meter.heard(entered(topic: "cell/two", number: 3), now: 600)
        meter.heard(entered(topic: "cell/one", number: 7), now: 400)
        let found = try only("place")
        #expect(found.microseconds == 600 && found.receivers == 3)
    }

    @Test mutating func scoreThatComesAgain_isOfTheRequestBeforeIt() throws {
        meter.heard(scored(1, number: 1), now: 100)
        acknowledge(errand("vote", due: 50), try voted(1, score: 1), now: 110)
        meter.heard(scored(0, number: 2), now: 2_000)
        acknowledge(errand("down", due: 1_900), try voted(0, score: 0), now: 2_010)
        meter.heard(scored(1, number: 3), now: 5_200)
        acknowledge(errand("again", due: 5_000), try voted(1, score: 1), now: 5_210)
        #expect(try only("vote").microseconds == 50 && only("down").microseconds == 100)
        #expect(try only("again").microseconds == 200)
    }

    @Test mutating func changeThatNobodyHears_isNoBroadcast() throws {
        acknowledge(errand("place", due: 0), try placed(), now: 100)
        acknowledge(errand("vote", due: 0), try voted(1, score: 1), now: 100)
        // The same score so much later is another's.
        meter.heard(scored(1, number: 1), now: MonotonicTime(microseconds: 11_000_000))
        let (byKind, unmatched) = meter.times()
        #expect(byKind.isEmpty && unmatched == ["place": 1, "vote": 1])
    }

    @Test mutating func voteThatChangesNothing_isNoBroadcast() throws {
        // Nothing was there to be taken back.
        acknowledge(errand("back", due: 0), try voted(0, score: 0), now: 100)
        meter.acknowledged(
            errand("before", due: 200), try voted(1, score: 1), of: 3, isMeasured: false, now: 300)
        acknowledge(errand("again", due: 400), try voted(1, score: 1), now: 500)
        meter.heard(scored(1, number: 5), now: 600)
        #expect(meter.times().byKind.isEmpty && meter.times().unmatched.isEmpty)
        acknowledge(errand("down", due: 700), try voted(-1, score: -1), now: 800)
        #expect(meter.times().unmatched == ["down": 1])
    }

    @Test mutating func questions_areNoBroadcasts() throws {
        var reply = WireReply()
        reply.positioned.cell = "cell"
        acknowledge(errand("position", due: 0), try #require(reply.result), now: 100)
        #expect(meter.times().byKind.isEmpty && meter.times().unmatched.isEmpty)
    }

    /// The mark of an answer must be that of the event.
    @Test func answers_haveTheMarksOfTheirEvents() throws {
        var (event, reply) = (WireEvent(), WireReply())
        func agree(_ kind: String = "any") throws {
            let (change, result) = (try #require(event.change), try #require(reply.result))
            let mark = try #require(BroadcastMark.of(change))
            #expect(CrowdFeatures.broadcast(of: result, to: errand(kind, due: 0))?.mark == mark)
        }
        (event.entered.instance.id, event.entered.instance.version) = ("a", 1)
        (reply.postCreated.post.id, reply.postCreated.post.version) = ("a", 1)
        try agree()
        (event.changed.instance, event.changed.version) = ("a", 4)
        (reply.edited.instance.id, reply.edited.instance.version) = ("a", 4)
        try agree()
        (event.movedOut.instance, event.movedOut.version) = ("a", 4)
        try agree()
        event.left.instance = "a"
        reply.removed.instance = "a"
        try agree()
    }

    @Test func memberWhoMayHaveToWait_isToldOfOnlyWhenInside() throws {
        var event = WireEvent()
        (event.realmChanged.realm, event.realmChanged.members) = ("r", true)
        let mark = try #require(event.change.flatMap(BroadcastMark.of))
        var reply = WireReply()
        var joining = errand("join", due: 0)
        joining.matter = RealmMatter(action: .join, realm: "r", person: 1)
        func told() -> Broadcast? { reply.result.flatMap { CrowdFeatures.broadcast(of: $0, to: joining) } }
        reply.realm.standing = "member"
        #expect(told()?.mark == mark)
        reply.realm.standing = "pending"
        #expect(told() == nil)
        // Name or description changed: nobody joined or left.
        event.realmChanged.members = false
        #expect(event.change.flatMap(BroadcastMark.of) == nil)
    }
}

import CairnCore
import CairnTesting
import CairnWire
import Testing

@testable import CairnFeatures

/// How much each kind of change may leave on the disk for its retry, with the largest answer that a person can cause
/// (SYN-2; docs/limits.md).
@Suite("Bounds of stored replies")
struct ReplyBoundsTests {
    /// A letter that counts once and takes 25 bytes.
    private static func letters(_ count: Int) -> String {
        String(repeating: "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}", count: count)
    }

    private static func ascii(_ count: Int) -> String { String(repeating: "x", count: count) }

    private static let id = "0123456789abc"

    private static let pose: WirePose = {
        var pose = WirePose.make(at: Ground.here.centre, heightMetres: 1 / 3, scale: 1 / 3)
        pose.accuracy = 1 / 3
        pose.anchor.provider = ascii(64)
        pose.anchor.id = ascii(256)
        pose.anchor.transform = (0..<16).map { 1 / Double($0 + 1) }
        pose.anchor.data = .init(repeating: 7, count: 4_096)
        return pose
    }()

    private static let reactions: [WireReactionCount] = ReactionSettings().names.map { name in
        var count = WireReactionCount()
        count.reaction = name
        count.count = .max
        return count
    }

    /// An instance with the most in every field: 2,000 letters, 2 KiB of data, a long preset, all reactions, the
    /// sub-realms of one placement.
    private static let instance: WireInstance = {
        var instance = WireInstance()
        instance.id = id
        instance.object = ascii(64)
        instance.placer = letters(30)
        instance.created = .max
        instance.version = .max
        instance.pose = pose
        instance.cell = id
        instance.text = letters(2_000)
        instance.dataBytes = Array(repeating: 9, count: 2_048)
        instance.reactions = reactions
        instance.realms = Array(repeating: id, count: 16)
        return instance
    }()

    private static let post: WireInstance = {
        var post = instance
        post.clearPose()
        post.object = ""
        post.dataBytes = []
        post.realms = []
        post.post.score = .max
        return post
    }()

    private static let realm: WireRealm = {
        var realm = WireRealm()
        realm.id = id
        realm.name = letters(50)
        realm.description_p = letters(500)
        realm.open = true
        realm.approval = true
        realm.standing = "pending"
        realm.members = .max
        realm.version = .max
        return realm
    }()

    private static let group: WireGroup = {
        var member = WireGroupMember()
        member.account = id
        member.name = letters(30)
        member.guide = true
        member.own = true
        member.reached = .max
        member.lat = 1 / 3
        member.lon = 1 / 3
        member.sharesPlace = true
        var group = WireGroup()
        group.id = id
        group.topic = "group:" + id
        group.tour = id
        group.code = "ABCDEFGH"
        group.codeEnds = .max
        group.target = id
        group.members = Array(repeating: member, count: 51)
        return group
    }()

    private static let run: WireRun = {
        var stop = WireTourStop()
        stop.id = id
        stop.object = id
        stop.pose = pose
        stop.history.words = (0..<50).map { language in
            var words = WireTourWords()
            words.language = "l\(language)"
            words.text = letters(5_000)
            return words
        }
        var run = WireRun()
        run.id = id
        run.topic = "run:" + id
        run.tour = id
        run.version = .max
        run.reached = .max
        run.stops = .max
        run.metres = 1 / 3
        run.milliseconds = .max
        run.at = .max
        run.target = stop
        run.last = stop
        run.popups = Array(repeating: id, count: 500)
        return run
    }()

    /// The longest success of each kind that changes have.
    private static let longest: [Request.Result] = [
        .done(WireDone()), .realm(realm), .run(run), .group(group),
        .made { $0.placed.instance = instance },
        .made { $0.edited.instance = instance },
        .made { $0.removed.instance = id },
        .made { reply in
            reply.reactionSet.instance = id
            reply.reactionSet.reaction = ascii(32)
            reply.reactionSet.reactions = reactions
        },
        .made { $0.postCreated.post = post },
        .made { $0.postEdited.post = post },
        .made { $0.postRemoved.post = id },
        .made { reply in
            reply.voteSet.post = id
            reply.voteSet.score = .min
            reply.voteSet.size = 1 / 3
            reply.voteSet.reach = 1 / 3
        },
        .made { $0.feedbackTaken.feedback = id },
        .made { $0.friendRequested.friends = true },
        .made { reply in
            reply.runSummary.tour = id
            reply.runSummary.metres = 1 / 3
            reply.runSummary.milliseconds = .max
        },
        .made { reply in
            reply.tourEdited.tour = id
            reply.tourEdited.part = ascii(64)
            reply.tourEdited.version = .max
        },
    ]

    /// The longest answer to a kind of change; nil = its success is not known here.
    private static func longest<C: Command>(of change: C.Type) -> Request.Result? {
        let body = C.Body.self as? any RequestBody.Type
        return longest.first { body?.success(in: $0) != nil }
    }

    private static var changes: [any Command.Type] {
        Features.register.kinds.compactMap { Features.register.command(field: $0.field) }.filter { $0.isChange }
    }

    private static func bytes(_ result: Request.Result) -> Int {
        var reply = WireReply()
        reply.result = result
        return WireBody.encode(reply).count
    }

    @Test func everyKindOfChange_storesNoMoreThanTheBound_howeverLongItsAnswer() throws {
        #expect(Self.changes.count > 40)
        for change in Self.changes {
            let name = change.kind.name
            let longest = Self.longest(of: change)
            let result = try #require(longest, "\(name): say here how long its answer can be")
            let stored = Self.bytes(change.shortened(result))
            #expect(stored <= StoredReply.resultBytesMax, "\(name) stores \(stored) bytes")
        }
    }

    @Test func aLongSubrealm_isStoredWithoutItsTexts_andASubrealmOfUsualLengthWhole() {
        var without = Self.realm
        without.name = ""
        without.description_p = ""
        #expect(EditRealm.shortened(.realm(Self.realm)) == .realm(without))
        var usual = Self.realm
        usual.name = "पहाड़"
        usual.description_p = String(repeating: "ह", count: 500)
        #expect(EditRealm.shortened(.realm(usual)) == .realm(usual))
    }

    @Test func aRetryThatHasTheTexts_bringsThemBack() {
        let stored = CreateRealm.shortened(.realm(Self.realm))
        var creation = WireCreateRealm()
        creation.name = Self.realm.name
        creation.description_p = Self.realm.description_p
        #expect(CreateRealm(creation).completed(stored) == .realm(Self.realm))
        var edit = WireEditRealm()
        edit.open = true
        #expect(EditRealm(edit).completed(stored) == stored)
    }

    @Test func aLongGroup_isStoredWithoutItsMembers_andAGroupOfAFewWhole() {
        var without = Self.group
        without.members = []
        #expect(SetGroupTarget.shortened(.group(Self.group)) == .group(without))
        var few = Self.group
        few.members = Self.group.members.prefix(20).map { member in
            var member = member
            member.name = "Ada"
            return member
        }
        #expect(OpenGroup.shortened(.group(few)) == .group(few))
    }

    @Test func aLongRun_isStoredWithoutTextsAndAnchorsAndPopups() {
        guard case .run(let stored) = PauseRun.shortened(.run(Self.run)) else {
            Issue.record("no run")
            return
        }
        #expect(stored.popups.isEmpty && stored.target.id == Self.id && stored.target.pose.hasGeopose)
        #expect(!stored.target.pose.hasAnchor && stored.target.history.words.isEmpty)
        #expect(stored.id == Self.run.id && stored.reached == Self.run.reached && stored.at == Self.run.at)
    }

    @Test func theBoundInBytes_isNeverLessThanTheLimitsInNumberNeed() {
        #expect(Settings.make().replyBytesPerDay == 12 << 20)
        let many = Settings.make { $0.placements.changesPerDay = 1_000_000 }
        #expect(many.replyBytesPerDay > 500_000_000)
    }
}

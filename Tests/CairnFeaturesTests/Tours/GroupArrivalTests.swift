import CairnCore
import CairnGeo
import CairnTesting
import CairnWire
import Testing

@testable import CairnFeatures

/// Who joins a group while their run ends, step by step (TRM-11). At the same moment from two devices: in
/// test_runs_at_once.py.
@Suite("Tours: arriving in groups")
struct GroupArrivalTests {
    private var town: TownBench
    private let shelf = TourShelf()
    private var asked: UInt32 = 100
    private static let (guide, follower) = (Sender.make(7), Sender.make(9))
    private static let ofAccount = "tour_group_members WHERE account"
    private static let byID = "tour_runs WHERE id ="

    init() throws {
        town = try TourTown.make()
        town.store = shelf.answer
    }

    // MARK: Steps

    /// Begins a run; its walker is in its space from now on.
    private mutating func start(_ walker: Sender, id: UInt32) throws -> Sender {
        shelf[Self.ofAccount] = nil
        var body = WireStartTour()
        body.tour = town.identifiers.name(of: TourTown.tour)
        guard case .run(let run) = try town.ask(.make(.startTour(body), id: id, from: walker)).result,
            let space = town.identifiers.identifier(named: run.id, SpaceTag.self)
        else { throw BenchError("not started") }
        let row = town.kept.last { $0.sql.text.contains("INTO tour_runs") }
        shelf[Self.byID] = [Row(try #require(row).arguments)]
        return .make(walker.account.rawValue, scopes: [.members(of: .space(space))])
    }

    /// Sends a request and goes on until the store is asked what it has taken.
    private mutating func pushUntilAsked(_ body: WireClientMessage.OneOf_Body, id: UInt32, from sender: Sender) {
        shelf[Self.ofAccount] = nil
        town.push(.make(body, id: id, from: sender))
        for _ in 0..<10 where town.inquiries.isEmpty {
            town.deliver()
            town.commit()
        }
    }

    /// The store has taken the row of the member, as far as it goes by the statement's first arguments.
    private func take() throws {
        let row = town.kept.last { $0.sql.text.contains("INTO tour_group_members") }
        shelf[Self.ofAccount] = [Row(Array(try #require(row).arguments.prefix(4)))]
    }

    private mutating func decide(_ id: UInt32, _ sender: Sender) throws -> Answer {
        town.runUntilIdle()
        let request = Request.make(.leaveRun(WireLeaveRun()), id: id, from: sender)
        guard let answer = town.answer(to: request) else { throw BenchError("no answer to \(id)") }
        return answer
    }

    private mutating func open(_ guide: Sender) throws -> WireGroup {
        pushUntilAsked(.openGroup(WireOpenGroup()), id: 2, from: guide)
        try take()
        guard case .group(let group) = try decide(2, guide).result else { throw BenchError("not opened") }
        shelf["tour_groups WHERE tour"] = town.kept.filter { $0.sql.text.contains("INTO tour_groups") }
            .map { Row(Array($0.arguments.prefix(3))) }
        return group
    }

    private func joining(_ group: WireGroup) -> WireClientMessage.OneOf_Body {
        var body = WireJoinGroup()
        body.code = group.code
        return .joinGroup(body)
    }

    /// How many are in the group, as its guide is told.
    private mutating func count(_ guide: Sender) throws -> Int {
        asked += 1
        guard case .group(let group) = try town.ask(.make(.getGroup(WireGetGroup()), id: asked, from: guide)).result
        else { throw BenchError("no group") }
        return group.members.count
    }

    // MARK: Facts

    @Test mutating func walkerWhoseRunIsThere_isAMember() throws {
        let ada = try start(Self.guide, id: 1)
        let group = try open(ada)
        let bob = try start(Self.follower, id: 3)
        pushUntilAsked(joining(group), id: 4, from: bob)
        try take()
        guard case .group(let joined) = try decide(4, bob).result else { throw BenchError("not joined") }
        #expect(joined.members.count == 2)
        let count = try count(ada)
        #expect(count == 2)
    }

    /// Whoever joins may stand still and send no other position: the one of before is told, as far as it may be known.
    @Test(arguments: [nil, Seclusion.whereabouts])
    mutating func placeOfBefore_isThePlaceInTheGroup(_ seclusion: Seclusion?) throws {
        let ada = try start(Self.guide, id: 1)
        let group = try open(ada)
        let bob = try start(Self.follower, id: 3)
        let (space, place) = (try #require(bob.space), TourTown.at(20))
        town.move(
            Movement(account: bob.account, place: place, accuracyMetres: nil, at: 0, shown: place), in: space)
        if let seclusion { town.tell(.space(space), GroupSeclusion(seclusion, of: bob.account)) }
        var body = WireJoinGroup()
        (body.code, body.sharesPlace) = (group.code, true)
        pushUntilAsked(.joinGroup(body), id: 4, from: bob)
        try take()
        _ = try decide(4, bob)
        asked += 1
        guard case .group(let seen) = try town.ask(.make(.getGroup(WireGetGroup()), id: asked, from: ada)).result
        else { throw BenchError("no group") }
        let member = try #require(seen.members.first { !$0.guide })
        #expect(member.sharesPlace && member.lat == (seclusion == nil ? place.latitude : 0))
    }

    /// Sharing, and a block, begun and ended seven times a second for 14 s: each end of what the others saw is told at
    /// once, all else once a second.
    @Test(arguments: [true, false])
    mutating func whatAMemberChangesAtWill_isToldTwiceASecondAtMost(isBlock: Bool) throws {
        let ada = try start(Self.guide, id: 1)
        let group = try open(ada)
        let bob = try start(Self.follower, id: 3)
        var body = WireJoinGroup()
        (body.code, body.sharesPlace) = (group.code, true)
        pushUntilAsked(.joinGroup(body), id: 4, from: bob)
        try take()
        _ = try decide(4, bob)
        let home = HomeAddress.space(try #require(town.identifiers.identifier(named: group.id, SpaceTag.self)))
        let run = HomeAddress.space(try #require(ada.space))
        let step = GroupStep(bob.account, GroupMotion.Seen(place: TourTown.at(20)))
        let messages: [any HomeMessage] =
            isBlock
            ? [
                GroupSeclusion(.absent([ada.account]), of: bob.account),
                GroupSeclusion(.absent([]), of: bob.account),
            ] : [step, GroupSeclusion(.whereabouts, of: bob.account)]
        var told = 0
        for number in 0..<200 {
            town.time.advance(.milliseconds(70))
            town.tell(home, messages[number % 2])
            town.deliver()
            town.commit()
            town.fireTimers(of: home)
            town.commit()
            told += town.drop().count { $0.home == run && $0.message is GroupNews }
        }
        #expect((7...29).contains(told))
    }

    @Test mutating func walkerWhoseRunHasEnded_isInNoGroup() throws {
        let ada = try start(Self.guide, id: 1)
        let group = try open(ada)
        let bob = try start(Self.follower, id: 3)
        pushUntilAsked(joining(group), id: 4, from: bob)
        let answer = try decide(4, bob)
        #expect(answer.refusal?.code == .notFound)
        let count = try count(ada)
        #expect(count == 1)
    }

    private var repliesCount: Int { town.kept.count { $0.sql.text.contains("INTO kept_answers") } }

    /// A crash before the store has said what it has taken (SYN-2).
    @Test(arguments: [true, false])
    mutating func crash_leavesAMemberWithTheirAnswer_orNeither(isRunThere: Bool) async throws {
        let ada = try start(Self.guide, id: 1)
        let begun = town.kept.count
        pushUntilAsked(.openGroup(WireOpenGroup()), id: 2, from: ada)
        var statements = town.kept
        if !isRunThere { statements.insert(Statement("DELETE FROM tour_runs"), at: begun) }
        let disk = try await TemporaryStore.open()
        try await disk.commit([TourTown.version.insertion] + statements)
        let request = Request.make(.openGroup(WireOpenGroup()), id: 2, from: ada)
        let members = try await disk.read(GroupMember.query(of: ada.account))[0]
        #expect(members.count == (isRunThere ? 1 : 0))
        let row = try await disk.read(StoredReply.answer(to: request.key, of: ada.account))[0].first
        let result = try row.map { try StoredReply.answer(for: request, in: $0).result }
        if case .group? = result { #expect(isRunThere) } else { #expect(result == nil && !isRunThere) }
        await disk.close()
    }

    @Test mutating func replyToAnArrival_isStoredOnce() throws {
        let ada = try start(Self.guide, id: 1)
        let before = repliesCount
        pushUntilAsked(.openGroup(WireOpenGroup()), id: 2, from: ada)
        #expect(repliesCount == before + 1)
        try take()
        _ = try decide(2, ada).result
        #expect(repliesCount == before + 1)
    }

    @Test mutating func replyToAnArrivalThatIsRefused_isTakenBack() throws {
        let ada = try start(Self.guide, id: 1)
        pushUntilAsked(.openGroup(WireOpenGroup()), id: 2, from: ada)
        _ = try decide(2, ada)
        let stored = town.kept.last { $0.sql.text.contains("INTO kept_answers") }
        let dropped = town.kept.last { $0.sql.text == "DELETE FROM kept_answers WHERE id = ?" }
        #expect(dropped?.arguments.first != nil && dropped?.arguments.first == stored?.arguments.first)
    }

    /// The store has taken the row, and then the run has ended: the word of it is faster than the store's answer.
    @Test mutating func walkerWhoseRunEndsBehindTheRow_isInNoGroup() throws {
        let ada = try start(Self.guide, id: 1)
        let group = try open(ada)
        let bob = try start(Self.follower, id: 3)
        pushUntilAsked(joining(group), id: 4, from: bob)
        try take()
        let space = try #require(town.identifiers.identifier(named: group.id, SpaceTag.self))
        var home = town[.space(space)]
        home.hear(GroupLeft(bob.account))
        let inquiry = try #require(town.inquiries.first).inquiry
        home.learn(inquiry, rows: shelf[Self.ofAccount])
        #expect(home.actions.answers.last?.answer.refusal?.code == .notFound)
        let request = Request.make(.getGroup(WireGetGroup()), id: 5, from: ada)
        home.push(request)
        guard case .group(let left)? = try home.answer(to: request)?.result else { throw BenchError("no group") }
        #expect(left.members.count == 1)
    }

    @Test mutating func guideWhoseRunHasEnded_opensNothing() throws {
        let ada = try start(Self.guide, id: 1)
        pushUntilAsked(.openGroup(WireOpenGroup()), id: 2, from: ada)
        let answer = try decide(2, ada)
        #expect(answer.refusal?.code == .notFound)
        #expect(town.kept.contains { $0.sql.text.hasPrefix("DELETE FROM tour_groups") })
    }

    /// The store cannot say whether it has taken the row: it is deleted, and the walker may ask again.
    @Test mutating func storeThatCannotBeRead_leavesNobodyHalfInAGroup() throws {
        let group = try open(start(Self.guide, id: 1))
        let bob = try start(Self.follower, id: 3)
        pushUntilAsked(joining(group), id: 4, from: bob)
        let shelf = shelf
        town.store = { $0.sql.text.contains(Self.ofAccount) ? nil : shelf.answer($0) }
        let answer = try decide(4, bob)
        #expect(answer.refusal?.code == .tryAgain)
        #expect(town.kept.last?.sql.text.hasPrefix("DELETE FROM tour_group_members") == true)
        town.store = shelf.answer
        // Their run lets them ask at once.
        pushUntilAsked(joining(group), id: 5, from: bob)
        try take()
        guard case .group = try decide(5, bob).result else { throw BenchError("not joined") }
    }

    // MARK: Notices near a run (PRX-3)

    private mutating func comeNear(_ account: AccountID) -> [AccountID] {
        town.tell(.account(account), NearTour(tour: TourTown.tour, language: "en"))
        town.runUntilIdle()
        return town.notified
    }

    @Test mutating func personOnARun_isToldOfNoTour_andAfterwardsOfIt() throws {
        let bob = try start(Self.follower, id: 1)
        let begun = comeNear(bob.account)
        #expect(begun == [], "the account has just begun it")
        town.time.advance(.seconds(60))
        shelf["tour_runs WHERE account"] = shelf[Self.byID]
        let walking = comeNear(bob.account)
        #expect(walking == [], "the store knows it")
        shelf["tour_runs WHERE account"] = nil
        let after = comeNear(bob.account)
        #expect(after == [bob.account])
    }
}

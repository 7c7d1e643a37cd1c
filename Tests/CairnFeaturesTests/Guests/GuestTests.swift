import CairnCore
import CairnFeatures
import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// What guests who look see of a cell, and what they may ask (SES-14, PRF-5).
@Suite("Guests")
struct GuestTests {
    private static let cell = Ground.here.cell
    private static let hour: Int64 = 3_600_000
    private var town = TownBench(settings: .unhurried())

    /// The events that guests are sent.
    private mutating func told() -> [WireEvent] {
        town[Self.cell].actions.compactMap { action in
            guard case .broadcast(.guests, let item) = action, case .event(let event) = item.body else { return nil }
            return event
        }
    }

    /// What a guest who comes now is sent.
    private mutating func snapshot() throws -> [WireInstance] {
        let topic = try #require(town[Self.cell].core.topic(.guests))
        return topic.snapshot(pageSize: 1_000).flatMap { item -> [WireInstance] in
            guard case .snapshot(let page) = item.body else { return [] }
            return page.instances
        }
    }

    // MARK: The topic

    @Test mutating func cellWithoutGuests_saysNothingToThem() throws {
        _ = try town.place(1)
        #expect(told().isEmpty && town[Self.cell].core.topic(.guests) == nil)
    }

    @Test mutating func guests_areToldWhatIsPublic() throws {
        let flag = try town.place(1)
        town.open(.guests, of: .cell(Self.cell))
        #expect(try snapshot() == [flag])
        let other = try town.place(2)
        _ = try town.ask(.make(.reacting("like", to: flag), id: 3, from: .make(2)))
        _ = try town.ask(.make(.removing(other), id: 4))
        #expect(told().map(\.word) == ["entered", "reacted", "left"])
        #expect(try snapshot().map(\.id) == [flag.id])
    }

    @Test mutating func guestTopic_hasNoGapForWhatGuestsDoNotSee() throws {
        town.open(.guests, of: .cell(Self.cell))
        town.setGuestsSee(false, of: .make(2))
        _ = try town.place(1)
        let hidden = try town.place(2, by: .make(2))
        _ = try town.ask(.make(.reacting("like", to: hidden), id: 3))
        _ = try town.edit(4, hidden, to: .make(at: Ground.here.centre), by: .make(2))
        _ = try town.post(5, by: .make(2))
        _ = try town.ask(.make(.removing(hidden), id: 6, from: .make(2)))
        _ = try town.place(7)
        let events = told()
        #expect(events.map(\.word) == ["entered", "entered"])
        #expect(events.last?.sequence == (events.first?.sequence ?? 0) + 1)
        #expect(town.events().count == 9, "those of guests among them")
    }

    @Test mutating func guestTopic_hasItsOwnNumbers() throws {
        town.open(.guests, of: .cell(Self.cell))
        let (guests, everyone) = (town[Self.cell].core.topic(.guests), town[Self.cell].core.topic(.everyone))
        #expect(guests?.cursor.epoch != everyone?.cursor.epoch)
        #expect(guests?.topic.name == "\(Self.cell.token)/v0000000000000")
        #expect(Topic(name: guests?.topic.name ?? "") == guests?.topic)
    }

    @Test mutating func personWhoHides_takesAwayWhatGuestsSee_andGivesItBack() throws {
        let (flag, post) = (try town.place(1, by: .make(2)), try town.post(2, by: .make(2)))
        let other = try town.place(3)
        town.open(.guests, of: .cell(Self.cell))
        town.setGuestsSee(false, of: .make(2))
        #expect(told().map(\.word) == ["left", "left"])
        #expect(try snapshot().map(\.id) == [other.id])
        // Twice changes nothing.
        town.setGuestsSee(false, of: .make(2))
        #expect(told().count == 2)
        town.setGuestsSee(true, of: .make(2))
        #expect(told().map(\.word) == ["left", "left", "entered", "entered"])
        #expect(Set(try snapshot().map(\.id)) == [flag.id, post.id, other.id])
    }

    @Test mutating func changeThatIsNotOnDisk_isToldAsItsOwnerHasChosen() throws {
        town = TownBench(settings: .unhurried(), disk: .later)
        town.open(.guests, of: .cell(Self.cell))
        town.push(.make(.placing(), id: 1, from: .make(2)))
        town.deliver()
        town.setGuestsSee(false, of: .make(2))
        town.commit()
        #expect(told().isEmpty)
        town.setGuestsSee(true, of: .make(2))
        #expect(told().map(\.word) == ["entered"])
    }

    /// A deletion hides the person first and removes what they have left at the same time.
    @Test mutating func removalThatIsNotOnDisk_isToldAtOnceWhereItsOwnerHides() throws {
        town = TownBench(settings: .unhurried(), disk: .later)
        town.push(.make(.placing(), id: 1, from: .make(2)))
        town.deliver()
        town.commit()
        town.open(.guests, of: .cell(Self.cell))
        let flag = try #require(try snapshot().first)
        town.push(.make(.removing(flag), id: 2, from: .make(2)))
        town.deliver()
        #expect(told().isEmpty)
        town.setGuestsSee(false, of: .make(2))
        #expect(told().map(\.word) == ["left"])
        town.commit()
        #expect(told().count == 1)
    }

    @Test mutating func oldCursor_bringsNothingBackThatAPersonHides() throws {
        town.open(.guests, of: .cell(Self.cell))
        let start = try #require(town[Self.cell].core.topic(.guests)?.cursor)
        let gone = try town.place(1, by: .make(2))
        _ = try town.place(2, by: .make(2))
        _ = try town.ask(.make(.removing(gone), id: 3, from: .make(2)))
        _ = try town.place(4)
        let before = try #require(town[Self.cell].core.topic(.guests)?.cursor)
        town.setGuestsSee(false, of: .make(2))
        let topic = try #require(town[Self.cell].core.topic(.guests))
        #expect(topic.events(after: start) == nil, "who has an old cursor gets a snapshot")
        #expect(topic.events(after: before)?.map(\.event.word) == ["left"])
    }

    @Test mutating func oldCursor_bringsNothingBackThatIsGone() throws {
        let flag = try town.place(1)
        town.open(.guests, of: .cell(Self.cell))
        let start = try #require(town[Self.cell].core.topic(.guests)?.cursor)
        let gone = try town.place(2)
        _ = try town.ask(.make(.reacting("like", to: flag), id: 3, from: .make(2)))
        let before = try #require(town[Self.cell].core.topic(.guests)?.cursor)
        _ = try town.ask(.make(.removing(gone), id: 4))
        let topic = try #require(town[Self.cell].core.topic(.guests))
        #expect(topic.events(after: start) == nil)
        #expect(topic.events(after: before)?.map(\.event.word) == ["left"])
    }

    @Test mutating func scopeOfGuests_isNobodysRight() {
        #expect(!Scope.guests.isView && !Scope.guests.isOverlay)
        #expect(!Audience.everyone.scopes.contains(.guests))
    }

    // MARK: Times

    @Test mutating func guests_learnTheHourOfAPost() throws {
        town.open(.guests, of: .cell(Self.cell))
        let post = try town.post(1)
        let seen = try #require(told().first?.entered.instance.post)
        #expect(seen.created == post.post.created - post.post.created % Self.hour && seen.created % Self.hour == 0)
        #expect(seen.expires % Self.hour == 0 && seen.expires >= post.post.expires)
        #expect(seen.expires - post.post.expires < Self.hour && seen.editableUntil == 0)
        _ = try town.ask(.make(.editing(post: post, text: "another"), id: 2))
        let edited = try #require(told().last?.postChanged)
        #expect(edited.text == "another" && edited.edited % Self.hour == 0)
        #expect(try snapshot().first?.post.edited == edited.edited)
    }

    // MARK: Questions

    @Test mutating func guestWhoSelects_learnsNobodysNameAndMayDoNothing() throws {
        town.names.people.set(.make(1), to: "Ada")
        town.names.set(Privacy(.everyone), of: .make(1))
        let flag = try town.place(1)
        _ = try town.ask(.make(.reacting("like", to: flag), id: 2, from: .make(2)))
        let selected = try town.select(3, flag, by: .guest())
        #expect(selected.placerName.isEmpty && selected.actions.isEmpty && selected.instance.placer.isEmpty)
        #expect(selected.instance.created % Self.hour == 0 && selected.instance.created > 0)
        let read = try town.read(4, try town.post(5), by: .guest())
        #expect(read.authorName.isEmpty && read.actions.isEmpty && read.ownVote == 0)
        #expect(read.post.post.created % Self.hour == 0)
    }

    @Test mutating func whatAPersonHides_isNotThereForGuests() throws {
        let (flag, post) = (try town.place(1), try town.post(2))
        town.setGuestsSee(false, of: .make(1))
        #expect(try town.refusal(.selecting(flag), from: .guest())?.code == .notFound)
        #expect(try town.refusal(.reading(post: post), from: .guest())?.code == .notFound)
        #expect(try town.refusal(.selecting(flag), id: 98, from: .make(2)) == nil)
    }

    @Test mutating func postThatHasEnded_isNotThereForGuests() throws {
        let post = try town.post(1)
        town.time.advance(.seconds(90_000))
        #expect(try town.refusal(.reading(post: post), from: .guest())?.code == .notFound)
        #expect(try town.refusal(.reading(post: post), id: 98, from: .make(2))?.code == .postExpired)
    }

    @Test func guests_askOnlyWhatTheyMay() {
        let questions = Features.register.kinds.filter { kind in
            Features.register.command(field: kind.field)?.senders.contains(.guest) == true
        }
        #expect(Set(questions.map(\.name)) == ["select", "read_post", "get_tour", "list_tours", "find_tour"])
        for kind in questions { #expect(Features.register.command(field: kind.field)?.isChange == false) }
    }

    @Test func accountOfNobody_isNoIssuedOne() {
        let issued: AccountID = IdentifierIssuer().next(AccountTag.self, at: WallTime(milliseconds: 1_800_000_000_000))
        #expect(!issued.isGuest && !AccountID.make(1).isGuest && !AccountID(rawValue: 0).isGuest)
        for share in 0..<40 as Range<UInt64> { #expect(AccountID.guest(share).isGuest) }
        #expect(Set((0..<40 as Range<UInt64>).map { AccountID.guest($0) }).count == Int(AccountID.guestCount))
    }
}

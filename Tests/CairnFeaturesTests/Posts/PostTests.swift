import CairnCore
import CairnFeatures
import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// PST-1 to PST-4, PST-6, PST-8, PST-10.
@Suite("Posts")
struct PostTests {
    private static let cell = Ground.here.cell
    private var town = TownBench(settings: .unhurried())

    // MARK: Making

    @Test mutating func post_isToldToEverybodyInTheCell() throws {
        let post = try town.post(1, "Fresh coffee")
        let entered = try #require(town.events().last?.entered.instance)
        #expect(entered.text == "Fresh coffee" && entered == post)
        #expect(town[Self.cell].instances == [post])
    }

    @Test mutating func post_saysWhenItWasMadeAndWhenItEnds() throws {
        let post = try town.post(1).post
        #expect(post.created == town.time.wall.milliseconds && post.edited == 0)
        #expect(post.expires == town.time.wall.milliseconds + 86_400_000)
        #expect(post.editableUntil == town.time.wall.milliseconds + 300_000)
        #expect(post.score == 0 && post.size == 1 && post.reach == 50 && !post.hidden)
    }

    @Test mutating func post_saysNobodyWhoseItIs() throws {
        let post = try town.post(1)
        #expect(post.placer.isEmpty && post.created == 0)
        let read = try town.read(2, post, by: .make(2))
        #expect(read.post.placer.isEmpty && read.post.created == 0)
    }

    @Test mutating func author_isNamedAsTheirPrivacyAllows() throws {
        town.names.people.set(.make(1), to: "Ada")
        let post = try town.post(1, by: .make(1))
        #expect(try town.read(2, post, by: .make(2)).authorName.isEmpty, "the name is for friends")
        #expect(try town.read(3, post, by: .make(1)).authorName == "Ada")
        town.names.set(Privacy(.everyone), of: .make(1))
        #expect(try town.read(4, post, by: .make(2)).authorName == "Ada")
        town.names.set(Privacy(.nobody), of: .make(1))
        #expect(try town.read(5, post, by: .make(2)).authorName.isEmpty)
    }

    @Test(arguments: [10.0, 100, 1_000])
    func post_standsWhereItsAuthorsAccuracyPutsIt(grid: Double) throws {
        var town = TownBench()
        let author = Sender.make(at: Ground.here.at(east: 3.3, north: -4.7), gridMetres: grid)
        let position = try #require(author.position?.coordinate)
        let place = try town.post(1, by: author).post.place
        let stands = Coordinate.make(latitude: place.lat, longitude: place.lon)
        #expect(stands == snapped(position, toGridMetres: grid) && stands != position)
        #expect(!place.hasH)
    }

    @Test mutating func exactAuthor_postsExactly() throws {
        let author = Sender.make(at: Ground.here.at(east: 3.3, north: -4.7), gridMetres: 0)
        let place = try town.post(1, by: author).post.place
        #expect(Coordinate.make(latitude: place.lat, longitude: place.lon) == author.position?.coordinate)
    }

    @Test(arguments: ["", " ", "\n\t \u{3000}", "\u{200B}", "\u{3164}", "\u{2800} \u{200D}", "\u{E0020}\u{E007F}"])
    func textWithoutContent_isRefused(text: String) throws {
        var town = TownBench()
        #expect(try town.refusal(.posting(text))?.code == .textEmpty)
    }

    @Test mutating func characters_areCountedAsPeopleCountThem() throws {
        let family = "👨‍👩‍👧"
        #expect(try town.refusal(.posting(String(repeating: family, count: 200)), id: 1) == nil)
        let refusal = try town.refusal(.posting(String(repeating: "é", count: 281)), id: 2)
        #expect(refusal?.code == .textTooLong && refusal?.details["limit"] == "280")
        #expect(refusal?.details["count"] == "281")
        #expect(try town.refusal(.posting(String(repeating: "é", count: 280)), id: 3) == nil)
    }

    @Test mutating func charactersOfAnyNumberOfCodePoints_areBoundedInBytes() throws {
        let letter = "e" + String(repeating: "\u{301}", count: 30)
        let refusal = try town.refusal(.posting(String(repeating: letter, count: 100)))
        #expect(refusal?.code == .textTooLong && refusal?.details["unit"] == "bytes")
    }

    @Test mutating func withoutAPosition_nothingIsPosted() throws {
        #expect(try town.refusal(.posting(), from: .make(at: nil))?.code == .positionRequired)
    }

    @Test func postBeyondTheMinutesQuota_isRefused_fromWhicheverDevice() throws {
        var town = TownBench()
        for id in 1...5 { _ = try town.post(UInt32(id), by: .make(1, device: UInt64(id))) }
        let refusal = try town.refusal(.posting(), id: 6, from: .make(1, device: 9))
        #expect(refusal?.code == .quotaPeriod && refusal?.details["limit"] == "5")
        #expect(try town.refusal(.posting(), id: 7, from: .make(2)) == nil)
        town.time.advance(.seconds(60))
        #expect(try town.refusal(.posting(), id: 8) == nil)
    }

    @Test func removing_givesNothingBackOfTheDaysQuota() throws {
        var town = TownBench(settings: .make { ($0.posts.perMinute, $0.posts.perDay) = (2, 2) })
        for id in 1...2 {
            let post = try town.post(UInt32(id))
            #expect(try town.refusal(.removing(post: post), id: UInt32(10 + id)) == nil)
        }
        town.time.advance(.seconds(3_600))
        #expect(try town.refusal(.posting(), id: 20)?.code == .quotaPeriod)
    }

    @Test func fullCell_refusesFurtherPosts_andStillTakesOtherThings() throws {
        var town = TownBench(settings: .unhurried { $0.posts.perCellMax = 2 })
        for id in 1...2 { _ = try town.post(UInt32(id)) }
        #expect(try town.refusal(.posting(), id: 3)?.code == .cellFull)
        #expect(try town.refusal(.placing(), id: 4) == nil)
    }

    @Test mutating func otherFeatures_findNoPosts() throws {
        let post = try town.post(1)
        #expect(try town.refusal(.selecting(post), id: 2)?.code == .notFound)
        #expect(try town.refusal(.editing(post, to: .make()), id: 3)?.code == .notFound)
        #expect(try town.refusal(.reacting("like", to: post), id: 4)?.code == .notFound)
        _ = try town.ask(.make(.removing(post), id: 5))
        #expect(town[Self.cell].instances == [post])
    }

    /// MOD-4
    @Test func operatorsRemoval_isToldToThoseWhoSawThePost() throws {
        let identifiers = IdentifierIssuer()
        var bench = HomeBench.make(settings: .unhurried { $0.posts.hiddenScore = -1 }, identifiers: identifiers)
        for id in 1...2 { bench.push(.make(.posting("post \(id)"), id: UInt32(id))) }
        let posts = bench.instances
        bench.push(.make(.voting(-1, on: posts[0]), id: 3, from: .make(2)))
        let ids = try posts.map { try #require(identifiers.identifier(named: $0.id) as InstanceID?) }
        #expect(bench.hear(InstanceWithdrawal(id: ids[0])).events.isEmpty)
        #expect(bench.hear(InstanceWithdrawal(id: ids[1])).events.map(\.left.instance) == [posts[1].id])
        #expect(bench.instances.isEmpty && bench.core.own(of: .make(), in: .everyone) == nil)
    }

    @Test mutating func thing_isNoPost() throws {
        let thing = try town.place(1)
        #expect(try town.refusal(.reading(post: thing), id: 2)?.code == .notFound)
        #expect(try town.refusal(.voting(1, on: thing), id: 3, from: .make(2))?.code == .notFound)
        #expect(try town.refusal(.removing(post: thing), id: 4)?.code == .notFound)
    }

    // MARK: Editing

    @Test mutating func edit_givesEverybodyTheNewText_andLeavesTheRest() throws {
        let post = try town.post(1, "Frist")
        try town.vote(2, 1, on: post, by: .make(2))
        town.time.advance(.seconds(299))
        #expect(try town.refusal(.editing(post: post, text: "First"), id: 3) == nil)
        let changed = try #require(town.events().last?.postChanged)
        #expect(changed.post == post.id && changed.text == "First" && changed.version == 2)
        let now = try #require(town[Self.cell].instances.first)
        #expect(now.text == "First" && now.version == 2 && now.post.edited == town.time.wall.milliseconds)
        #expect(now.post.score == 1 && now.post.place == post.post.place && now.post.expires == post.post.expires)
    }

    @Test mutating func editAfterTheWindow_isRefused() throws {
        let post = try town.post(1)
        town.time.advance(.seconds(301))
        #expect(try town.refusal(.editing(post: post, text: "Late"))?.code == .editWindowClosed)
        #expect(town[Self.cell].instances == [post])
    }

    @Test mutating func strangersPost_mayBeNeitherEditedNorRemoved() throws {
        let post = try town.post(1)
        #expect(try town.refusal(.editing(post: post, text: "Mine"), id: 2, from: .make(2))?.code == .forbidden)
        #expect(try town.refusal(.removing(post: post), id: 3, from: .make(2))?.code == .forbidden)
    }

    @Test mutating func editToNothing_isRefused() throws {
        let post = try town.post(1)
        #expect(try town.refusal(.editing(post: post, text: " \u{2060}"))?.code == .textEmpty)
    }

    @Test func editsOfOnePerson_haveARate() throws {
        var town = TownBench(settings: .make { $0.posts.editsPerMinute = 2 })
        let post = try town.post(1)
        for id in 2...3 { #expect(try town.refusal(.editing(post: post, text: "\(id)"), id: UInt32(id)) == nil) }
        #expect(try town.refusal(.editing(post: post, text: "4"), id: 4)?.code == .rateLimited)
    }

    // MARK: Removing

    @Test mutating func remove_takesItFromEveryView() throws {
        let post = try town.post(1)
        #expect(try town.refusal(.removing(post: post), id: 2) == nil)
        #expect(town.events().last?.left.instance == post.id && town[Self.cell].instances.isEmpty)
        #expect(try town.refusal(.reading(post: post), id: 3)?.code == .notFound)
    }

    @Test mutating func onlyWhatIsOnDisk_isTold() throws {
        var town = TownBench(settings: .unhurried(), disk: .later)
        town.push(.make(.posting(), id: 1))
        #expect(town.events().isEmpty && town.answers.isEmpty)
        town.commit()
        #expect(town.events().map(\.word) == ["entered"] && town.answers.count == 1)
    }

    // MARK: The end

    @Test mutating func afterItsEnd_aPostIsExpiredForEverybodyWhoSawIt_byTheClockAlone() throws {
        let post = try town.post(1)
        town.time.advance(.seconds(86_400 - 1))
        #expect(try town.refusal(.reading(post: post), id: 2, from: .make(2)) == nil)
        town.time.advance(.seconds(1))
        for (id, body) in zip(
            UInt32(10)...,
            [WireClientMessage.OneOf_Body.reading(post: post), .voting(1, on: post)])
        {
            #expect(try town.refusal(body, id: id, from: .make(2))?.code == .postExpired)
        }
        #expect(try town.refusal(.editing(post: post, text: "Late"), id: 20)?.code == .postExpired)
        #expect(try town.refusal(.removing(post: post), id: 21)?.code == .postExpired)
        #expect(try town.trending(22).posts.isEmpty)
    }

    @Test func counts_areOfPostsAndOfVotesThatWereGiven() throws {
        var bench = TownBench(settings: .unhurried())
        let post = try bench.post(1)
        for (id, vote) in zip(UInt32(2)..., [1, 1, -1, 0] as [Int32]) {
            try bench.vote(id, vote, on: post, by: .make(2))
        }
        #expect(bench[Self.cell].actions.counts == ["posts", "votes", "votes"])
        #expect(Set(Features.register.counts.map(\.name.text)).isSuperset(of: ["posts", "votes"]))
    }
}

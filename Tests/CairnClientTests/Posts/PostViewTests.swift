import CairnClient
import CairnGeo
import CairnWire
import Testing

/// PST-2, PST-7, RCT-4, MAP-7: what a client makes of posts.
@Suite("Posts in the live view")
struct PostViewTests {
    private static let here = "487604c43"
    private static let place = CellID(token: here)?.centre
    private static let ends: Int64 = 1_790_086_400_000

    private static func post(_ number: UInt64, reach: Double = 50) -> WireInstance {
        var instance = WireInstance()
        instance.id = InstanceID.number(number).description
        instance.version = 1
        instance.cell = here
        instance.text = "post \(number)"
        instance.post.place.lat = place?.latitude ?? 0
        instance.post.place.lon = place?.longitude ?? 0
        instance.post.expires = ends
        instance.post.reach = reach
        return instance
    }

    private static func voted(_ number: UInt64, score: Int32, hidden: Bool = false) -> WireEvent.OneOf_Change {
        var voted = WireVoted()
        voted.post = InstanceID.number(number).description
        voted.score = score
        voted.size = 1.5
        voted.reach = 75
        voted.hidden = hidden
        return .voted(voted)
    }

    private static func following(_ posts: WireInstance...) -> Script {
        var script = Script.live()
        _ = script.receive(.snapshot(here, posts))
        return script
    }

    @Test func votes_changeScoreSizeAndReach() throws {
        var script = Self.following(Self.post(1))
        #expect(script.receive(.event(Self.here, 1, Self.voted(1, score: 5))).steps == ["~1"])
        let post = try #require(script.core.view.instance(.number(1))?.post)
        #expect(post.score == 5 && post.size == 1.5 && post.reach == 75)
    }

    @Test func edit_changesTheText() {
        var script = Self.following(Self.post(1))
        var changed = WirePostChanged()
        changed.post = InstanceID.number(1).description
        changed.version = 2
        changed.text = "other"
        changed.edited = 7
        #expect(script.receive(.event(Self.here, 1, .postChanged(changed))).violations.isEmpty)
        let now = script.core.view.instance(.number(1))
        #expect(now?.text == "other" && now?.version == 2 && now?.post.edited == 7)
        let again = script.receive(.event(Self.here, 2, .postChanged(changed)))
        #expect(again.violations == [.versionBack])
    }

    @Test func hiddenPost_disappears_unlessItIsOnesOwn() {
        var script = Self.following(Self.post(1), Self.post(2))
        _ = script.receive(.own(Self.here, .number(2)))
        let events = script.receive(
            .event(Self.here, 1, Self.voted(1, score: -5, hidden: true)),
            .event(Self.here, 2, Self.voted(2, score: -5, hidden: true)))
        #expect(events.steps == ["-1", "~2"] && events.violations.isEmpty)
        #expect(script.core.view.instance(.number(2))?.post.hidden == true)
    }

    @Test func postThatThisClientHasMade_isItsOwn() throws {
        var script = Self.following()
        _ = try script.core.createPost("post 1", now: script.now)
        let request = try #require(script.takeEnvelopes().last)
        var created = WirePostCreated()
        created.post = Self.post(1)
        _ = script.receive(
            .event(Self.here, 1, .enter(Self.post(1))), .reply(id: request.id, .postCreated(created)))
        let events = script.receive(.event(Self.here, 2, Self.voted(1, score: -5, hidden: true)))
        #expect(events.steps == ["~1"])
    }

    @Test func postsAreSeenWithinTheirReach_andStayATenthLonger() throws {
        let script = Self.following(Self.post(1, reach: 50))
        let place = try #require(Self.place)
        func seen(_ metres: Double, shown: Set<String> = []) -> Int {
            let spot = Coordinate(latitude: place.latitude + metres / 111_195, longitude: place.longitude) ?? place
            return script.core.view.posts(seenFrom: spot, at: Self.ends - 1, shown: shown).count
        }
        #expect(seen(0) == 1 && seen(49) == 1 && seen(52) == 0)
        let shown: Set = [InstanceID.number(1).description]
        #expect(seen(52, shown: shown) == 1 && seen(56, shown: shown) == 0)
    }

    @Test func postsAreLeftOutFromTheirEndOn_thoughTheServerHasNotSaidSo() throws {
        let script = Self.following(Self.post(1))
        let place = try #require(Self.place)
        #expect(script.core.view.posts(seenFrom: place, at: Self.ends - 1).count == 1)
        #expect(script.core.view.posts(seenFrom: place, at: Self.ends).isEmpty)
    }

    /// VIS-8.
    @Test(arguments: [(WireDeviceClass.normal, 200), (.low, 50)])
    func viewShowsTheNearest_ofThingsAndPosts(device: WireDeviceClass, most: Int) throws {
        let place = try #require(Self.place)
        let things = (2...300).reversed().map { number in
            var thing = WireInstance.make(.number(UInt64(number)))
            thing.pose = .make(latitude: place.latitude + Double(number) / 1e6, longitude: place.longitude)
            return thing
        }
        var script = Script.live()
        _ = script.receive(.snapshot(Self.here, things + [Self.post(1)]))
        let view = script.core.view
        #expect(device.shownMax == most)
        let posts = view.posts(seenFrom: place, at: 0)
        let shown = view.shown(around: place, withinMetres: 100, posts: posts, most: device.shownMax)
        #expect(shown.map(\.id) == (1...most).map { InstanceID.number(UInt64($0)).description })
    }

    @Test func thingsThatAreNoPosts_areNotAmongThem() throws {
        let script = Self.following(.make(.number(1)))
        #expect(script.core.view.posts(seenFrom: try #require(Self.place), at: 0).isEmpty)
    }
}

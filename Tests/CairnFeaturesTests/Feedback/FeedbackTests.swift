import CairnCore
import CairnFeatures
import CairnTesting
import CairnWire
import Testing

/// STA-5, STA-6.
@Suite("Feedback")
struct FeedbackTests {
    private var town = TownBench()

    private static func saying(
        _ text: String = "Too loud", category: String = "bug", _ change: (inout WireSendFeedback) -> Void = { _ in }
    ) -> WireClientMessage.OneOf_Body {
        var body = WireSendFeedback()
        body.category = category
        body.text = text
        change(&body)
        return .sendFeedback(body)
    }

    @Test mutating func feedback_isDecidedByTheSendersAccountWithoutAPlace() throws {
        let answer = try town.ask(.make(Self.saying(), from: .make(7)))
        guard case .feedbackTaken(let taken) = try answer.result else { throw BenchError("not taken") }
        #expect(FeedbackID(taken.feedback) != nil)
        #expect(town[HomeAddress.account(.make(7))].actions.counts == ["feedback"])
    }

    @Test(arguments: [
        ("", "text_empty"), (" \n\t", "text_empty"), ("\u{200B}\u{2800}", "text_empty"),
        ("123456", "text_too_long"), ("12345", ""),
    ])
    func text_hasItsBounds(text: String, code: String) throws {
        var town = TownBench(settings: .make { $0.feedback.charactersMax = 5 })
        #expect(try town.refusal(Self.saying(text))?.code.rawValue ?? "" == code)
    }

    @Test mutating func characters_areCountedAsPeopleSeeThem() throws {
        town = TownBench(settings: .make { $0.feedback.charactersMax = 1 })
        #expect(try town.refusal(Self.saying("👩‍👩‍👧")) == nil)
    }

    @Test mutating func bytes_areBoundedTooHoweverFewTheCharacters() throws {
        town = TownBench(settings: .make { $0.feedback.charactersMax = 10 })
        // Two characters that people see, and nearly as many combining marks as a letter may have.
        let letter = "a" + String(repeating: "\u{0301}", count: 25)
        let refusal = try town.refusal(Self.saying(letter + letter))
        #expect(refusal?.code == .textTooLong)
        #expect(refusal?.details["unit"] == "bytes" && refusal?.details["limit"] == "64")
    }

    @Test(arguments: [0, 6, .max] as [UInt32])
    func ratings_areOneToFive(rating: UInt32) throws {
        var town = TownBench()
        let bodies = [
            Self.saying { $0.rating = rating }, Self.saying { $0.intuitive = rating },
            Self.saying { $0.satisfying = rating }, Self.saying { $0.undistracting = rating },
        ]
        for body in bodies { #expect(try town.refusal(body)?.code == .invalidField) }
    }

    @Test mutating func categoryThatIsNotOffered_isRefused() throws {
        #expect(try town.refusal(Self.saying(category: "rant"))?.details == ["field": "category"])
    }

    @Test mutating func quota_isSoManyAnHour() throws {
        town = TownBench(settings: .make { $0.feedback.perHour = 2 })
        for id in 1...2 { #expect(try town.refusal(Self.saying(), id: UInt32(id)) == nil) }
        #expect(try town.refusal(Self.saying(), id: 3)?.code == .rateLimited)
        #expect(try town.refusal(Self.saying(), id: 4, from: .make(2)) == nil)
        town.time.advance(.seconds(3_600))
        #expect(try town.refusal(Self.saying(), id: 5) == nil)
    }

    @Test mutating func entries_comeBackFromDiskAsTheyWereWritten() async throws {
        let body = Self.saying("Das Herz schwebt ✓") { body in
            body.rating = 4
            body.appVersion = "2.1"
            body.undistracting = 1
        }
        _ = try town.ask(.make(body, id: 1))
        _ = try town.ask(.make(Self.saying("Nice", category: "idea"), id: 2, from: .make(2)))
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)

        func entries(_ change: (inout FeedbackEntry.Filter) -> Void = { _ in }) async throws -> [FeedbackEntry] {
            var filter = FeedbackEntry.Filter()
            change(&filter)
            var damage: [DamagedRow] = []
            defer { #expect(damage.isEmpty) }
            return FeedbackEntry.entries(filter, in: try await disk.read(FeedbackEntry.query(filter))[0], into: &damage)
        }
        let all = try await entries()
        try #require(all.map(\.text) == ["Nice", "Das Herz schwebt ✓"])
        let (nice, heart) = (all[0], all[1])
        #expect(heart.rating == 4 && heart.appVersion == "2.1" && heart.undistracting == 1)
        #expect(heart.intuitive == nil && nice.rating == nil && nice.handledAt == nil)
        #expect(try await entries { $0.category = "bug" } == [heart])
        #expect(try await entries { $0.rating = 4 } == [heart])
        #expect(try await entries { $0.before = nice.id } == [heart])
        #expect(try await entries { $0.top = 1 } == [nice])

        try await disk.commit([FeedbackEntry.handling(heart.id, at: 5), FeedbackEntry.handling(heart.id, at: 9)])
        #expect(try await entries() == [nice])
        #expect(try await entries { $0.state = "handled" }.map(\.handledAt) == [5])
        try await disk.commit([FeedbackEntry.reopening(heart.id)])
        #expect(try await entries() == all)
        #expect(try await disk.read(FeedbackEntry.openCount)[0][0] == Row([.integer(2)]))
        await disk.close()
    }

    @Test func feedback_isKeptForItsDaysAndNoLonger() async throws {
        var town = TownBench()
        var body = WireSendFeedback()
        body.category = "bug"
        body.text = "Too loud"
        #expect(try town.refusal(.sendFeedback(body)) == nil)
        town.time.advance(.seconds(86_400))
        #expect(try town.refusal(.sendFeedback(body), id: 2) == nil)
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        // A moment at which the first is more than a year old and the second is not.
        town.time.advance(.seconds(364 * 86_400 + 1))
        try await disk.expire(Features.register.expiries(now: town.time.lasting, settings: Settings()))
        let rows = try await disk.read(Query("SELECT count(*) FROM feedback"))
        #expect(try rows[0][0].integer(0) == 1)
        await disk.close()
    }

    @Test func entries_areCounted() {
        #expect(Feedback.counts.map(\.name.text) == ["feedback"])
    }
}

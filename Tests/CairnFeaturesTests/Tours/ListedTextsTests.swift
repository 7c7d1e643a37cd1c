import CairnCore
import CairnTesting
import CairnWire
import Testing

@testable import CairnFeatures

/// What lists and pushed items have of texts in fifty languages (issue 31, F9). What a passer-by gets is in
/// test_listed_texts.py.
@Suite("Tours: texts in lists")
struct ListedTextsTests {
    /// A character of 25 bytes.
    private static let family = "👨‍👩‍👧‍👦"
    private static let languages = (0..<50).map { "x\(Character(Unicode.Scalar(97 + UInt8($0 / 10))))-\($0)" }

    /// The largest text that a draft takes: so many characters in each of fifty languages.
    private static func text(characters: Int, _ languages: [String] = languages) -> WireTourText {
        var text = WireTourText()
        text.words = languages.map { language in
            var words = WireTourWords()
            (words.language, words.audio) = (language, "8j19dkjhda4gd")
            words.text = "\(language) " + String(repeating: family, count: characters - language.utf8.count - 1)
            return words
        }
        return text
    }

    private static let largest: WireTourFacts = {
        var facts = WireTourFacts()
        facts.name = text(characters: 100)
        facts.picture = "8j19dkjhda4gd"
        facts.pictureAlternative = text(characters: 3_000)
        return facts
    }()

    /// A town with so many such tours.
    private static func town(of count: Int) throws -> TownBench {
        let town = TownBench()
        let offered = try #require(try TourTown.make().names.tours.index.tour(TourTown.tour))
        for number in 1...UInt64(count) {
            town.names.tours.set(
                TourID(rawValue: number),
                to: OfferedTour(
                    id: TourID(rawValue: number), version: 1, organisation: offered.organisation,
                    code: "ABCDEFG\(number)", facts: largest, distanceMetres: 1, seconds: 1, start: offered.start,
                    area: offered.area))
        }
        return town
    }

    private static func list(
        _ body: WireListTours, id: UInt32, language: String = "", in town: inout TownBench
    ) throws -> WireTourList {
        let answer = try town.ask(.make(.listTours(body), id: id, key: "", from: .make(7, language: language)))
        guard case .success(.tourList(let list)) = answer else { throw BenchError("no list: \(answer)") }
        return list
    }

    @Test(arguments: [false, true])
    func largestTours_comeInPagesOfBoundedBytes_eachOnce(isNear: Bool) throws {
        #expect(WireBody.encode(Self.largest).count > 3_500_000)
        var town = try Self.town(of: 30)
        var body = WireListTours()
        if isNear { body.near = TourTown.at(0).point }
        var (seen, id): ([String], UInt32) = ([], 0)
        repeat {
            id += 1
            let page = try Self.list(body, id: id, language: Self.languages[7], in: &town)
            #expect(WireBody.encode(page).count <= ListBytes.max + 64)
            for tour in page.tours {
                for text in [tour.name, tour.pictureAlternative] {
                    #expect(text.words.map(\.language) == [Self.languages[7]])
                    #expect(text.words.allSatisfy { $0.text.utf8.count <= WireTourText.listedBytesMax })
                    #expect(text.words.allSatisfy { $0.text.hasPrefix(Self.languages[7]) && $0.text.hasSuffix("…") })
                }
            }
            seen += page.tours.map(\.id)
            body.cursor = page.next
        } while !body.cursor.isEmpty && id < 30
        #expect(seen.count == 30 && Set(seen).count == 30 && id == 2)
    }

    @Test func summaries_haveTheWholeTagFirst_thenThePrimaryOne_thenTheFirst() {
        let text = Self.text(characters: 20, ["en", "zh-Hans", "zh-Hant", "fr-CA", "fr"])
        let chosen = ["zh-hant", "ZH_TW", "fr", "fr-FR", "en-GB", "de", "", "z", "-"].map {
            text.words(in: $0)?.language
        }
        #expect(chosen == ["zh-Hant", "zh-Hans", "fr", "fr-CA", "en", "en", "en", "en", "en"])
        #expect(WireTourText().words(in: "en") == nil)
    }

    @Test func shortTexts_staySuch_andAreNotCut() {
        let text = Self.text(characters: 30, ["en", "fr"])
        let summary = WireTourSummary(name: text, picture: "p", alternative: text, in: "fr")
        #expect(summary.name.words == [text.words[1]] && summary.pictureAlternative.words == [text.words[1]])
        #expect(!WireTourSummary(name: text, picture: "", alternative: text, in: "fr").hasPictureAlternative)
    }

    @Test func cutTexts_areWholeCharacters() {
        #expect("abc".cut(toBytes: 3) == "abc" && "abcd".cut(toBytes: 3) == "abc")
        #expect("a\(Self.family)".cut(toBytes: 25) == "a" && "a\(Self.family)b".shortened(toBytes: 4) == "a…")
        #expect("abcd".shortened(toBytes: 2).isEmpty)
    }

    /// One element always has room, or no page would follow it.
    @Test func pagesOfBytes_haveOneElementAtLeast() {
        #expect(ListBytes.count(of: [Self.largest, Self.largest]) == 1)
        #expect(ListBytes.count(of: [WireTourFacts]()) == 0)
        #expect(ListBytes.count(of: [WireTourFacts](repeating: WireTourFacts(), count: 9)) == 9)
    }

    /// A notice is kept in the reader's language, and its label is short.
    @Test func noticesOfToursNearby_areInTheReadersLanguage() throws {
        let near = NearTour(tour: TourTown.tour, language: "fr CA")
        let read = try NearTour(payload: near.payload, register: Features.register)
        #expect(read.tour == near.tour && read.language == "fr CA")
    }
}

/// Looks of walkers at their runs are counted, and so are changes of tours that are refused.
@Suite("Tours: looks and refusals that count")
struct CountedLooksTests {
    private static func start(in town: inout TownBench) throws -> Sender {
        var body = WireStartTour()
        body.tour = town.identifiers.name(of: TourTown.tour)
        guard case .success(.run(let run)) = try town.ask(.make(.startTour(body), id: 1, from: .make(7))),
            let space = town.identifiers.identifier(named: run.id, SpaceTag.self)
        else { throw BenchError("not started") }
        return .make(7, scopes: [.members(of: .space(space))])
    }

    private static func look(_ body: WireClientMessage.OneOf_Body, id: UInt32, from walker: Sender) -> Request {
        .make(body, id: id, key: "", from: walker)
    }

    /// By the account, as for each question that it passes.
    @Test func looksAtTheOwnRun_haveAQuotaOfAMinute_besideLooksAtTours() {
        var core = AccountCore(
            account: .make(7), register: Features.register, settings: .make { $0.tours.looksPerMinute = 3 },
            keyLifetime: .seconds(86_400))
        let looks: [WireClientMessage.OneOf_Body] = [
            .getRun(WireGetRun()), .getRunContent(WireGetRunContent()), .getGroup(WireGetGroup()),
        ]
        func refusal(of look: WireClientMessage.OneOf_Body, at seconds: Int64 = 0) -> Refusal? {
            core.admit(question: Self.look(look, id: 1, from: .make(7)), now: .epoch + .seconds(seconds))
        }
        for look in looks { #expect(refusal(of: look) == nil) }
        for look in looks {
            let refused = refusal(of: look)
            #expect(refused?.code == .rateLimited && refused?.retryAfter == .seconds(60))
        }
        // Looks at tours count apart.
        #expect(refusal(of: .getTour(WireGetTour())) == nil)
        for look in looks { #expect(refusal(of: look, at: 60) == nil) }
    }

    /// A stop has up to a MiB: what is larger than a page counts by its bytes.
    @Test func largeAnswersAboutARun_areCountedByTheirBytes() throws {
        var town = try TourTown.make(settings: .make { $0.tours.lookBytesPerMinute = 150_000 })
        var content = TourTown.version.content
        content.stops[0].history.words[0].text = String(repeating: "x", count: 100_000)
        let version = PublishedTour(
            tour: TourTown.tour, version: 3, organisation: TourTown.version.organisation, published: 0,
            content: content, distanceMetres: 400, seconds: 300)
        let row = Row(version.insertion.arguments)
        town.store = { $0.sql.text.contains("tour_versions") ? [row] : [] }
        let walker = try Self.start(in: &town)
        for id in UInt32(2)...3 {
            #expect(try town.ask(Self.look(.getRun(WireGetRun()), id: id, from: walker)).refusal == nil)
        }
        let refusal = try town.ask(Self.look(.getRun(WireGetRun()), id: 4, from: walker)).refusal
        #expect(refusal?.code == .rateLimited && refusal?.details["limit"] == "150000")
        // Small ones are none of it.
        #expect(try town.ask(Self.look(.getGroup(WireGetGroup()), id: 5, from: walker)).refusal?.code == .notFound)
        town.time.advance(.seconds(60))
        #expect(try town.ask(Self.look(.getRun(WireGetRun()), id: 6, from: walker)).refusal == nil)
    }

    /// The check is what costs: it is the same for an edit that is refused.
    @Test func refusedEdits_countInTheirQuotas() throws {
        let settings = Settings.make {
            $0.tours.editsPerMinute = 2
            $0.tours.publishedPerHour = 3
        }
        var town = try TourTown.make(settings: settings)
        var (edit, publication) = (WireSetTourFacts(), WirePublishTour())
        edit.tour = town.identifiers.name(of: TourTown.tour)
        publication.tour = edit.tour
        for id in UInt32(1)...2 {
            let refusal = try town.refusal(.setTourFacts(edit), id: id, from: .make(7))
            #expect(refusal != nil && refusal?.code != .rateLimited)
        }
        #expect(try town.refusal(.setTourFacts(edit), id: 3, from: .make(7))?.code == .rateLimited)
        for id in UInt32(4)...6 {
            town.time.advance(.seconds(61))
            #expect(try town.refusal(.publishTour(publication), id: id, from: .make(7))?.code != .rateLimited)
        }
        town.time.advance(.seconds(61))
        let refusal = try town.refusal(.publishTour(publication), id: 7, from: .make(7))
        #expect(refusal?.code == .rateLimited && refusal?.details["period"] == "hour")
        // Others have their own.
        #expect(try town.refusal(.setTourFacts(edit), id: 8, from: .make(8))?.code != .rateLimited)
    }
}

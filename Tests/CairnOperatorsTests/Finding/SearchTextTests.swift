import CairnCore
import CairnGeo
import CairnTesting
import Testing

@testable import CairnOperators

@Suite("Finding: what a search text may mean")
struct SearchTextTests {
    private let cell = CellID(.make(latitude: 45.5, longitude: -73.57), level: 16)

    @Test func word_mayBeSeveralThings() throws {
        let id = try SearchText("0G8XW0000000A")
        #expect(id.id == "0g8xw0000000a" && id.name == "0G8XW0000000A" && id.code == nil && !id.isGround)
        let code = try SearchText("ABCDEFGH")
        #expect(code.code == "ABCDEFGH" && code.id == nil && code.name == "ABCDEFGH")
        let token = try SearchText("  \(cell.token) ")
        #expect(token.cell == cell && token.name == cell.token && token.isGround)
        #expect(try SearchText("Ada Lovelace").name == "Ada Lovelace")
    }

    @Test(arguments: [
        "45.5,-73.57", "45.5, -73.57", "45.50000° N, 73.57000° W", "https://cairn.example/play?at=45.5%2C-73.57",
        "/play?from=wall&at=45.5,-73.57#/map",
    ])
    func place_isReadAsPeopleAndLinksWriteIt(_ text: String) throws {
        let sought = try SearchText(text)
        let place = try #require(sought.place)
        #expect(place.distanceMetres(to: .make(latitude: 45.5, longitude: -73.57)) < 0.01)
        #expect(sought.name == nil && sought.isGround)
    }

    @Test func links_leadToWhatTheyName() throws {
        #expect(try SearchText("https://cairn.example/j/ABCDEFGH?x=1").code == "ABCDEFGH")
        #expect(try SearchText("/j/abcdefgh").code == "abcdefgh")
        #expect(try SearchText("https://cairn.example/play#/tours/0g8xw0000000a").id == "0g8xw0000000a")
        #expect(try SearchText("/play#/tours/edit/0g8xw0000000a").id == "0g8xw0000000a")
        #expect(try SearchText("#thing/0g8xw0000000a").id == "0g8xw0000000a")
        #expect(try SearchText("/console#cell/\(cell.token)").cell == cell)
        #expect(try SearchText("/j/ABCDEFGH").name == nil)
    }

    @Test(arguments: ["", "   ", "https://cairn.example/", "/console#", "#/", "https://x.example/?at=1,2,3"])
    func textThatMeansNothing_isRefused(_ text: String) {
        #expect(throws: StatsRefusal.self) { try SearchText(text) }
    }

    @Test func length_isBounded() throws {
        #expect(try SearchText(String(repeating: "x", count: SearchText.bytesMax)).name != nil)
        #expect(throws: StatsRefusal.self) { try SearchText(String(repeating: "x", count: SearchText.bytesMax + 1)) }
    }

    @Test(arguments: ["91,0", "0,181", "nan,0", "1,2,3", "45.5° X, 3° W"])
    func whatIsNoPlace_isAName(_ text: String) throws {
        let sought = try SearchText(text)
        #expect(sought.place == nil && sought.name == text)
    }

    @Test func choice_ofThings_hasOrderAndPage() throws {
        let choice = try ThingChoice(StatsArguments("\(cell.token) owner from=50 top=7"))
        #expect(choice.cell == cell && choice.order == .owner && choice.from == 50 && choice.top == 7)
        for wrong in ["", "zz", "\(cell.token) best", "\(cell.token) top=0", "\(cell.token) from=-1"] {
            #expect(throws: StatsRefusal.self, "\(wrong)") { try ThingChoice(StatsArguments(wrong[...])) }
        }
    }
}

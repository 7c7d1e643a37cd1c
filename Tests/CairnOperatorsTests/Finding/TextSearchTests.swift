import CairnCore
import Testing

@testable import CairnOperators

@Suite("Finding: words in texts")
struct TextSearchTests {
    private func search(_ text: String) throws -> TextSearch { try #require(TextSearch(words: text)) }

    @Test func text_hasAllWords_inAnyCaseAndOrder() throws {
        let found = try search("bridge LOST")
        #expect(found.isIn("I lost my hat on the Bridge."))
        #expect(!found.isIn("I lost my hat."))
        #expect(!found.isIn(""))
    }

    @Test func word_beginsAWordOfTheText() throws {
        #expect(try search("hat").isIn("\u{201C}Hats\u{201D}, she said"))
        #expect(try search("hat").isIn("red-hat"))
        #expect(try !search("hat").isIn("What is that? 7hat, éhat"))
        #expect(try search("hat").isIn("that hat"))
        #expect(try search("hat").isIn("帽子hat"))
        #expect(try !search("hatter").isIn("hat"))
    }

    @Test func accents_doNotMatter() throws {
        #expect(try search("creme").isIn("Crème brûlée"))
        #expect(try search("BRÛLÉE").isIn("crème brulee"))
        #expect(try search("桥边").isIn("我在桥边丢了帽子"))
    }

    @Test(arguments: ["", " ", "a b", "one two three four five six seven eight nine"])
    func textWithoutAWord_orWithTooMany_isNotSearched(_ text: String) {
        #expect(TextSearch(words: text) == nil)
    }

    @Test func command_takesWhereItGoesOn_andRefusesNonsense() throws {
        let identifiers = IdentifierIssuer()
        #expect(try TextSearch(StatsArguments("before=0000000000000 hat"[...]), identifiers).text == "hat")
        for wrong in ["", "before=x hat", "before=0000000000000", String(repeating: "x", count: 513)] {
            #expect(throws: StatsRefusal.self, "\(wrong)") { try TextSearch(StatsArguments(wrong[...]), identifiers) }
        }
    }

    @Test func gate_letsOneInAtATime() {
        let gate = TextSearchGate()
        #expect(gate.enter() && !gate.enter())
        gate.leave()
        #expect(gate.enter())
    }
}

import CairnText
import Testing

/// What keyboards and clipboards add to what people mean.
@Suite("Text: typing")
struct TypingTests {
    @Test(arguments: [
        "ada@example.org ", " ada@example.org", "\tada@example.org\r\n", "\u{A0}ada@example.org\u{3000}",
        "\u{200E}ada@example.org\u{202C}", "\u{FEFF}ada@example.org\u{200B}\u{2060}", "ada@example.org",
    ])
    func whatIsNotSeen_isTakenOffAround(text: String) {
        #expect(Array(text.withoutBlanksAround.utf8) == Array("ada@example.org".utf8))
    }

    @Test func whatIsWithin_stays() {
        #expect(" Ada Lovelace ".withoutBlanksAround == "Ada Lovelace")
        // A joiner is a letter's own.
        #expect(Array("می\u{200C}".withoutBlanksAround.utf8) == Array("می\u{200C}".utf8))
        #expect("".withoutBlanksAround == "" && " \u{200B}\n".withoutBlanksAround == "")
    }

    @Test(arguments: [
        "123456", " 123 456\n", "123-456", "123–456", "\u{200E}123\u{A0}456", "١٢٣٤٥٦", "۱۲۳۴۵۶", "१२३४५६", "１２３４５６",
        "𝟏𝟐𝟑𝟒𝟓𝟔",
    ])
    func code_isTheSameHoweverItIsTyped(text: String) {
        #expect(text.asCode(scalarsMax: 32) == "123456")
    }

    @Test func otherLettersOfACode_stay() {
        #expect("7k2mq-x0v9b".asCode(scalarsMax: 32) == "7k2mqx0v9b")
        #expect("½ⅣⅠ12".asCode(scalarsMax: 32) == "½ⅣⅠ12")
        #expect("123456789".asCode(scalarsMax: 4) == "1234")
    }
}

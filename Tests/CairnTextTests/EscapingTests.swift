import CairnText
import Testing

/// What joins with the sign of another language before or behind it: marks, joiners, and letters that are written
/// before the next one (Unicode's property Prepended_Concatenation_Mark and the like).
private let joining = ["", "\u{301}", "\u{200D}", "\u{600}", "\u{D4E}", "\u{FE0F}", "\u{20DD}", "\u{1F1E6}", "\r"]

@Suite("Text: other languages")
struct EscapingTests {
    @Test(arguments: joining, joining)
    func noSign_isHiddenByWhatStandsAroundIt(before: String, behind: String) {
        func around(_ sign: String) -> String { "a\(before)\(sign)\(behind)b" }
        for sign in ["<", ">", "\"", "'"] {
            #expect(!Escaping.markup(around(sign)).unicodeScalars.contains { sign.unicodeScalars.contains($0) })
        }
        #expect(Array(Escaping.markup(around("&")).utf8) == Array(around("&amp;").utf8))
        #expect(Array(Escaping.quotation(around("\"")).utf8) == Array(around("\\\"").utf8))
        #expect(Array(Escaping.quotation(around("\\")).utf8) == Array(around("\\\\").utf8))
        #expect(Array(Escaping.quotation(around("\n")).utf8) == Array(around("\\n").utf8))
        for sign in [",", "\n", "\""] {
            #expect(Escaping.csvField(around(sign)).utf8.first == UInt8(ascii: "\""))
        }
        for sign in ["=", "+", "-", "@", "\t"] {
            #expect(Escaping.csvField("\(sign)\(behind)1A").utf8.first != sign.utf8.first)
        }
    }

    @Test func textsAndNumbers_stayAsTheyAre() {
        for text in ["", "Zürich", "नमस्ते", "-12.50", "+3", "12", "a=b", "e-mail"] {
            #expect(Escaping.csvField(text) == text)
        }
        #expect(Escaping.csvField("-") == "'-")
        #expect(Escaping.csvField("=HYPERLINK(\"x\")") == "\"'=HYPERLINK(\"\"x\"\")\"")
        #expect(Escaping.markup("Tom & \"Jerry\" <3\n") == "Tom &amp; &quot;Jerry&quot; &lt;3\n")
        #expect(Escaping.markup("a\u{0}b\u{8}") == "ab")
    }
}

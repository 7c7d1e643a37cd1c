import CairnText
import Testing

/// Unicode's Stream-Safe Text Format (UAX #15, section 13).
@Suite("Text: stream-safe")
struct StreamSafeTests {
    @Test(arguments: [
        "", "Ada", "Zürich", "e" + String(repeating: "\u{301}", count: 30), "ห้องน้ำอยู่ที่ไหน", "शृङ्खला क्षत्रिय र्क्ष्म्य",
        "בְּרֵאשִׁית בָּרָא אֱלֹהִים", "👩‍👩‍👧‍👦🏳️‍🌈", "Z̷̧̨͖̙̮͙̮̹̬̦̤͇̒̀̂͋̅̔̊́̏͝ạ̵", String(repeating: "한국어", count: 100),
        // Neither of these is brought into an order: their class is 0.
        "a" + String(repeating: "\u{200D}", count: 1_000), "a" + String(repeating: "\u{FE0F}", count: 1_000),
        "a" + String(repeating: "\u{0D4E}", count: 1_000),
    ])
    func whatPeopleWrite_passes(text: String) {
        #expect(StreamSafe.holds(text))
    }

    @Test(arguments: ["", "e", "क", "漢"], ["\u{301}", "\u{301}\u{323}", "\u{05B0}", "\u{1E8D0}"])
    func moreThanThirtyMarksInARow_doNotPass(letter: String, marks: String) {
        let count = marks.unicodeScalars.count
        let run = String(repeating: marks, count: StreamSafe.marksMax / count)
        #expect(StreamSafe.holds(letter + run + "e"))
        #expect(!StreamSafe.holds(letter + run + marks))
        #expect(!StreamSafe.holds("before " + letter + run + marks + " behind"))
    }

    @Test func bytesThatAreNoText_countAsLetters() {
        let marks = [UInt8](repeating: 0, count: 20).flatMap { _ in Array("\u{301}".utf8) }
        #expect(StreamSafe.holds(marks + [0xFF] + marks))
        #expect(!StreamSafe.holds(marks + marks))
        #expect(StreamSafe.holds([UInt8](repeating: 0xFF, count: 1_000)))
    }

    /// A mark is a mark, also as an escape of JSON, of one unit or of two.
    @Test(arguments: ["\u{301}", "\\u0301", "\u{1E8D0}", "\\uD83A\\uDCD0"])
    func escapesOfJSON_areMarks(mark: String) {
        func document(_ count: Int) -> [UInt8] {
            Array(#"{"name": "a\n\#(String(repeating: mark, count: count))", "b": "\u0062"}"#.utf8)
        }
        #expect(document(30).withUnsafeBytes { StreamSafe.holds(json: $0) })
        #expect(!document(31).withUnsafeBytes { StreamSafe.holds(json: $0) })
    }

    /// Marks in either form are one row, however far behind the first escape.
    @Test func marksInBothForms_areOneRow() {
        func document(_ escapes: Int) -> [UInt8] {
            let filling = String(repeating: "x", count: 10_000)
            let row = String(repeating: #"\u0301"#, count: escapes) + String(repeating: "\u{301}", count: 15)
            return Array(#"{"a": "\n\#(filling)e\#(row)"}"#.utf8)
        }
        #expect(document(15).withUnsafeBytes { StreamSafe.holds(json: $0) })
        #expect(!document(16).withUnsafeBytes { StreamSafe.holds(json: $0) })
    }

    @Test func brokenEscapesOfJSON_areNoFault() {
        for text in [#"\"#, #"\u"#, #"\u12"#, #"{"a": "\u12G4"}"#, #"\uD83A"#, #"\\u0301"#] {
            #expect(Array(text.utf8).withUnsafeBytes { StreamSafe.holds(json: $0) })
        }
    }
}

import Foundation
import Testing

@testable import CairnLogging

@Suite("Stats: lines of JSON")
struct JSONLineTests {
    private func read(_ body: (inout JSONLine) -> Void) throws -> [String: any Sendable] {
        let bytes = JSONLine.object(body)
        #expect(bytes.last == UInt8(ascii: "\n"))
        #expect(!bytes.dropLast().contains(UInt8(ascii: "\n")))
        return try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: any Sendable])
    }

    @Test(arguments: [
        "plain", "", "with \"quotes\" and \\", "two\r\nlines", "\u{1b}[31mred\u{7}", "\u{0}", "é 漢 🗿", "\u{2028}",
        "\u{9b}",
    ])
    func texts_comeBackAsTheyWere(_ text: String) throws {
        let object = try read { $0.member("text", text) }
        #expect(object["text"] as? String == text)
    }

    @Test func texts_steerNoTerminal() {
        let bytes = JSONLine.object { $0.member("text", "\u{1b}]0;pwned\u{7}\u{9b}31m\u{7f}") }
        #expect(bytes.dropLast().allSatisfy { $0 >= 0x20 && $0 < 0x7f })
    }

    @Test(arguments: [0, 1, -1, 42, .max, .min])
    func wholeNumbers_comeBackAsTheyWere(_ number: Int) throws {
        let object = try read { $0.member("number", number) }
        #expect((object["number"] as? NSNumber)?.int64Value == Int64(number))
    }

    @Test(arguments: [0, 0.5, -0.25, 1.001, 12_345.678, 999_999_999.5, 0.999_9])
    func numbers_keepThreeDigits(_ number: Double) throws {
        let object = try read { $0.member("number", number) }
        let value = try #require((object["number"] as? NSNumber)?.doubleValue)
        #expect(abs(value - number) <= 0.000_5)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func whatIsNoNumber_isNull(_ number: Double) throws {
        let object = try read { $0.member("number", number) }
        #expect(object["number"] is NSNull)
    }

    @Test func objectsAndArrays_nest() throws {
        let object = try read { line in
            line.object("a") { line in
                line.array("b") { line in
                    line.element(1.5)
                    line.element { $0.member("c", true) }
                    line.elements { $0.element("d") }
                }
                line.null("e")
            }
            line.member("f", 1)
        }
        let inner = try #require(object["a"] as? [String: Any])
        #expect((inner["b"] as? [Any])?.count == 3)
        #expect(inner["e"] is NSNull)
        #expect(object["f"] as? Int == 1)
    }
}

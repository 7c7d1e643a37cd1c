import Testing

@testable import CairnWire

/// What a developer is told of a JSON message that cannot be read.
@Suite("JSON faults", .tags(.alone))
struct JSONFaultTests {
    private func refusal(_ text: String) -> Refusal? {
        do throws(BadMessage) {
            _ = try ClientEnvelopeDecoder.decode(Array(text.utf8), format: .json)
            return nil
        } catch {
            return error.refusal
        }
    }

    @Test(arguments: [
        ("{\"id\":1,\n \"place\":{\"pose\":{\"scale\":\"big\"}}}", "2", "27", "place.pose.scale"),
        ("{\"id\":\"x\",\"select\":{}}", "1", "7", "id"),
        ("{\"hello\":{\"front_end\":7}}", "1", "23", "hello.front_end"),
        ("{\"h\u{e9}\":0,\"hello\":{\"version\":-1}}", "1", "28", "hello.version"),
        ("{\"place\":[]}", "1", "10", "place"),
    ])
    func valueOfAnotherKind_isNamedAsItWasSent(text: String, line: String, column: String, field: String) {
        let refusal = self.refusal(text)
        #expect(refusal?.code == .badMessage)
        #expect(refusal?.details == ["line": line, "column": column, "field": field])
        #expect(refusal?.message.contains("line \(line), column \(column), \(field)") == true)
    }

    @Test(arguments: [
        ("{\"id\":1,\n\"place\":{\"pose\" {}}}", "2", "17", "a colon is missing"),
        ("{\"id\":1 \"place\":{}}", "1", "9", "a comma or the end of an object is missing"),
        ("{\"id\":1,\"key\":\"abc}", "1", "15", "a text has no end"),
        ("{\"id\":01x}", "1", "9", "a comma or the end of an object is missing"),
        ("{\"place\":{\"pose\":nul}}", "1", "18", "a value is missing"),
        ("{\"id\":1}}", "1", "9", "there is something behind the message"),
        ("", "1", "1", "the message ends where a value is missing"),
        ("{id:1}", "1", "2", "a name in quotes is missing"),
    ])
    func brokenSyntax_isPlaced(text: String, line: String, column: String, cause: String) {
        let refusal = self.refusal(text)
        #expect(refusal?.details["line"] == line && refusal?.details["column"] == column)
        #expect(refusal?.message.contains(cause) == true, "\(refusal?.message ?? "")")
    }

    @Test func bodyOfAnUnknownName_isTold() throws {
        let envelope = try ClientEnvelopeDecoder.decode(
            Array("{\"id\":1,\"key\":\"k\",\"plce\":{}}".utf8), format: .json)
        #expect(envelope.field == 0 && envelope.unknownName == "plce")
        let known = try ClientEnvelopeDecoder.decode(Array("{\"id\":1,\"select\":{}}".utf8), format: .json)
        #expect(known.unknownName == nil)
    }

    @Test(arguments: ["1.2.3", "--1", "1e", "-", "1.", ".5", "1e+-3"])
    func malformedNumber_isPlacedWhereItBegins(number: String) {
        let refusal = self.refusal("{\"position\":{\"lat\":\(number)}}")
        #expect(refusal?.details["column"] == "20", "\(refusal?.message ?? "")")
    }

    /// Of 64 KiB, or of as much as is searched for the field.
    private static let worst = [
        "{\"transform\":[" + String(repeating: "1,", count: 32_700) + "x]}",
        "{\"id\":\"" + String(repeating: "y", count: 65_500) + "\",}",
        "{\"id\":\"" + String(repeating: "\u{e9}", count: 32_700) + "\",}",
        "{\"a\":[" + String(repeating: "{},", count: 4_000) + String(repeating: " ", count: 53_000) + "x]}",
        "{" + (0..<4_000).map { "\"\($0)\":0" }.joined(separator: ",") + ",\"id\":{}}",
        "{" + (0..<63).map { "\"m\($0)\":\"\(String(repeating: "z", count: 40))\"" }.joined(separator: ",")
            + ",\"id\":{}}",
        String(repeating: "{\"place\":", count: 30) + "[" + String(repeating: "}", count: 30),
        "{\"place\":{\"pose\":{\"geopose\":{\"position\":{\"lat\":\"" + String(repeating: "q", count: 1_300)
            + "\"}}}}}",
    ]

    @Test(arguments: worst.indices)
    func worstMessage_costsAsMuchAsAFewPlainOnes(number: Int) {
        let message = Array(Self.worst[number].utf8)
        let cost = inPlainMessages { message.withUnsafeBytes { _ = JSONFault(in: $0) } }
        #expect(cost < 8)
    }

    /// What is looked for is bounded, whatever was sent: 64 KB of members that fail only at the end.
    @Test func hostileMessage_isNotSearchedWithoutEnd() throws {
        let members = (0..<3_000).map { "\"n\($0)\":{\"a\":[]}" }.joined(separator: ",")
        let refusal = try #require(self.refusal("{\(members),\"id\":{}}"))
        #expect(refusal.details["field"] == nil)
        #expect(refusal.message.utf8.count < 256)
        let long = String(repeating: "x", count: 3_000)
        let named = try #require(self.refusal("{\"hello\":{\"version\":[\"\(long)\"]}}"))
        #expect(named.details["field"] == "hello.version" && named.message.utf8.count < 256)
    }
}

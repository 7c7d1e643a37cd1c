import CairnWire
import Testing

/// Pitfalls B12: deep, huge or odd JSON gets an error or an answer, never a trap, at the cost of a few plain messages.
@Suite(.tags(.alone)) struct HostileJSONTests {
    /// A message may have this many bytes (SES-3).
    static let messageBytes = 65_536

    private func refusal(of json: [UInt8]) -> Refusal.Code? {
        var code: Refusal.Code?
        let cost = inPlainMessages {
            do throws(BadMessage) {
                _ = try ClientEnvelopeDecoder.decode(json, format: .json)
            } catch {
                code = error.refusal.code
            }
        }
        #expect(cost < 20, "\(String(decoding: json.prefix(40), as: UTF8.self))...")
        return code
    }

    private func refusal(of json: String) -> Refusal.Code? { refusal(of: Array(json.utf8)) }

    /// As many repetitions as fill a message.
    private func filled(_ prefix: String = "", with piece: String, _ suffix: String = "") -> String {
        let room = Self.messageBytes - prefix.utf8.count - suffix.utf8.count
        return prefix + String(repeating: piece, count: room / piece.utf8.count) + suffix
    }

    @Test func nestingBeyond32_isRefused_inKnownAndUnknownFields() {
        func nested(_ depth: Int, _ open: String, _ close: String) -> String {
            #"{"id":1,"x":"# + String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
                + "}"
        }
        for (open, close) in [("[", "]"), (#"{"y":"#, "}"), (#"[{"y":"#, "}]")] {
            let levels = open.count(where: { "[{".contains($0) })
            #expect(refusal(of: nested(31 / levels, open, close)) == nil)
            #expect(refusal(of: nested(33 / levels, open, close)) == .badMessage)
        }
        for piece in ["[", "{", #"{"hello":"#, #"{"x":["#, "[[]", #"{"a":{}"#] {
            #expect(refusal(of: filled(with: piece)) == .badMessage)
            #expect(refusal(of: filled(#"{"x":"#, with: piece)) == .badMessage)
        }
    }

    @Test func longNames_areRefusedUnreadAndNotEchoed() {
        for name in ["a", #"\u0061"#] {
            let json = Array((#"{"id":7,"# + "\"" + String(repeating: name, count: 10_000) + #"":1}"#).utf8)
            do throws(BadMessage) {
                _ = try ClientEnvelopeDecoder.decode(json, format: .json)
                Issue.record("taken")
            } catch {
                #expect(error.refusal.code == .badMessage && error.id == 7)
                #expect(error.refusal.message.utf8.count < 300)
            }
        }
    }

    @Test func escapedNames_inNumbers_costLittle() {
        let names = (0..<9_000).map { #""\u006"# + "\($0 % 10)\($0)" + #"":1"# }.joined(separator: ",")
        #expect(refusal(of: String(("{" + names).prefix(65_535)) + "}") == .badMessage)
    }

    @Test func glimpse_findsTheIdAtTheBeginningOfAMessageOfAnyLength() {
        func glimpse(_ bytes: [UInt8], _ format: WireFormat) -> UInt32 {
            bytes.withUnsafeBytes { ClientEnvelopeDecoder.glimpse(idOf: $0, format: format) }
        }
        let long = String(repeating: "x", count: 60_000)
        #expect(glimpse(Array(#"{"id": 4711, "key": "\#(long)"}"#.utf8), .json) == 4_711)
        #expect(glimpse(Array(#"{"key": "\#(long)", "id": 4711}"#.utf8), .json) == 0)
        #expect(glimpse(Array("".utf8), .json) == 0)
        // Field 1, varint 4711; field 2, 100 bytes.
        #expect(glimpse([0x08, 0xE7, 0x24, 0x12, 0x64] + Array(repeating: 0x78, count: 100), .proto) == 4_711)
        #expect(glimpse([0x08], .proto) == 0 && glimpse([], .proto) == 0)
    }

    @Test func closingBrackets_withoutOpening_areRefused() {
        for piece in ["]", "}", "}{", "][", "]}"] {
            #expect(refusal(of: filled(with: piece)) == .badMessage)
            #expect(refusal(of: filled(#"{"id":1"#, with: piece)) == .badMessage)
        }
    }

    @Test func repeatedNames_areRefused_becauseParsersDiffer() {
        #expect(refusal(of: #"{"id":1,"id":2}"#) == .badMessage)
        #expect(refusal(of: #"{"id":1,"\u0069d":2}"#) == .badMessage)
        #expect(refusal(of: #"{"position":{"lat":1,"lon":2,"lat":3}}"#) == .badMessage)
        #expect(refusal(of: #"{"x":[{"a":1,"a":2}]}"#) == .badMessage)
        #expect(refusal(of: #"{"place":{},"place":{}}"#) == .badMessage)
        // The same name in another object, or as a value, is no repetition.
        #expect(refusal(of: #"{"id":1,"x":{"id":2},"y":["id","id",{"id":3}],"z":"id"}"#) == nil)
    }

    @Test func nulAndOtherControls_areAnsweredWithoutTrap() throws {
        // Escaped they are text like any other.
        #expect(try ClientEnvelopeDecoder.decode(json: #"{"key":"a\u0000b"}"#).key == "a\0b")
        // As they are, SwiftProtobuf lets them pass in texts but not between them.
        #expect(refusal(of: "{\"id\":1\0}") == .badMessage)
        #expect(refusal(of: "\0") == .badMessage)
        _ = refusal(of: "{\"key\":\"a\0b\"}")
    }

    @Test func loneSurrogatesAndBrokenUTF8_areRefused() {
        for text in [
            #"\ud800"#, #"\udc00"#, #"\ud800\ud800"#, #"\udc00\ud800"#, #"\ud800x"#, #"\u12"#, #"\uzzzz"#, #"\x"#,
        ] {
            #expect(refusal(of: #"{"key":"\#(text)"}"#) == .badMessage, "\(text)")
        }
        for bytes: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3]] {
            #expect(refusal(of: Array(#"{"key":""#.utf8) + bytes + Array(#""}"#.utf8)) == .badMessage)
            #expect(refusal(of: Array(#"{"key"#.utf8) + bytes + Array(#"":""}"#.utf8)) == .badMessage)
        }
        #expect(refusal(of: #"{"key":"\ud83d\udccd"}"#) == nil)
    }

    @Test func hugeNumbers_areRefusedOrNotFinite_neverWrong() throws {
        for number in [
            "1e999", "-1e999", "1" + String(repeating: "0", count: 400), "0." + String(repeating: "1", count: 5_000),
        ] {
            guard let envelope = try? ClientEnvelopeDecoder.decode(json: #"{"position":{"lat":\#(number)}}"#) else {
                continue
            }
            let latitude = try WireBody.decode(WirePosition.self, from: envelope.payload).lat
            #expect(latitude.isInfinite || latitude.magnitude < 1)
        }
        for number in [#""NaN""#, #""Infinity""#, #""-Infinity""#] {
            // Protobuf's JSON has them; the feature refuses them as `bad_position`.
            let envelope = try ClientEnvelopeDecoder.decode(json: #"{"position":{"lat":\#(number)}}"#)
            #expect(try !WireBody.decode(WirePosition.self, from: envelope.payload).lat.isFinite)
        }
        for number in ["NaN", "Infinity", "1e", "0x10", "01", "+1", "1_000", "99999999999999999999"] {
            #expect(refusal(of: #"{"id":\#(number)}"#) == .badMessage, "\(number)")
        }
        #expect(refusal(of: #"{"hello":{"cursors":[{"epoch":"18446744073709551616"}]}}"#) == .badMessage)
    }

    @Test(arguments: [
        ("{\"key\":\"", "a", "\"}"), ("{\"key\":\"", "\\u0041", "\"}"), ("{\"x\":\"", "\\\\", "\"}"),
        ("{\"x\":[", "1,", "1]}"), ("{\"x\":[", "\"a\",", "1]}"), ("{\"x\":[", "[],", "1]}"),
        ("{\"x\":[", "{},", "1]}"),
        ("{\"x\":", "1", "}"), ("{\"x\":-0.", "1", "e-9}"), ("{\"id\":", "0", "1}"),
        ("{\"position\":{\"lat\":0.", "3", "}}"), ("{", " ", "}"), ("", "\n", "{}"),
        ("{\"hello\":{\"cursors\":[", "{\"topic\":\"a\"},", "{}]}}"),
        ("{\"hello\":{\"cursors\":[", "{},", "{}]}}"),
        ("{\"place\":{\"pose\":{\"anchor\":{\"data\":\"", "AAAA", "\"}}}}"),
        ("{\"place\":{\"pose\":{\"anchor\":{\"transform\":[", "1.25,", "1]}}}}"), ("", "\"", ""), ("", "\\", ""),
        ("{\"", ":", "\"}"),
    ])
    func fullMessageOfOneThing_takesLittleTime(_ prefix: String, _ piece: String, _ suffix: String) {
        _ = refusal(of: filled(prefix, with: piece, suffix))
    }

    @Test func objectsAndArrays_beyondTheirNumber_areRefused() {
        func cursors(_ count: Int) -> String {
            #"{"id":1,"hello":{"cursors":["# + Array(repeating: "{}", count: count).joined(separator: ",") + "]}}"
        }
        // The message, hello and the list are three themselves.
        #expect(refusal(of: cursors(ClientEnvelopeDecoder.jsonContainersMax - 3)) == nil)
        #expect(refusal(of: cursors(ClientEnvelopeDecoder.jsonContainersMax - 2)) == .badMessage)
        #expect(refusal(of: #"{"x":"# + filled("[", with: "[],", "[]]") + "}") == .badMessage)
    }

    @Test func fullMessageOfDifferentNames_takesLittleTime() {
        var json = "{"
        var count = 0
        while json.utf8.count < Self.messageBytes - 20 {
            json += "\"n\(count)\":1,"
            count += 1
        }
        #expect(refusal(of: json + "\"id\":1}") == .badMessage)
    }

    @Test func manyDifferentNames_areTakenAndOneThatComesTwiceIsNot() {
        let json = "{" + (0..<ClientEnvelopeDecoder.jsonNamesMax - 1).map { "\"n\($0)\":1," }.joined()
        #expect(refusal(of: json + "\"id\":1}") == nil)
        #expect(refusal(of: json + "\"n0\":1}") == .badMessage)
    }
}

import Testing

@testable import CairnWire

/// What a developer is told of a name that no part of the schema has.
@Suite("JSON: unknown names")
struct JSONUnknownNameTests {
    private func found(_ text: String) -> JSONUnknownName? { JSONUnknownName(in: Array(text.utf8)) }

    @Test(arguments: [
        ("{\"id\":1,\n\"place\":{\"objct\":\"preset:flag\"}}", 2, 10, "place.objct", "object"),
        ("{\"place\":{\"pose\":{\"scal\":2,\"accuracy\":1}}}", 1, 19, "place.pose.scal", "scale"),
        (
            "{\"place\":{\"pose\":{\"geopose\":{\"positon\":{\"lat\":1}}}}}", 1, 30, "place.pose.geopose.positon",
            "position"
        ),
        ("{\"edit\":{\"verison\":3,\"text\":\"\"}}", 1, 10, "edit.verison", "version"),
        ("{\"hello\":{\"front_ends\":\"bot\"}}", 1, 11, "hello.front_ends", "frontEnd"),
        ("{\"idd\":7,\"select\":{}}", 1, 2, "idd", "id"),
        ("{\"id\":7,\"plcae\":{}}", 1, 9, "plcae", "place"),
    ])
    func nameThatIsNotKnown_isFound(text: String, line: Int, column: Int, field: String, nearest: String) {
        let found = self.found(text)
        #expect(found?.line == line && found?.column == column && found?.field == field && found?.nearest == nearest)
    }

    @Test func nameLikeNone_hasNoNearest() {
        let found = self.found("{\"place\":{\"xyzzy\":1}}")
        #expect(found?.field == "place.xyzzy" && found?.nearest == nil)
    }

    @Test(arguments: [
        "{\"hello\":{\"version\":1}}", "{\"hello\":{\"deviceClass\":\"WATCH\"}}", "{}", "[", "{\"id\":\"x\"}",
    ])
    func messageWithoutOne_hasNone(text: String) {
        #expect(found(text) == nil)
    }

    @Test func longMessage_isNotSearched() {
        let text = "{\"place\":{\"objct\":\"\(String(repeating: "x", count: JSONUnknownName.messageBytesMax))\"}}"
        #expect(found(text) == nil)
    }

    /// The names of an object are those that the generated code writes, whatever their number and type.
    @Test func knownNames_areThoseOfTheSchema() {
        #expect(KnownNames.inside(Array("{\"place\":{}}".utf8)) == ["object", "pose", "text", "data", "realms"])
        #expect(
            KnownNames.inside(Array("{\"position\":{}}".utf8))
                == ["lat", "lon", "h", "accuracy", "heading", "speed", "deviceTime", "quaternion"])
        #expect(KnownNames.inside(Array("{\"place\":{\"pose\":{\"geopose\":{}}}}".utf8)) == ["position", "quaternion"])
        #expect(KnownNames.inside(Array("{\"nothing\":{}}".utf8)) == [])
    }

    @Test func topOfTheMessage_hasEnvelopeAndBodies() {
        let names = KnownNames.inside(Array("{}".utf8))
        #expect(names.prefix(3) == ["id", "key", "hello"] && names.contains("signOut"))
    }

    // MARK: With a refusal

    @Test func refusalForAReason_tellsTheNameToo() throws {
        let name = try #require(found("{\"place\":{\"objct\":1}}"))
        let told = name.explain(Refusal(.missingField, "object is missing", details: ["field": "object"]))
        #expect(told.code == .missingField)
        let place = ["line": "1", "column": "11", "name": "place.objct", "nearest": "object"]
        #expect(told.details == place.merging(["field": "object"]) { one, _ in one })
        #expect(
            told.message
                == "object is missing; line 1, column 11: there is no \"place.objct\", did you mean \"object\"?")
    }

    @Test func refusalThatAsksForPatience_staysAsItIs() throws {
        let name = try #require(found("{\"place\":{\"objct\":1}}"))
        let refusal = Refusal(.rateLimited, retryAfter: .seconds(1))
        #expect(name.explain(refusal) == refusal)
        #expect(name.explain(Refusal(.internal)) == Refusal(.internal))
    }

    @Test func nameThatIsToldAlready_getsItsPlaceAlone() throws {
        let name = try #require(found("{\"plcae\":{}}"))
        let refusal = Refusal(.unknownType, "there is no \"plcae\"", details: ["name": "plcae", "nearest": "place"])
        let told = name.explain(refusal)
        #expect(told.message == refusal.message)
        #expect(told.details == ["name": "plcae", "nearest": "place", "line": "1", "column": "2"])
    }

    // MARK: In the envelope

    private func envelope(_ text: String) throws -> ClientEnvelope {
        try ClientEnvelopeDecoder.decode(Array(text.utf8), format: .json)
    }

    @Test func unknownNames_areIgnored_atEveryLevel() throws {
        let plain = try envelope("{\"id\":1,\"key\":\"k\",\"place\":{\"object\":\"a\",\"pose\":{\"scale\":2}}}")
        let strange = try envelope(
            "{\"id\":1,\"x\":[{}],\"key\":\"k\",\"place\":{\"object\":\"a\",\"y\":{},\"pose\":{\"scale\":2,\"z\":0}}}")
        #expect(strange.payload == plain.payload && strange.id == 1 && strange.field == plain.field)
        #expect(plain.puzzling == nil && strange.puzzling != nil)
    }

    @Test func wordOfAnEnumerationThatIsNotKnown_isIgnored() throws {
        let envelope = try envelope("{\"id\":1,\"hello\":{\"version\":1,\"deviceClass\":\"WATCH\"}}")
        #expect(envelope.field == 10 && envelope.payload == [8, 1])
    }

    @Test func longMessageWithAnUnknownName_isNotKept() throws {
        let long = String(repeating: "x", count: JSONUnknownName.messageBytesMax)
        #expect(try envelope("{\"id\":1,\"y\":\"\(long)\",\"select\":{}}").puzzling == nil)
    }
}

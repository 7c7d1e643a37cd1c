import CairnWire
import Testing

@Suite struct BinaryEnvelopeTests {
    private func decode(_ bytes: [UInt8]...) throws(BadMessage) -> ClientEnvelope {
        try ClientEnvelopeDecoder.decode(Array(bytes.joined()), format: .proto)
    }

    private func failure(_ bytes: [UInt8]...) -> BadMessage? {
        do throws(BadMessage) {
            _ = try ClientEnvelopeDecoder.decode(Array(bytes.joined()), format: .proto)
            return nil
        } catch {
            return error
        }
    }

    @Test func nothing_isAnEnvelopeWithoutBody() throws {
        #expect(try decode() == ClientEnvelope())
    }

    @Test func unknownFields_areSkipped_whateverTheirType() throws {
        let envelope = try decode(
            Field.varint(3, .max), Field.varint(1, 7), Field.bytes(4, [1, 2, 3]), Field.encoded(5 << 3 | 1),
            [UInt8](repeating: 9, count: 8), Field.encoded(6 << 3 | 5), [UInt8](repeating: 9, count: 4),
            Field.group(7, Field.varint(1, 99) + Field.group(2, Field.text(3, "x"))), Field.text(2, "k"),
            Field.bytes(20, [8]), Field.varint(9, 1))
        #expect(envelope == ClientEnvelope(id: 7, key: "k", field: 20, payload: [8]))
    }

    @Test func unknownFieldsOfABody_areNotKept() throws {
        var pose = WirePose()
        pose.scale = 2
        let plain = WireBody.encode(pose)
        // Field 1000, 60 KB.
        pose = try WireBody.decode(from: plain + [0xC2, 0x3E, 0xE0, 0xD4, 0x03] + [UInt8](repeating: 7, count: 60_000))
        #expect(WireBody.encode(pose) == plain)
    }

    @Test func unknownKind_keepsItsNumber_forTheRefusal() throws {
        #expect(
            try decode(Field.varint(1, 7), Field.bytes(9_999, [1])) == ClientEnvelope(id: 7, field: 9_999, payload: [1])
        )
    }

    @Test func ofSeveralBodies_theLastCounts() throws {
        #expect(try decode(Field.bytes(20, [1]), Field.bytes(21, [2])) == ClientEnvelope(field: 21, payload: [2]))
        // A member that comes back after another starts afresh.
        let back = try decode(Field.bytes(20, [1]), Field.bytes(21, [2]), Field.bytes(20, [3]))
        #expect(back == ClientEnvelope(field: 20, payload: [3]))
    }

    @Test func bodyInPieces_isMerged() throws {
        let pieces = try decode(
            Field.bytes(11, [1]), Field.varint(1, 5), Field.bytes(11, []), Field.group(4, Field.bytes(11, [9])),
            Field.bytes(11, [2, 3]))
        #expect(pieces == ClientEnvelope(id: 5, field: 11, payload: [1, 2, 3]))
    }

    @Test func mergedBody_isWhatProtobufMakesOfIt() throws {
        let first = Field.text(1, "preset:heart"), second = Field.text(1, "preset:arrow") + Field.bytes(2, [])
        let envelope = try decode(Field.bytes(20, first), Field.bytes(20, second))
        var body = WireClientMessage().place
        body = try WireBody.decode(from: envelope.payload)
        #expect(body.object == "preset:arrow")
        #expect(body.hasPose)
    }

    @Test func knownFieldOfAnotherType_isSkipped() throws {
        #expect(try decode(Field.bytes(1, [7]), Field.varint(2, 1), Field.varint(20, 1)) == ClientEnvelope())
    }

    @Test func everyCutOfAMessage_isReadOrRefused_neverMore() throws {
        for golden in Golden.client {
            for count in 0..<golden.binary.count {
                let envelope = try? ClientEnvelopeDecoder.decode(Array(golden.binary[..<count]), format: .proto)
                // The body is the last field, so nothing but the whole message has it.
                #expect(envelope == nil || envelope?.field == 0)
            }
        }
    }

    @Test func fault_isRefusedAsBadMessage_withTheIDThatCameBefore() throws {
        let start = Field.varint(1, 4_711)
        let faults: [[UInt8]] = [
            Field.encoded(20 << 3 | 2) + Field.encoded(1 << 40),  // longer than there is
            Field.encoded(20 << 3 | 2) + Field.encoded(.max),
            Field.encoded(20 << 3 | 2),  // no length
            [UInt8](repeating: 0xFF, count: 11),  // a number without end
            [0],  // field 0
            Field.encoded(5 << 3 | 6), Field.encoded(5 << 3 | 7),  // no such type
            Field.encoded(1 << 40),  // no such field
            Field.encoded(5 << 3 | 1) + [1, 2, 3], Field.encoded(5 << 3 | 5) + [1],  // cut short
            Field.encoded(5 << 3 | 4), Field.encoded(5 << 3 | 3),  // half a group
            Field.encoded(5 << 3 | 3) + Field.encoded(6 << 3 | 4),
            Field.bytes(2, [0xC0, 0x80]), Field.bytes(2, [0xED, 0xA0, 0x80]), Field.bytes(2, [0xF5]),  // no UTF-8
        ]
        for fault in faults {
            let failure = failure(start, fault)
            #expect(failure?.id == 4_711, "\(fault.hex)")
            #expect(failure?.refusal.code == .badMessage, "\(fault.hex)")
            #expect(failure?.refusal.message.isEmpty == false)
        }
    }

    @Test func groupsWithoutEnd_areRefused_notFollowed() {
        let opening = Field.encoded(5 << 3 | 3)
        #expect(failure(Array(repeatElement(opening, count: 65_536).joined()))?.refusal.code == .badMessage)
    }

    @Test func keyOverItsLimit_isRefusedByName() throws {
        let longest = String(repeating: "k", count: ClientEnvelope.keyBytesMax)
        #expect(try decode(Field.text(2, longest)).key == longest)
        let failure = failure(Field.varint(1, 3), Field.text(2, longest + "k"))
        #expect(failure?.id == 3)
        #expect(failure?.refusal.code == .invalidField)
        #expect(failure?.refusal.details == ["field": "key", "limit": "64"])
    }

    @Test func bodyThatIsNone_isRefusedWhereItIsRead() throws {
        let envelope = try decode(Field.bytes(10, [0xFF]))
        #expect(throws: Refusal.self) { try WireBody.decode(WireHello.self, from: envelope.payload) }
        do throws(Refusal) {
            _ = try WireBody.decode(WireHello.self, from: envelope.payload)
        } catch {
            #expect(error.code == .badMessage)
        }
    }
}

@Suite struct JSONEnvelopeTests {
    @Test func unknownFields_areIgnored() throws {
        let envelope = try ClientEnvelopeDecoder.decode(
            json: #"""
                {"trace":{"a":[1,{"b":null}]},"id":7,"place":{"object":"preset:heart","colour":"red"},"key":"k","v":2e9}
                """#)
        #expect(envelope.id == 7)
        #expect(envelope.key == "k")
        #expect(envelope.field == 20)
        #expect(envelope.payload == Field.text(1, "preset:heart"))
    }

    @Test func unknownKind_keepsTheID() throws {
        var expected = ClientEnvelope(id: 7)
        expected.unknownName = "teleport"
        let json = #"{"id":7,"teleport":{"x":1}}"#
        expected.puzzling = Array(json.utf8)
        #expect(try ClientEnvelopeDecoder.decode(json: json) == expected)
    }

    @Test func unknownEnumValue_isIgnored() throws {
        let envelope = try ClientEnvelopeDecoder.decode(
            json: #"{"hello":{"version":1,"deviceClass":"DEVICE_CLASS_HUGE"}}"#)
        #expect(envelope.payload == Field.varint(1, 1))
    }

    @Test func names_mayBeWrittenAsInTheSchema() throws {
        let camel = try ClientEnvelopeDecoder.decode(json: #"{"signOut":{}}"#)
        let snake = try ClientEnvelopeDecoder.decode(json: #"{"sign_out":{}}"#)
        #expect(camel == snake)
        #expect(camel.field == 13)
    }

    @Test func numbersOf64Bits_areTexts_soThatJavaScriptKeepsThem() throws {
        let largest = #"{"hello":{"cursors":[{"epoch":"18446744073709551615","sequence":"9007199254740993"}]}}"#
        let envelope = try ClientEnvelopeDecoder.decode(json: largest)
        let hello = try WireBody.decode(WireHello.self, from: envelope.payload)
        #expect(hello.cursors[0].epoch == .max)
        #expect(hello.cursors[0].sequence == 9_007_199_254_740_993)

        var message = WireClientMessage()
        message.hello = hello
        #expect(String(decoding: ClientMessageEncoder.encode(message, format: .json), as: UTF8.self) == largest)
    }

    @Test func keyOverItsLimit_isRefusedByName() {
        let key = String(repeating: "k", count: ClientEnvelope.keyBytesMax + 1)
        #expect(
            throws: BadMessage(
                id: 3,
                refusal: Refusal(
                    .invalidField, "The idempotency key is longer than 64 bytes.", component: "wire",
                    details: ["field": "key", "limit": "64"]))
        ) { try ClientEnvelopeDecoder.decode(json: #"{"id":3,"key":"\#(key)"}"#) }
    }

    @Test(arguments: [
        #"{"id":7,"place":{"object":5}}"#, #"{"id":"7","place":[]}"#, #"{"place":{"object":{}},"id" : "7"}"#,
        #"{"\u0069d":7,"place":{"#, #"{"id":7,"place":{}} x"#, #"{"id":7,"place":{},"edit":{}}"#, #"{"id":7"#,
        #"{"other":{"id":9},"id":7,"key":1}"#, #"{"note":"\"id\":9,","id":7,]"#,
    ])
    func fault_isRefusedAsBadMessage_withTheID(_ json: String) {
        do throws(BadMessage) {
            let envelope = try ClientEnvelopeDecoder.decode(json: json)
            Issue.record("read as \(envelope)")
        } catch {
            #expect(error.id == 7)
            #expect(error.refusal.code == .badMessage)
        }
    }

    @Test(arguments: [
        "", " ", "null", "[]", "7", #""id""#, "{", #"{"id":-1}"#, #"{"id":4294967296}"#, #"{"id":1.5}"#, "\u{FEFF}{}",
    ])
    func noObjectOrNoID_isRefusedWithoutID(_ json: String) {
        do throws(BadMessage) {
            let envelope = try ClientEnvelopeDecoder.decode(json: json)
            Issue.record("read as \(envelope)")
        } catch {
            #expect(error.refusal.code == .badMessage)
        }
    }
}

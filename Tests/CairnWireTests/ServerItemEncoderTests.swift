import CairnWire
import Testing

@Suite struct ServerItemEncoderTests {
    private func items() throws -> [WireItem] {
        try Golden.server.flatMap { try ServerMessageDecoder.decode($0.binary, format: .proto).items }
    }

    @Test(arguments: WireFormat.allCases)
    func itemsOneAfterAnother_areOneServerMessage(_ format: WireFormat) throws {
        let items = try items()
        let encoded = items.map { ServerItemEncoder.encode($0, format: format) }
        let message = ServerItemEncoder.message(encoded, format: format)
        #expect(try ServerMessageDecoder.decode(message, format: format).items == items)
        #expect(items.count > 10)
    }

    @Test(arguments: WireFormat.allCases)
    func oneItem_andNone_areServerMessagesToo(_ format: WireFormat) throws {
        let item = try #require(try items().first)
        let one = ServerItemEncoder.message([ServerItemEncoder.encode(item, format: format)], format: format)
        #expect(try ServerMessageDecoder.decode(one, format: format).items == [item])
        let none = ServerItemEncoder.message([], format: format)
        #expect(try ServerMessageDecoder.decode(none, format: format).items.isEmpty)
    }

    @Test(arguments: [
        0, 1, 100, 121, 122, 123, 124, 125, 126, 127, 128, 129, 16_370, 16_380, 16_384, 16_390, 100_000, 2_200_000,
    ])
    func itemOfAnyLength_hasTheRightFrame(_ count: Int) throws {
        var item = WireItem()
        item.resync.topic = String(repeating: "t", count: count)
        let encoded = ServerItemEncoder.encode(item, format: .proto)
        #expect(try ServerMessageDecoder.decode(encoded, format: .proto).items == [item])

        var whole = WireServerMessage()
        whole.items = [item]
        #expect(encoded == WireBody.encode(whole))
    }

    @Test func fieldsOfANewerServer_areIgnoredByTheClient() throws {
        let json = #"{"items":[{"hologram":{"x":1}},{"resync":{"topic":"4cc91a44d","why":"slow"}}],"load":0.5}"#
        let read = try ServerMessageDecoder.decode(Array(json.utf8), format: .json)
        #expect(read.items.count == 2)
        #expect(read.items[0].body == nil)
        #expect(read.items[1].resync.topic == "4cc91a44d")

        let binary =
            Field.bytes(1, Field.bytes(99, [1])) + Field.bytes(1, Field.bytes(6, Field.text(1, "t")))
            + Field.varint(7, 1)
        #expect(try ServerMessageDecoder.decode(binary, format: .proto).items[1].resync.topic == "t")
    }

    @Test func equalItems_areEqualBytes_whateverTheOrderOfTheirDetails() {
        let names = (0..<20).map { "n\($0)" }
        func item(_ names: [String]) -> WireItem {
            var item = WireItem()
            var details: [String: String] = [:]
            for name in names { details[name] = name }
            item.reply.refusal = Refusal(.quotaArea, details: details).wire(correlation: "c")
            return item
        }
        for format in WireFormat.allCases {
            let forward = ServerItemEncoder.encode(item(names), format: format)
            #expect(ServerItemEncoder.encode(item(names.reversed()), format: format) == forward)
        }
    }

    @Test func subprotocolNames_standForTheirFormats() {
        for format in WireFormat.allCases { #expect(WireFormat(subprotocol: format.subprotocol) == format) }
        #expect(WireFormat.proto.subprotocol == "cairn.v1.proto")
        #expect(WireFormat.json.subprotocol == "cairn.v1.json")
        #expect(WireFormat(subprotocol: "cairn.v2.proto") == nil)
        #expect(WireFormat(subprotocol: "Cairn.v1.proto") == nil)
    }

    @Test func messageKinds_areEqualByNumber() {
        #expect(MessageKind(field: 20, name: "place") == MessageKind(field: 20, name: "put"))
        #expect(MessageKind(field: 20, name: "place") != MessageKind(field: 21, name: "place"))
        #expect(Set([MessageKind(field: 20, name: "place"), MessageKind(field: 20, name: "put")]).count == 1)
    }
}

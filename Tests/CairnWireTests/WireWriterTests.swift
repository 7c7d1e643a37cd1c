import CairnWire
import SwiftProtobuf
import Testing

/// What we write is what SwiftProtobuf would write, byte for byte.
@Suite struct WireWriterTests {
    private static func isAlike(_ message: some SwiftProtobuf.Message) throws -> Bool {
        var options = BinaryEncodingOptions()
        options.useDeterministicOrdering = true
        return WireBody.encode(message) == (try message.serializedBytes(options: options) as [UInt8])
    }

    @Test(arguments: Golden.client)
    func everyClientMessage_isTheSameBytes(_ golden: Golden) throws {
        let message = try WireBody.decode(WireClientMessage.self, from: golden.binary)
        #expect(try Self.isAlike(message))
        #expect(!golden.binary.isEmpty)
    }

    @Test(arguments: Golden.server)
    func everyServerMessage_isTheSameBytes(_ golden: Golden) throws {
        #expect(try Self.isAlike(try ServerMessageDecoder.decode(golden.binary, format: .proto)))
    }

    @Test(arguments: [0, 1, 126, 127, 128, 129, 16_383, 16_384, 2_097_151, 2_097_152])
    func lengthOfANestedMessage_isTheSame_howeverManyBytesItTakes(_ count: Int) throws {
        var value = Google_Protobuf_Value()
        value.stringValue = String(repeating: "ä", count: count / 2) + (count % 2 == 1 ? "a" : "")
        var list = Google_Protobuf_ListValue()
        list.values = [value, Google_Protobuf_Value(), value]
        #expect(try Self.isAlike(list))
    }

    @Test func maps_standInTheOrderOfTheirKeys() throws {
        var map = Google_Protobuf_Struct()
        for number in 0..<100 { map.fields["key \(number)"] = Google_Protobuf_Value(numberValue: Double(number)) }
        #expect(try Self.isAlike(map))
    }

    @Test(arguments: [Int64.min, -1, 0, 1, 127, 128, .max])
    func numbers_areTheSame(_ number: Int64) throws {
        #expect(try Self.isAlike(Google_Protobuf_Int64Value(number)))
        #expect(try Self.isAlike(Google_Protobuf_Int32Value(Int32(truncatingIfNeeded: number))))
        #expect(try Self.isAlike(Google_Protobuf_UInt64Value(UInt64(bitPattern: number))))
        #expect(try Self.isAlike(Google_Protobuf_UInt32Value(UInt32(truncatingIfNeeded: number))))
        #expect(try Self.isAlike(Google_Protobuf_DoubleValue(Double(number) / 3)))
        #expect(try Self.isAlike(Google_Protobuf_FloatValue(Float(number) / 3)))
        #expect(try Self.isAlike(Google_Protobuf_BoolValue(number > 0)))
        var location = Google_Protobuf_SourceCodeInfo.Location()
        location.path = [Int32(truncatingIfNeeded: number), 1, 300]
        #expect(try Self.isAlike(location), "packed")
    }

    @Test func fieldsThatWeDoNotKnow_areKept() throws {
        let bytes = Field.varint(99, 7) + Field.text(98, "new")
        let message = try Google_Protobuf_Empty(serializedBytes: bytes)
        #expect(WireBody.encode(message) == bytes)
    }
}

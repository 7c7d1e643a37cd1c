import CairnWire
import Foundation
import Testing

@Suite struct GoldenTests {
    @Test(arguments: Golden.client)
    func clientMessage_fromJSON_isTheGoldenBytes(_ golden: Golden) throws {
        let envelope = try ClientEnvelopeDecoder.decode(Array(golden.json.utf8), format: .json)
        let expected = try ClientEnvelopeDecoder.decode(golden.binary, format: .proto)
        #expect(envelope == expected)
        #expect(envelope.field == Schema.number(of: golden.name, in: "ClientMessage"))

        let message = try WireBody.decode(WireClientMessage.self, from: golden.binary)
        #expect(ClientMessageEncoder.encode(message, format: .proto).hex == golden.binary.hex)
    }

    @Test(arguments: Golden.client)
    func clientMessage_fromTheGoldenBytes_isTheJSON(_ golden: Golden) throws {
        let message = try WireBody.decode(WireClientMessage.self, from: golden.binary)
        #expect(
            String(decoding: ClientMessageEncoder.encode(message, format: .json), as: UTF8.self) == golden.compactJSON)
    }

    @Test(arguments: Golden.alikeInBothForms)
    func serverMessage_fromJSON_isTheGoldenBytes(_ golden: Golden) throws {
        let message = try ServerMessageDecoder.decode(Array(golden.json.utf8), format: .json)
        #expect(message.items.count == 1)
        let items = message.items.map { ServerItemEncoder.encode($0, format: .proto) }
        #expect(ServerItemEncoder.message(items, format: .proto).hex == golden.binary.hex)
    }

    @Test(arguments: Golden.alikeInBothForms)
    func serverMessage_fromTheGoldenBytes_isTheJSON(_ golden: Golden) throws {
        let message = try ServerMessageDecoder.decode(golden.binary, format: .proto)
        let items = message.items.map { ServerItemEncoder.encode($0, format: .json) }
        #expect(String(decoding: ServerItemEncoder.message(items, format: .json), as: UTF8.self) == golden.compactJSON)
    }

    @Test func presence_isTheSameInBothForms_butForPoses() throws {
        let golden = try Golden.named("presence", of: .server)
        var binary = try ServerMessageDecoder.decode(golden.binary, format: .proto)
        let json = try ServerMessageDecoder.decode(Array(golden.json.utf8), format: .json)
        let encoded = json.items.map { ServerItemEncoder.encode($0, format: .json) }
        #expect(
            String(decoding: ServerItemEncoder.message(encoded, format: .json), as: UTF8.self) == golden.compactJSON)
        let again = binary.items.map { ServerItemEncoder.encode($0, format: .proto) }
        #expect(ServerItemEncoder.message(again, format: .proto).hex == golden.binary.hex)

        let poses = binary.items[0].presence.poses
        #expect(poses.count == json.items[0].presence.livePoses.count * PoseRecord.byteCount)
        binary.items[0].presence.poses = Data()
        binary.items[0].presence.livePoses = json.items[0].presence.livePoses
        #expect(binary == json)
    }

    @Test func everyKindOfTheSchema_hasAGoldenMessage() {
        #expect(Set(Golden.client.map(\.name)) == Set(Schema.names(in: "ClientMessage")))

        let replies = Schema.names(in: "Reply").map { "reply.\($0)" }
        let events = Schema.names(in: "Event").map { "event.\($0)" }
        let items = Schema.names(in: "Item").filter { $0 != "reply" && $0 != "event" }
        #expect(Set(Golden.server.map(\.name)) == Set(replies + events + items))
    }
}

/// The members of the `oneof`s of the schema, read from the .proto files themselves.
enum Schema {
    static let oneofs: [String: [String: UInt32]] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../proto/cairn/v1").standardizedFileURL
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        var found: [String: [String: UInt32]] = [:]
        for file in files where file.pathExtension == "proto" {
            var message = "", isInOneof = false
            for line in (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n") ?? [] {
                let words = line.split { " =;".contains($0) }.map(String.init)
                if words.first == "message", words.count > 1 { message = words[1] }
                if words.first == "oneof" { isInOneof = true } else if words.first == "}" { isInOneof = false }
                if isInOneof, words.count == 3, words[0] != "oneof", let number = UInt32(words[2]) {
                    found[message, default: [:]][words[1]] = number
                }
            }
        }
        return found
    }()

    static func names(in message: String) -> [String] { oneofs[message].map { Array($0.keys) } ?? [] }
    static func number(of name: String, in message: String) -> UInt32? { oneofs[message]?[name] }
}

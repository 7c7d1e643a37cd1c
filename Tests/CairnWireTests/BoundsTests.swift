import SwiftProtobuf
import Foundation
import Testing

@testable import CairnWire

/// What the schema allows a client to send (proto/cairn/v1/bounds.proto), looked at before any text is read.
@Suite("Wire: bounds of fields")
struct BoundsTests {
    /// A letter that takes Swift 1.8 s to compare with another: marks of two classes by turns.
    private static let slowLetter = "a" + String(repeating: "\u{301}\u{323}", count: 14_500)

    private func refusal(of body: WireClientMessage.OneOf_Body, as format: WireFormat) -> Refusal? {
        var message = WireClientMessage()
        message.id = 7
        message.body = body
        do throws(BadMessage) {
            _ = try ClientEnvelopeDecoder.decode(ClientMessageEncoder.encode(message, format: format), format: format)
            return nil
        } catch {
            #expect(error.id == 7)
            return error.refusal
        }
    }

    private func expect(
        _ body: WireClientMessage.OneOf_Body, isRefusedFor field: String?, _ location: SourceLocation = #_sourceLocation
    ) {
        for format in [WireFormat.proto, .json] {
            let refusal = refusal(of: body, as: format)
            #expect(refusal?.details["field"] == field, "\(format)", sourceLocation: location)
            #expect(refusal == nil || refusal?.code == .invalidField, sourceLocation: location)
        }
    }

    private func place(_ change: (inout WirePlace) -> Void) -> WireClientMessage.OneOf_Body {
        var place = WirePlace()
        change(&place)
        return .place(place)
    }

    @Test func aTextOfAsManyBytesAsItsBound_passes() {
        for letter in ["a", "ä", "漢"] {
            let count = 1_024 / letter.utf8.count
            expect(place { $0.object = String(repeating: letter, count: count) }, isRefusedFor: nil)
            expect(place { $0.object = String(repeating: letter, count: count + 1) }, isRefusedFor: "object")
        }
    }

    @Test func bytesAndLists_haveBounds() {
        expect(place { $0.data = .init(repeating: 0, count: 65_536) }, isRefusedFor: nil)
        expect(place { $0.data = .init(repeating: 0, count: 65_537) }, isRefusedFor: "data")
        expect(place { $0.realms = .init(repeating: "r", count: 64) }, isRefusedFor: nil)
        expect(place { $0.realms = .init(repeating: "r", count: 65) }, isRefusedFor: "realms")
        expect(place { $0.realms = [.init(repeating: "r", count: 1_025)] }, isRefusedFor: "realms")
    }

    private func fault(_ body: UInt32, _ bytes: [UInt8]) -> OversizedField? {
        bytes.withUnsafeBytes { bytes -> OversizedField? in
            do throws(OversizedField) {
                try MessageShape.check(body, bytes)
                return nil
            } catch {
                return error
            }
        }
    }

    /// Protobuf merges messages that come again: each would keep to the bounds, and all together would not.
    @Test func aMessageThatComesTwice_isRefused() {
        let pose = Field.bytes(2, [])
        #expect(fault(Self.placeBody, pose) == nil)
        #expect(fault(Self.placeBody, pose + pose) == OversizedField(path: ["pose"], excess: .elements(1)))
        #expect(fault(Self.placeBody, pose + Field.text(1, "a") + pose)?.path == ["pose"])
    }

    /// A list of numbers may come in pieces, which are one list.
    @Test func aListInPieces_hasOneBound() {
        func anchored(_ numbers: [UInt8]) -> [UInt8] {
            Field.bytes(2, Field.bytes(Self.anchorOfPose, numbers))
        }
        let half = Field.bytes(3, .init(repeating: 0, count: 32 * 8))
        #expect(fault(Self.placeBody, anchored(half + half)) == nil)
        let more = OversizedField(path: ["pose", "anchor", "transform"], excess: .elements(64))
        #expect(fault(Self.placeBody, anchored(half + half + half)) == more)
        #expect(fault(Self.placeBody, anchored(half + half + Field.bytes(3, .init(repeating: 0, count: 8)))) == more)
    }

    private static let placeBody: UInt32 = 20
    private static let anchorOfPose: UInt64 = 4

    @Test func whatIsInAnother_isNamedByItsPath() {
        expect(place { $0.pose.anchor.id = .init(repeating: "x", count: 1_025) }, isRefusedFor: "pose.anchor.id")
        expect(place { $0.pose.anchor.transform = .init(repeating: 1, count: 64) }, isRefusedFor: nil)
        expect(
            place { $0.pose.anchor.transform = .init(repeating: 1, count: 65) }, isRefusedFor: "pose.anchor.transform")
    }

    @Test func marksInARow_areRefused_wherePeopleWrite() {
        expect(place { $0.text = "Z" + String(repeating: "\u{301}", count: 30) }, isRefusedFor: nil)
        expect(place { $0.text = "Z" + String(repeating: "\u{301}", count: 31) }, isRefusedFor: "text")
        expect(place { $0.text = Self.slowLetter }, isRefusedFor: "text")
        // Bytes are no text.
        expect(place { $0.data = .init(Self.slowLetter.utf8) }, isRefusedFor: nil)
    }

    /// The letter in every text that a client can send, at the place where the schema has it.
    @Test func theSlowLetter_isRefusedInEveryText() throws {
        var texts = 0
        for (body, place) in MessageShape.bodies.sorted(by: { $0.key < $1.key }) {
            for path in Self.texts(in: MessageShape.all[place]) {
                var bytes = Array(Self.slowLetter.utf8)
                for number in path.reversed() { bytes = Field.bytes(UInt64(number), bytes) }
                let fault = #expect(throws: OversizedField.self, "body \(body), fields \(path)") {
                    try bytes.withUnsafeBytes { try MessageShape.check(body, $0) }
                }
                #expect(fault?.path.count == path.count)
                texts += 1
            }
        }
        #expect(texts > 200)
    }

    private static func texts(in shape: MessageShape) -> [[UInt32]] {
        (UInt32(0)..<200).flatMap { number -> [[UInt32]] in
            guard let field = shape[number] else { return [] }
            switch field.kind {
            case .text: return [[number]]
            case .message: return texts(in: MessageShape.all[field.most]).map { [number] + $0 }
            case .bytes, .numbers: return []
            }
        }
    }

    @Test(arguments: 0..<200)
    func anyBytes_areCheckedWithoutATrap(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for (body, _) in MessageShape.bodies {
            let bytes = (0..<Int.random(in: 0...64, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            bytes.withUnsafeBytes { try? MessageShape.check(body, $0) }
        }
    }
}

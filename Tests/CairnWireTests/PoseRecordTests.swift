import CairnWire
import Foundation
import Testing

@Suite struct PoseRecordTests {
    @Test func record_isFourteenBytes_littleEndian_inTheOrderOfTheProtocol() {
        var bytes: [UInt8] = [0xEE]
        PoseRecord(slot: 0x0201, east: 0x0403, north: 0x0605, up: -2, orientation: 0x0A09_0807, age: 11, accuracy: 12)
            .append(to: &bytes)
        #expect(bytes == [0xEE, 1, 2, 3, 4, 5, 6, 0xFE, 0xFF, 7, 8, 9, 10, 11, 12])
        #expect(PoseRecord.byteCount == 14)
    }

    @Test func records_comeBack_oneAfterAnother() {
        var generator = SeededGenerator(seed: 3)
        let records = (0..<500).map { _ in
            PoseRecord(
                slot: .random(in: .min ... .max, using: &generator),
                east: .random(in: .min ... .max, using: &generator),
                north: .random(in: .min ... .max, using: &generator), up: .random(in: .min ... .max, using: &generator),
                orientation: .random(in: .min ... .max, using: &generator),
                age: .random(in: .min ... .max, using: &generator),
                accuracy: .random(in: .min ... .max, using: &generator))
        }
        var bytes: [UInt8] = []
        for record in records { record.append(to: &bytes) }
        #expect(bytes.count == records.count * PoseRecord.byteCount)
        let read = bytes.withUnsafeBytes { buffer in
            records.indices.map { PoseRecord.read(from: buffer, at: $0 * PoseRecord.byteCount) }
        }
        #expect(read == records)
    }

    @Test(arguments: [-1, 1, 14, 15, Int.max, Int.min])
    func recordThatIsNotAllThere_isNone(_ offset: Int) {
        let bytes = [UInt8](repeating: 0, count: PoseRecord.byteCount)
        #expect(bytes.withUnsafeBytes { PoseRecord.read(from: $0, at: offset) } == nil)
        #expect(
            [1, 2].withUnsafeBytes { PoseRecord.read(from: UnsafeRawBufferPointer(rebasing: $0[..<3]), at: 0) } == nil)
    }

    @Test func goldenPresence_isTheExampleOfTheDocumentation() throws {
        let golden = try Golden.named("presence", of: .server)
        let presence = try ServerMessageDecoder.decode(golden.binary, format: .proto).items[0].presence
        let first = presence.poses.withUnsafeBytes { PoseRecord.read(from: $0, at: 0) }
        // Turned left by a right angle: z = w = sqrt(1/2).
        let turnedLeft: UInt32 = 3 << 30 | 511 << 20 | 511 << 10 | 1_022
        #expect(
            first
                == PoseRecord(slot: 0, east: 1_203, north: -458, up: 150, orientation: turnedLeft, age: 12, accuracy: 9)
        )
        #expect(presence.poses.count == 2 * PoseRecord.byteCount)
    }
}

import CairnGeo
import CairnTesting
import CairnWire
import Foundation
import Testing

@testable import CairnCore

/// Poses for JSON readers: the numbers of a record, with no further precision.
@Suite struct PresenceNumbersTests {
    private let board = PresenceBoard(cell: Ground.here.cell, countHiddenBelow: 3)

    private func record(
        slot: UInt16 = 9, orientation: UInt32 = Quaternion.identity.packed, age: UInt8 = 25, accuracy: UInt8 = 9
    ) -> PoseRecord {
        PoseRecord(
            slot: slot, east: 1_000, north: -500, up: 150, orientation: orientation, age: age, accuracy: accuracy)
    }

    private func told(_ record: PoseRecord) throws -> WireLivePose {
        var batch = board.batch(people: 3)
        batch.baseHeight = 40
        batch.step = board.frame.stepMillimetres
        var bytes: [UInt8] = []
        record.append(to: &bytes)
        batch.poses = Data(bytes)
        return try #require(board.item(batch, for: .json).presence.livePoses.first)
    }

    @Test func exactPose_isSentWhole() throws {
        let turned = Quaternion.yaw(compassHeadingDegrees: 0)
        let pose = try told(record(orientation: turned.packed))
        let step = Double(board.frame.stepMillimetres) / 1_000
        let (east, north) = LocalPlane(origin: Ground.here.cell.centre)
            .metres(of: try #require(Coordinate(latitude: pose.lat, longitude: pose.lon)))
        #expect(pose.slot == 9)
        #expect(abs(east - 1_000 * step) < 0.001 && abs(north + 500 * step) < 0.001)
        #expect(abs(pose.h - 40 - 150 * step) < 0.001)
        let back = Quaternion(x: pose.quaternion.x, y: pose.quaternion.y, z: pose.quaternion.z, w: pose.quaternion.w)
        #expect(back.angleRadians(to: turned) < Quaternion.packedErrorMaxRadians)
        #expect(pose.age == 100 && pose.accuracy == 4.5)
    }

    @Test func poseOfASquare_isItsMiddleAndNothingElse() throws {
        let sample = PoseSample.make(heightMetres: 12, accuracyMetres: 3)
        let rough = try told(board.frame.roughRecord(of: sample, slot: 9))
        #expect(!rough.hasH && !rough.hasQuaternion && !rough.hasAge && !rough.hasAccuracy)
        #expect(rough.hasLat && rough.hasLon)
    }

    @Test func unknownAccuracy_isAbsent() throws {
        #expect(try !told(record(accuracy: PoseRecord.accuracyUnknown)).hasAccuracy)
    }

    @Test func greatestAgeOfAnExactPose_isThatOrMore() throws {
        #expect(try told(record(age: .max)).age == 1_020)
    }

    @Test func binaryItem_isTheBatchAsItWas() throws {
        var board = board
        board.enter(.make(1), as: PresenceBoard.Person(id: "ada", name: "Ada", gridMetres: 0), at: .make())
        let batch = board.takeBatch(now: 0)
        #expect(batch.poses.count == PoseRecord.byteCount)
        #expect(board.item(batch, for: .proto).presence == batch)
        let json = board.item(batch, for: .json).presence
        #expect(json.poses.isEmpty && json.livePoses.count == 1 && json.joined == batch.joined)
    }

    @Test func goldenBatch_inNumbers_isTheGoldenJSON() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../CairnWireTests/Golden/server")
        let digits = try String(contentsOf: folder.appending(path: "presence.hex"), encoding: .utf8)
            .compactMap(\.hexDigitValue)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        let batch = try #require(ServerMessageDecoder.decode(bytes, format: .proto).items.first).presence
        let json = try Data(contentsOf: folder.appending(path: "presence.json"))
        let expected = try #require(ServerMessageDecoder.decode([UInt8](json), format: .json).items.first).presence
        let board = PresenceBoard(cell: try #require(CellID(token: batch.cell)), countHiddenBelow: 3)
        #expect(board.item(batch, for: .json).presence == expected)
    }
}

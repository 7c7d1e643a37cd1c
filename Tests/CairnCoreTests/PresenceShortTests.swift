import CairnGeo
import CairnTesting
import CairnTime
import CairnWire
import Foundation
import Testing

@testable import CairnCore

/// The short form of batches of poses, for clients that asked for it.
@Suite("PresenceBoard: short batches")
struct PresenceShortTests {
    private var board = PresenceBoard(cell: Ground.here.cell, countHiddenBelow: 3)

    private init() {
        for number: UInt64 in 0..<16 {
            let person = PresenceBoard.Person(id: "\(number)", name: "\(number)", gridMetres: 0)
            board.enter(.make(number), as: person, at: .make(at: Ground.here.centre, heightMetres: 10))
        }
    }

    private mutating func move(_ count: UInt64, heightMetres: Double = 10, at time: MonotonicTime) -> WirePresence {
        for number in 0..<count {
            board.move(
                .make(number),
                to: .make(
                    at: Ground.here.at(east: Double(time.microseconds % 50)), heightMetres: heightMetres, when: time))
        }
        return board.takeBatch(now: time)
    }

    @Test mutating func batchOfMoreThanPoses_hasNoShortForm() {
        let batch = board.takeBatch(now: 0)
        #expect(!batch.joined.isEmpty && board.short(batch, withBase: true) == nil)
        #expect(board.short(board.keyframe(now: 0), withBase: true) == nil)
        board.leave(.make(1))
        #expect(board.short(board.takeBatch(now: 0), withBase: true) == nil)
    }

    /// Bytes of a WebSocket message of one batch, its head included.
    @Test(arguments: [(1, 26), (2, 26), (3, 20), (7, 20), (8, 16), (16, 16)])
    mutating func pose_takesFewBytes(count: Int, bytesMax: Int) throws {
        _ = board.takeBatch(now: 0)
        let batch = move(UInt64(count), at: 1)
        let short = try #require(board.short(batch, withBase: board.isBaseNew))
        let message = ServerItemEncoder.encode(board.item(short, for: .proto), format: .proto).count
        let head = message < 126 ? 2 : 4
        #expect(message + head <= bytesMax * count, "\(message) bytes")
    }

    @Test mutating func baseHeight_isToldWhenSomebodyMayNotKnowIt() {
        _ = board.takeBatch(now: 0)
        #expect(board.isBaseNew)
        _ = move(16, at: 1)
        #expect(!board.isBaseNew)
        _ = move(16, heightMetres: 300, at: 2)
        #expect(board.isBaseNew)
        _ = move(16, heightMetres: 300, at: 3)
        #expect(!board.isBaseNew)
    }

    /// Who comes between two batches goes by the base height of the others.
    @Test mutating func keyframe_leavesTheBaseHeightAlone() {
        _ = board.takeBatch(now: 0)
        for number: UInt64 in 0..<16 {
            board.move(.make(number), to: .make(at: Ground.here.centre, heightMetres: 200, when: 1))
        }
        #expect(board.keyframe(now: 1).baseHeight == 10)
        #expect(board.takeBatch(now: 1).baseHeight == 200 && board.isBaseNew)
        #expect(board.keyframe(now: 1).baseHeight == 200)
    }
}

import CairnGeo
import CairnTesting
import CairnWire
import Foundation
import Testing

@testable import CairnCore

/// A cell with more people than everybody can be told of (SES-8).
@Suite("PresenceBoard: crowds")
struct PresenceCrowdTests {
    private static let people: UInt64 = 200
    /// Poses that each may be told in a batch.
    private static let budget = 16
    private static let second: UInt64 = 1_000_000

    private var board = PresenceBoard(cell: Ground.here.cell, countHiddenBelow: 3)

    /// Everybody where they begin, and already told so.
    private init() {
        for number in 0..<Self.people {
            let person = PresenceBoard.Person(id: "\(number)", name: "\(number)", gridMetres: 0)
            board.enter(.make(number), as: person, at: .make(at: Self.place(of: number)))
        }
        _ = board.takeBatch(now: 0)
    }

    /// In a row through the cell, so that there are many blocks.
    private static func place(of number: UInt64, step: Double = 0) -> Coordinate {
        Ground.here.at(east: Double(number) * 0.4 - 40 + step, north: step)
    }

    private mutating func everybodyMoves(at time: UInt64) {
        for number in 0..<Self.people {
            board.move(.make(number), to: .make(at: Self.place(of: number, step: 0.5), when: time))
        }
    }

    private mutating func batch(at time: UInt64) -> CrowdBatch {
        board.takeCrowdBatch(now: time, bytesMax: Self.budget * PoseRecord.byteCount)
    }

    /// Groups that somebody is in.
    private var groups: Set<Int> { Set((0..<Self.people).map { Int(board.group(of: .make($0))) }) }

    @Test mutating func nobody_isToldMoreThanFits() {
        everybodyMoves(at: Self.second)
        let batch = batch(at: Self.second)
        #expect(batch.thinned > 0)
        for group in groups { #expect(batch.poses[group]?.poseRecords.count == Self.budget) }
    }

    @Test mutating func whoMovesOn_isToldByTheNextMoves() {
        everybodyMoves(at: Self.second)
        _ = batch(at: Self.second)
        let batch = batch(at: Self.second + 75_000)
        #expect(batch.poses.allSatisfy { $0 == nil } && batch.roster == nil)
        #expect(board.isDue, "somebody has not been told of somebody")
    }

    @Test mutating func whoStands_isToldToEverybody_howeverFewFit() {
        everybodyMoves(at: Self.second)
        let first = batch(at: Self.second)
        var told = [Set<UInt16>](repeating: [], count: first.poses.count)
        for (group, presence) in first.poses.enumerated() {
            told[group].formUnion(presence?.poseRecords.map(\.slot) ?? [])
        }
        var time = 3 * Self.second
        while board.isDue, time < 60 * Self.second {
            let batch = batch(at: time)
            for group in groups {
                let records = batch.poses[group]?.poseRecords ?? []
                #expect(records.count <= Self.budget)
                told[group].formUnion(records.map(\.slot))
            }
            time += 75_000
        }
        #expect(!board.isDue)
        for group in groups { #expect(told[group].count == Int(Self.people), "group \(group)") }
    }

    @Test mutating func whoLeaves_isOwedToNobody() {
        everybodyMoves(at: Self.second)
        _ = batch(at: Self.second)
        for number in 0..<Self.people { board.leave(.make(number)) }
        _ = batch(at: 2 * Self.second)
        #expect(!board.isDue)
    }

    @Test mutating func whenTheCrowdIsOver_everybodyIsToldWhatTheyWereSpared() {
        everybodyMoves(at: Self.second)
        _ = batch(at: Self.second)
        #expect(board.takeBatch(now: 2 * Self.second).poseRecords.count == Int(Self.people))
        #expect(!board.isDue)
    }
}

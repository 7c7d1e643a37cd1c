import CairnGeo
import CairnTesting
import CairnTime
import CairnWire
import Foundation
import Testing

@testable import CairnCore

/// A cell with more people than can be sent to every receiver in full (SES-8).
@Suite("PresenceBoard: crowds")
struct PresenceCrowdTests {
    private static let people: UInt64 = 200
    /// Poses that each receiver may get in a batch.
    private static let budget = 16
    private static let second: MonotonicTime = 1_000_000

    private var board = PresenceBoard(cell: Ground.here.cell, countHiddenBelow: 3)

    /// All people at their first places, which have been sent already.
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

    private mutating func everybodyMoves(at time: MonotonicTime) {
        for number in 0..<Self.people {
            board.move(.make(number), to: .make(at: Self.place(of: number, step: 0.5), when: time))
        }
    }

    private mutating func batch(at time: MonotonicTime) -> CrowdBatch {
        board.takeCrowdBatch(now: time, posesMax: Self.budget)
    }

    /// Groups with at least one person.
    private var groups: Set<Int> { Set((0..<Self.people).map { Int(board.group(of: .make($0))) }) }

    @Test mutating func receiver_getsNoMoreThanFits() {
        everybodyMoves(at: Self.second)
        let batch = batch(at: Self.second)
        #expect(batch.thinned > 0)
        for group in groups { #expect(batch.records(for: group).count == Self.budget) }
    }

    /// However many people are in one block, none of them is always sent last because of the place in a list.
    @Test mutating func blockThatDoesNotFit_isSentInTurns_andMoreOfItThanOfOthers() {
        var board = PresenceBoard(cell: Ground.here.cell, countHiddenBelow: 3)
        let near: UInt64 = 60
        for number in 0..<2 * near {
            let place = Ground.here.at(east: number < near ? 0 : 40, north: 0)
            board.enter(
                .make(number), as: PresenceBoard.Person(id: "\(number)", name: "\(number)", gridMetres: 0),
                at: .make(at: place))
        }
        _ = board.takeBatch(now: 0)
        let group = Int(board.group(of: .make(0)))
        #expect(group != Int(board.group(of: .make(near))))
        var told: [UInt16: Int] = [:]
        let beats = 40
        for beat in 1...beats {
            let time = MonotonicTime.epoch + .milliseconds(75 * beat)
            for number in 0..<2 * near {
                let place = Ground.here.at(east: (number < near ? 0.0 : 40) + Double(beat % 2) / 10, north: 0)
                board.move(.make(number), to: .make(at: place, when: time))
            }
            let batch = board.takeCrowdBatch(now: time, posesMax: Self.budget)
            for record in batch.records(for: group) { told[record.slot, default: 0] += 1 }
        }
        let counts = (0..<2 * Int(near)).map { told[UInt16($0), default: 0] }
        let (nearer, further) = (counts.prefix(Int(near)), counts.suffix(Int(near)))
        #expect(nearer.min()! >= nearer.max()! - 2, "\(nearer)")
        #expect(further.min()! >= further.max()! - 2, "\(further)")
        #expect(nearer.min()! > further.max()!)
    }

    /// A user who is shown in another cell still receives by the place where they stand, and is neither seen nor
    /// counted here.
    @Test mutating func watchingUser_receivesByTheirBlock_andIsCountedNowhere() {
        let (watcher, count) = (Participant.make(9_000), board.count)
        let beside = Self.place(of: 100, step: 0.5)
        #expect(board.watch(watcher, from: .make(at: beside)) == board.group(of: watcher))
        #expect(board.group(of: watcher) != CellFrame.outside)
        #expect(board.count == count && !board.isDue)
        #expect(board.watch(watcher, from: .make(at: beside)) == nil, "nothing has changed")
        everybodyMoves(at: Self.second)
        let batch = batch(at: Self.second)
        #expect(batch.records(for: Int(board.group(of: watcher))).count == Self.budget)
        // Shown here from now on, then elsewhere, then nowhere.
        let person = PresenceBoard.Person(id: "w", name: "w", gridMetres: 10)
        board.enter(watcher, as: person, at: .make(at: beside))
        #expect(board.count == count + 1)
        #expect(board.watch(watcher, from: .make(at: beside)) != nil)
        #expect(board.count == count && board.sharing == count)
        board.leave(watcher)
        #expect(board.count == count && board.group(of: watcher) == CellFrame.outside)
    }

    @Test mutating func whatFitsForAll_isOneBatch() {
        for number: UInt64 in 0..<3 {
            board.move(.make(number), to: .make(at: Self.place(of: number, step: 0.5), when: 1))
        }
        let batch = batch(at: Self.second)
        #expect(batch.batches.count == 1 && batch.thinned == 0)
        for group in groups { #expect(batch.records(for: group).count == 3) }
    }

    @Test mutating func whatDidNotFit_isSentNext_andNothingTwice() {
        everybodyMoves(at: Self.second)
        var told = groups.reduce(into: [:]) { $0[$1] = Set<UInt16>() }
        for beat in 0..<40 where board.isDue {
            let batch = batch(at: Self.second + .milliseconds(20 * beat))
            for group in groups {
                let slots = batch.records(for: group).map(\.slot)
                #expect(slots.count <= Self.budget)
                #expect(told[group]!.isDisjoint(with: slots), "group \(group)")
                told[group]!.formUnion(slots)
            }
        }
        // Receivers outside the cell get a quarter, so the board is due for longer.
        for group in groups { #expect(told[group]!.count == Int(Self.people), "group \(group)") }
    }

    /// As long as others move, the last pose of a person who stands is sent in an eighth of the room.
    @Test mutating func personWhoStands_isSentToEverybody_whileOthersMove() {
        let last = Self.people - 1
        everybodyMoves(at: Self.second)
        var groupsTold: Set<Int> = []
        for beat in 1...200 {
            let time = Self.second + .milliseconds(50 * beat)
            for number in 0..<last {
                // Nobody crosses into another block: who has been told of somebody there knows it here.
                let step = 0.5 + Double(beat % 2) / 1_000
                board.move(.make(number), to: .make(at: Self.place(of: number, step: step), when: time))
            }
            let batch = batch(at: time)
            for group in groups where batch.records(for: group).contains(where: { $0.slot == UInt16(last) }) {
                groupsTold.insert(group)
            }
        }
        #expect(groupsTold == groups)
    }

    @Test mutating func newPose_replacesTheOneThatDidNotFit() {
        everybodyMoves(at: Self.second)
        _ = batch(at: Self.second)
        let later: MonotonicTime = 1_200_000
        everybodyMoves(at: later)
        let batch = board.takeCrowdBatch(now: later, posesMax: Int(Self.people) * 2)
        for group in groups { #expect(batch.records(for: group).count == Int(Self.people)) }
        #expect(!board.isDue)
    }

    /// Who walks into another block of ground misses nothing that the receivers there have been sent before.
    @Test mutating func receiverWhoCrosses_isSentWhatItMissed() {
        everybodyMoves(at: Self.second)
        let walker = Participant.make(0)
        var told = Set(batch(at: Self.second).records(for: Int(board.group(of: walker))).map(\.slot))
        var time = Self.second
        var crossings = 0
        while board.isDue, time < 20_000_000 {
            time += .milliseconds(50)
            let here = Self.place(of: UInt64(time.microseconds / 50_000) * 7 % Self.people)
            if time < 1_500_000, board.move(walker, to: .make(at: here, when: time)) != nil { crossings += 1 }
            told.formUnion(batch(at: time).records(for: Int(board.group(of: walker))).map(\.slot))
        }
        #expect(crossings > 3)
        #expect(told.count == Int(Self.people), "\(told.count)")
    }

    @Test mutating func theFastest_areSentToAll() {
        for beat in 0..<3 {
            let time = Self.second + .milliseconds(200 * beat)
            for number in 0..<Self.people {
                let step = Double(beat) * (number < 3 ? 5 : 0.3)
                board.move(.make(number), to: .make(at: Self.place(of: number, step: step), when: time))
            }
            let batch = batch(at: time)
            guard beat == 2 else { continue }
            for group in groups { #expect(batch.records(for: group).filter { $0.slot < 3 }.count == 3) }
        }
    }

    /// Nothing of those who share a square follows from whether they come first (PRF-8).
    @Test mutating func whoSharesASquare_isNeverFast() {
        let person = PresenceBoard.Person(id: "rough", name: "rough", gridMetres: 100)
        let rough = Participant.make(5_000)
        board.enter(rough, as: person, at: .make(at: Self.place(of: 0)))
        for beat in 1...3 {
            let time = Self.second + .milliseconds(200 * beat)
            board.move(rough, to: .make(at: Self.place(of: UInt64(beat) * 50), when: time), gridMetres: 100)
            everybodyMoves(at: time)
            _ = batch(at: time)
        }
        #expect(!board.slots.contains { $0.isRough && $0.isFast })
    }

    @Test mutating func receiversOutside_getMore_theMoreFits() {
        everybodyMoves(at: Self.second)
        let few = batch(at: Self.second).records(for: Int(CellFrame.outside)).count
        everybodyMoves(at: 2_000_000)
        let most = Int(Self.people) * 9 / 10
        let many = board.takeCrowdBatch(now: 2_000_000, posesMax: most).records(for: Int(CellFrame.outside)).count
        #expect(few == Self.budget / 4)
        #expect(many == most * most / Int(Self.people))
    }

    @Test mutating func whoLeaves_isNotSentLater() {
        everybodyMoves(at: Self.second)
        _ = batch(at: Self.second)
        for number in 0..<Self.people { board.leave(.make(number)) }
        _ = batch(at: 2_000_000)
        #expect(!board.isDue)
    }
}

extension CrowdBatch {
    /// The poses that a group of receivers gets.
    fileprivate func records(for group: Int) -> [PoseRecord] {
        places[group].map { batches[$0].poseRecords } ?? []
    }
}

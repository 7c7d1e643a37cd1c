import CairnClient
import CairnGeo
import CairnTime
import CairnWire
import Foundation
import Histogram
import Testing

@testable import CairnCrowd

/// The figures of poses: delivered, conflated, lost, out of order, and their age.
@Suite struct PoseMeterTests {
    private let cell = CellID(Ground.usual, level: 16)
    private let period: Duration = .milliseconds(200)

    /// Two people, of whom bot 1 receives; person 0's poses are due every 200 ms from time 1 s on.
    private struct Bench {
        var meter: PoseMeter
        var track = CellTrack()
        var core = ClientCore(profile: ClientProfile(), presence: .raw, seed: 1)
        var isSlow = false
        /// When pose 0 is due.
        let start = MonotonicTime.epoch + .seconds(1)

        /// - Parameter crowdPeople: number of people from which on the cell is a crowd.
        init(crowdPeople: Int = .max) {
            meter = PoseMeter(people: 2, period: .milliseconds(200), crowdPeople: crowdPeople)
            meter.start(sender: 0, firstDue: start)
            meter.window = MonotonicTime.epoch..<start + .seconds(10_000)
        }

        /// Person 0 sends this many poses, on time.
        mutating func send(_ count: Int, every period: Duration = .milliseconds(200)) {
            for _ in 0..<count {
                let number = Int(meter.senders[0].sent)
                _ = meter.send(0, due: start + .milliseconds(200) * number, now: start + period * number)
            }
        }

        /// - Parameter people: makes it a keyframe with this many people.
        @discardableResult
        mutating func receive(
            _ cell: CellID, keyframe: Bool = false, joined: Bool = false, left: Bool = false, numbers: [UInt32] = [],
            slot: UInt16 = 0, people: Int? = nil, now: MonotonicTime = .epoch
        ) -> PoseFaults {
            var item = WireItem()
            item.presence.cell = cell.token
            item.presence.keyframe = keyframe || people != nil
            if joined {
                var person = WirePerson()
                person.slot = UInt32(slot)
                person.name = "0"
                item.presence.joined = [person]
            }
            for slot in 0..<(people ?? 0) {
                var person = WirePerson()
                person.slot = UInt32(slot)
                person.name = slot == 0 ? "0" : "stranger"
                item.presence.joined.append(person)
            }
            if left { item.presence.left = [UInt32(slot)] }
            item.presence.step = 10
            item.presence.baseHeight = 35
            var bytes: [UInt8] = []
            for number in numbers {
                let up = Int16(((PoseCode.height(of: number) - 35) * 100).rounded())
                PoseRecord(slot: slot, east: 0, north: 0, up: up, orientation: 0, age: 0, accuracy: 0).append(
                    to: &bytes)
            }
            item.presence.poses = Data(bytes)
            var faults = PoseFaults()
            _ = ServerItemEncoder.encode(item, format: .proto).withUnsafeBytes { message in
                core.receive(message, now: now) { batch in
                    meter.takeRoster(of: batch, into: &track) { $0.count == 1 ? 0 : CellTrack.stranger }
                    faults = meter.take(batch, into: &track, receiver: 1, isSlow: isSlow, now: now)
                }
            }
            return faults
        }
    }

    @Test func posesInOrder_areDelivered_withTheirAgeSinceTheyWereDue() {
        var bench = Bench()
        bench.send(3)
        bench.receive(cell, joined: true, numbers: [0], now: .epoch + .milliseconds(1_010))
        #expect(bench.receive(cell, numbers: [1], now: .epoch + .milliseconds(1_230)).isEmpty)
        #expect(bench.receive(cell, numbers: [2], now: .epoch + .milliseconds(1_402)).isEmpty)
        #expect(bench.meter.delivered == 3 && bench.meter.lost == 0 && bench.meter.conflated == 0)
        #expect(bench.meter.latency.max >= 29_900 && bench.meter.latency.max <= 30_100)
    }

    @Test func poseThatComesAfterTheWindow_isDelivered_butNotInTime() {
        var bench = Bench()
        bench.meter.window = MonotonicTime.epoch..<bench.start + .milliseconds(300)
        bench.send(2)
        bench.receive(cell, joined: true, numbers: [0], now: .epoch + .milliseconds(1_010))
        bench.receive(cell, numbers: [1], now: .epoch + .milliseconds(1_300))
        #expect(bench.meter.delivered == 2 && bench.meter.deliveredInTime == 1)
    }

    @Test func poseThatIsSkipped_isLost() {
        var bench = Bench()
        bench.send(4)
        bench.receive(cell, joined: true, numbers: [0], now: .epoch + .milliseconds(1_020))
        bench.receive(cell, now: .epoch + .milliseconds(1_590))
        bench.receive(cell, numbers: [3], now: .epoch + .milliseconds(1_620))
        #expect(bench.meter.lost == 2 && bench.meter.conflated == 0)
    }

    @Test func posesBeforeTheFirstThatCame_areLost_fromWhenTheirSenderWasNamed() {
        var bench = Bench()
        bench.send(2)
        bench.receive(cell, joined: true, now: .epoch + .milliseconds(1_210))
        bench.send(3)
        bench.receive(cell, now: .epoch + .milliseconds(1_790))
        bench.receive(cell, numbers: [4], now: .epoch + .milliseconds(1_810))
        #expect(bench.meter.lost == 2 && bench.meter.conflated == 0)
        // A receiver need not get poses from before it joined.
        bench = Bench()
        bench.send(5)
        bench.receive(cell, joined: true, numbers: [4], now: .epoch + .milliseconds(1_810))
        #expect(bench.meter.lost == 0 && bench.meter.conflated == 0)
    }

    @Test func poseThatOnlyTheReaderWasLateFor_isConflated() {
        var bench = Bench()
        bench.send(4)
        bench.receive(cell, joined: true, numbers: [0], now: .epoch + .milliseconds(1_020))
        bench.meter.lag = .milliseconds(200)
        bench.receive(cell, now: .epoch + .milliseconds(1_450))
        bench.receive(cell, numbers: [3], now: .epoch + .milliseconds(1_620))
        #expect(bench.meter.lost == 0 && bench.meter.conflated == 2)
    }

    @Test func poseThatWasNeverSent_isAFault_andNotATrap() {
        var bench = Bench()
        #expect(bench.receive(cell, joined: true, numbers: [0]).unsent == 1)
        bench.send(3)
        #expect(bench.receive(cell, numbers: [3, 9]).unsent == 2)
        #expect(bench.receive(cell, numbers: [2]).isEmpty)
    }

    @Test func posesThatMetInOneLateBatch_areConflated() {
        var bench = Bench()
        bench.send(4)
        bench.receive(cell, joined: true, numbers: [0], now: .epoch + .milliseconds(1_020))
        bench.receive(cell, numbers: [3], now: .epoch + .milliseconds(1_620))
        #expect(bench.meter.lost == 0 && bench.meter.conflated == 2)
    }

    @Test func poseThatANewerOneOvertookWithinAnInterval_isConflated() {
        var bench = Bench()
        bench.send(1)
        bench.receive(cell, joined: true, numbers: [0])
        bench.send(2, every: .milliseconds(20))
        bench.receive(cell, numbers: [2])
        #expect(bench.meter.lost == 0 && bench.meter.conflated == 1)
    }

    @Test func poseThatComesAgain_orLate_isAFault() {
        var bench = Bench()
        bench.send(3)
        bench.receive(cell, keyframe: true, joined: true, numbers: [0])
        #expect(bench.receive(cell, numbers: [0]).isEmpty, "the batch after a keyframe may tell it again")
        #expect(bench.receive(cell, numbers: [2]).isEmpty)
        #expect(bench.receive(cell, numbers: [2]).repeated == 1)
        #expect(bench.receive(cell, numbers: [1]).reordered == 1)
    }

    @Test func poseOfAnUnknownSlot_isAFault() {
        var bench = Bench()
        bench.send(1)
        #expect(bench.receive(cell, numbers: [0], slot: 7).unknownSlot == 1)
        bench.receive(cell, joined: true)
        bench.receive(cell, left: true)
        #expect(bench.receive(cell, numbers: [0]).unknownSlot == 1)
    }

    @Test func poseThatASlowReaderMissed_isThinned() {
        var bench = Bench()
        bench.isSlow = true
        bench.send(4)
        bench.receive(cell, joined: true, numbers: [0])
        bench.receive(cell, now: .epoch + .milliseconds(1_590))
        bench.receive(cell, numbers: [3])
        #expect(bench.meter.lost == 0 && bench.meter.thinned == 2 && bench.meter.latency.totalCount == 0)
    }

    @Test func crowd_beginsAtItsNumber_andEndsBelowFourFifthsOfIt() {
        func people(_ counts: [Int], wasCrowded: Bool = false) -> [Bool] {
            var bench = Bench(crowdPeople: 10)
            if wasCrowded { bench.receive(cell, people: 10, now: .epoch + .microseconds(1)) }
            bench.track = CellTrack()
            return counts.map { count in
                bench.receive(cell, people: count, now: .epoch + .microseconds(1))
                return bench.track.isCrowd
            }
        }
        #expect(people([8, 9, 10, 8, 7, 9]) == [false, false, true, true, false, false])
        // A receiver that joins during the crowd cannot see by the number of people that the crowd has not ended.
        #expect(people([9], wasCrowded: true) == [true])
        #expect(people([7, 9], wasCrowded: true) == [false, false])
    }

    @Test func gapInACellBelowACrowd_isLost_andInACrowdThinned_withTheBatchThatEndsIt() {
        for (people, lost, thinned) in [(9, UInt64(1), UInt64(0)), (10, 0, 1)] {
            var bench = Bench(crowdPeople: 10)
            bench.send(3)
            bench.receive(cell, people: people, now: .epoch + .milliseconds(1_010))
            bench.receive(cell, numbers: [0], now: .epoch + .milliseconds(1_020))
            bench.receive(cell, now: .epoch + .milliseconds(1_390))
            bench.receive(cell, numbers: [2], people: 7, now: .epoch + .milliseconds(1_400))
            #expect(bench.meter.lost == lost && bench.meter.thinned == thinned, "\(people) people")
        }
    }

    @Test func poseThatWasSkippedForWantOfALink_isNotLost() {
        var bench = Bench()
        bench.send(1)
        _ = bench.meter.send(0, due: bench.start + period * 5, now: bench.start + period * 5)
        bench.receive(cell, joined: true, numbers: [0])
        bench.receive(cell, numbers: [5])
        #expect(bench.meter.delivered == 2 && bench.meter.lost == 0 && bench.meter.conflated == 0)
    }

    @Test func keyframe_deliversNothing_butAGapBeforeItIsLost() {
        var bench = Bench()
        bench.send(3)
        bench.receive(cell, joined: true, numbers: [0])
        bench.receive(cell, now: .epoch + .milliseconds(1_390))
        bench.receive(cell, keyframe: true, joined: true, numbers: [2], now: .epoch + .milliseconds(1_400))
        #expect(bench.meter.delivered == 1 && bench.meter.lost == 1)
    }

    @Test func numbers_goOnAfterTheyHaveStartedAnew() {
        var bench = Bench()
        bench.send(PoseCode.modulus + 2)
        bench.receive(cell, joined: true, numbers: [UInt32(PoseCode.modulus - 1)])
        #expect(bench.receive(cell, numbers: [UInt32(PoseCode.modulus), UInt32(PoseCode.modulus) + 1]).isEmpty)
        #expect(bench.meter.delivered == 3 && bench.meter.lost == 0)
        #expect(bench.meter.isNewest(UInt32(PoseCode.modulus) + 1, of: 0))
    }

    @Test func posesThatNeverCame_areLostInTheEnd() {
        var bench = Bench()
        bench.send(5)
        bench.meter.loseTail(of: 0, from: 2)
        #expect(bench.meter.lost == 3)
    }

    @Test func code_survivesQuantising() {
        for number in stride(from: UInt32(0), to: UInt32(PoseCode.modulus), by: 7) {
            for step in [10, 13, 40] {
                let millimetres = PoseCode.height(of: number) * 1_000
                let quantised = Int((millimetres / Double(step)).rounded()) * step
                #expect(PoseCode.code(heightMillimetres: quantised) == number)
            }
        }
        #expect(PoseCode.code(heightMillimetres: Int(PoseCode.unnumberedHeight * 1_000)) == nil)
    }
}

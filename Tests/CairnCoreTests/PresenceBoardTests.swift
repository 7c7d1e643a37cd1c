import CairnGeo
import CairnTesting
import CairnWire
import Foundation
import Testing

@testable import CairnCore

/// The volatile lane of one cell: which receivers get which people (SES-8, VIS-9).
@Suite("PresenceBoard")
struct PresenceBoardTests {
    private var board = PresenceBoard(cell: Ground.here.cell, countHiddenBelow: 3)

    private static func person(_ number: UInt64, gridMetres: Double = 0) -> PresenceBoard.Person {
        PresenceBoard.Person(id: "session-\(number)", name: "person-\(number)", gridMetres: gridMetres)
    }

    /// Numbers up to 99 share their position; from 100 on they do not.
    private mutating func enter(_ numbers: UInt64..., at place: Coordinate = Ground.here.centre) {
        for number in numbers {
            board.enter(.make(number), as: number < 100 ? Self.person(number) : nil, at: .make(at: place))
        }
    }

    // MARK: Joining and leaving

    @Test func emptyBoard_hasNothingToTell() {
        #expect(!board.isDue)
    }

    @Test mutating func sharingPerson_isSentWithNameAndPose() {
        enter(1)
        let batch = board.takeBatch(now: 0)
        #expect(batch.joined.map(\.name) == ["person-1"])
        #expect(batch.poseRecords.count == 1)
        #expect(batch.cell == Ground.here.cell.token)
        #expect(!batch.keyframe)
    }

    @Test mutating func newsOfNewcomers_isOfNobodyElse() {
        enter(1, 2)
        #expect(board.hasNewsOfNewcomersOnly)
        board.move(.make(2), to: .make(at: Ground.here.centre))
        #expect(board.hasNewsOfNewcomersOnly, "a newcomer's first steps wait with the news of the newcomer")
        _ = board.takeBatch(now: 0)
        enter(3)
        board.move(.make(1), to: .make(at: Ground.here.centre))
        #expect(!board.hasNewsOfNewcomersOnly)
        _ = board.takeBatch(now: 0)
        enter(4)
        board.leave(.make(2))
        #expect(!board.hasNewsOfNewcomersOnly)
    }

    @Test mutating func batch_isSentOnce() {
        enter(1)
        _ = board.takeBatch(now: 0)
        #expect(!board.isDue)
        #expect(board.takeBatch(now: 0).isNews == false)
    }

    @Test mutating func move_sendsThePoseAlone() {
        enter(1)
        _ = board.takeBatch(now: 0)
        board.move(.make(1), to: .make(at: Ground.here.at(east: 10)))
        let batch = board.takeBatch(now: 0)
        #expect(batch.joined.isEmpty)
        #expect(batch.poseRecords.count == 1)
    }

    @Test mutating func leaving_sendsTheSlot() {
        enter(1)
        let slot = board.takeBatch(now: 0).joined[0].slot
        board.leave(.make(1))
        #expect(board.takeBatch(now: 0).left == [slot])
    }

    @Test mutating func leaving_takesTheLastPoseWithIt() {
        enter(1)
        _ = board.takeBatch(now: 0)
        board.move(.make(1), to: .make())
        board.leave(.make(1))
        #expect(board.takeBatch(now: 0).poseRecords.isEmpty)
    }

    @Test mutating func moveOfAnUnknownPerson_isIgnored() {
        board.move(.make(1), to: .make())
        #expect(!board.isDue)
        #expect(board.count == 0)
    }

    @Test mutating func leavingTwice_isOnce() {
        enter(1, 2)
        board.leave(.make(1))
        board.leave(.make(1))
        #expect(board.count == 1)
    }

    // MARK: Slots

    @Test mutating func slots_areUniqueAmongThosePresent() {
        for number in 1...60 { enter(UInt64(number)) }
        #expect(Set(board.takeBatch(now: 0).joined.map(\.slot)).count == 60)
    }

    @Test mutating func slot_restsForOneBatchBeforeItNamesAnotherPerson() {
        enter(1)
        let slot = board.takeBatch(now: 0).joined[0].slot
        board.leave(.make(1))
        enter(2)
        let second = board.takeBatch(now: 0)
        #expect(second.left == [slot])
        #expect(second.joined.map(\.slot) != [slot])
        enter(3)
        #expect(board.takeBatch(now: 0).joined.map(\.slot) == [slot])
    }

    @Test mutating func batch_neverSaysLeftAndJoinedOfOneSlot() {
        var random = SeededRandom(3)
        for _ in 0..<500 {
            let number = UInt64.random(in: 1...8, using: &random)
            if Bool.random(using: &random) { enter(number) } else { board.leave(.make(number)) }
            guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
            let batch = board.takeBatch(now: 0)
            #expect(Set(batch.left).isDisjoint(with: batch.joined.map(\.slot)))
        }
    }

    @Test mutating func enteringAgain_isTheSamePersonInANewSlot() {
        enter(1)
        let slot = board.takeBatch(now: 0).joined[0].slot
        enter(1)
        let batch = board.takeBatch(now: 0)
        #expect(batch.left == [slot])
        #expect(batch.joined.map(\.id) == ["session-1"])
        #expect(board.count == 1)
    }

    // MARK: State of a follower

    @Test mutating func comingAndGoingWithinABatch_leavesNobodyBehind() {
        var view = Onlooker()
        enter(1)
        board.leave(.make(1))
        view.receive(board.takeBatch(now: 0))
        #expect(view.names.isEmpty)
    }

    @Test mutating func personInAKeyframeWhoLeavesBeforeTheNextBatch_doesNotStayAsAGhost() {
        enter(1)
        var view = Onlooker()
        view.receive(board.keyframe(now: 0))
        board.leave(.make(1))
        view.receive(board.takeBatch(now: 0))
        #expect(view.names.isEmpty)
    }

    /// Whenever a receiver begins to follow, after the next batch it has exactly the people who share.
    @Test(arguments: 0..<40)
    func followersFromAnyMoment_haveExactlyTheSharingPeople(seed: UInt64) {
        var random = SeededRandom(seed)
        var board = PresenceBoard(cell: Ground.here.cell, countHiddenBelow: 3)
        var present: Set<UInt64> = []
        var onlookers: [Onlooker] = []
        for _ in 0..<200 {
            let number = UInt64.random(in: 1...12, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                board.enter(.make(number), as: number < 9 ? Self.person(number) : nil, at: .make())
                present.insert(number)
            case 2:
                board.leave(.make(number))
                present.remove(number)
            case 3: board.move(.make(number), to: .make())
            case 4:
                var onlooker = Onlooker()
                onlooker.receive(board.keyframe(now: 0))
                onlookers.append(onlooker)
            default:
                let batch = board.takeBatch(now: 0)
                let news = board.takeCountNews()
                for index in onlookers.indices {
                    onlookers[index].receive(batch)
                    guard let people = news?.people(for: .stranger) else { continue }
                    onlookers[index].receive(board.batch(people: people))
                }
                let expected = Set(present.filter { $0 < 9 }.map { "person-\($0)" })
                for onlooker in onlookers {
                    #expect(onlooker.names == expected && onlooker.strays == 0)
                    let hidden = present.filter { $0 >= 9 }.count
                    #expect(onlooker.count == (hidden < 3 ? 0 : hidden))
                }
            }
            #expect(board.count == present.count)
        }
    }

    // MARK: Privacy (VIS-9)

    @Test mutating func hiddenPerson_isNeverNamedNorPlaced() {
        enter(1, 100)
        for step in 0..<10 {
            board.move(.make(100), to: .make(at: Ground.here.at(east: Double(step))))
            for batch in [board.takeBatch(now: 0), board.keyframe(now: 0)] {
                #expect(!batch.joined.contains { $0.id == "session-100" })
                #expect(batch.poseRecords.count <= 1)
            }
        }
    }

    @Test mutating func hiddenPerson_causesNoBatch() {
        enter(100)
        board.move(.make(100), to: .make())
        #expect(!board.isDue)
    }

    @Test mutating func personWhoStopsSharing_isGoneForOthers() {
        enter(1)
        var view = Onlooker()
        view.receive(board.takeBatch(now: 0))
        board.enter(.make(1), as: nil, at: .make())
        view.receive(board.takeBatch(now: 0))
        #expect(view.names.isEmpty)
        #expect(board.count == 1)
    }

    @Test mutating func whoComesAndDoesNotShare_isNoReasonForABatchOfPeople() {
        enter(100, 101, 102, 103)
        #expect(board.isDue && !board.hasNewsOfPeople)
    }

    @Test mutating func coarsePosition_isTheMiddleOfItsSquareWhereverInItThePersonIs() throws {
        board.enter(.make(1), as: Self.person(1, gridMetres: 10), at: .make())
        let first = try #require(board.takeBatch(now: 0).poseRecords.first)
        let middle = snapped(Ground.here.centre, toGridMetres: 10)
        let plane = LocalPlane(origin: middle)
        for (east, north) in [(3.0, 3.0), (-3.0, 2.0), (0.0, -4.0)] {
            let place = plane.coordinate(east: east, north: north)
            board.enter(.make(1), as: Self.person(1, gridMetres: 10), at: .make(at: place))
            let record = try #require(board.takeBatch(now: 0).poseRecords.first)
            #expect((record.east, record.north) == (first.east, first.north))
        }
    }

    /// Height, heading, accuracy and age of two people in one square, as different as they can be.
    @Test mutating func roughRecord_saysNothingButTheSquare() throws {
        let square = LocalPlane(origin: snapped(Ground.here.centre, toGridMetres: 10))
        let north = PoseSample(
            coordinate: square.coordinate(east: -3, north: 3), heightMetres: 12,
            orientation: Quaternion.identity.packed, accuracyMetres: nil, at: 0)
        let south = PoseSample(
            coordinate: square.coordinate(east: 4, north: -2), heightMetres: 99, orientation: 0x1234_5678,
            accuracyMetres: 3, at: 900_000)
        var told: [PoseRecord] = []
        for sample in [north, south] {
            board.enter(.make(1), as: Self.person(1, gridMetres: 10), at: sample)
            var record = try #require(board.takeBatch(now: 1_000_000).poseRecords.first)
            record.slot = 0
            told.append(record)
        }
        #expect(told[0] == told[1])
        #expect(told[0].orientation == PoseRecord.orientationUntold && told[0].up == 0)
    }

    @Test mutating func stepWithinTheSquare_isNoReasonForABatch() {
        let square = LocalPlane(origin: snapped(Ground.here.centre, toGridMetres: 10))
        board.enter(.make(1), as: Self.person(1, gridMetres: 10), at: .make(at: square.origin))
        _ = board.takeBatch(now: 0)
        board.move(.make(1), to: .make(at: square.coordinate(east: 3, north: -4), heightMetres: 80), gridMetres: 10)
        #expect(!board.isDue)
        board.move(.make(1), to: .make(at: square.coordinate(east: 9, north: 0)), gridMetres: 10)
        #expect(board.isDue)
    }

    @Test mutating func heightOfWhoSharesRoughly_movesNobodysBaseHeight() {
        board.enter(.make(1), as: Self.person(1, gridMetres: 10), at: .make(heightMetres: 500))
        board.enter(.make(2), as: Self.person(2), at: .make(heightMetres: 35))
        #expect(board.takeBatch(now: 0).baseHeight == 35)
    }

    // MARK: Poses

    @Test mutating func ofSeveralMovesInABatch_theNewestCounts() throws {
        enter(1)
        for step in 1...5 { board.move(.make(1), to: .make(at: Ground.here.at(east: Double(step) * 10))) }
        let batch = board.takeBatch(now: 0)
        let record = try #require(batch.poseRecords.first)
        #expect(batch.poseRecords.count == 1)
        #expect(abs(Double(record.east) * Double(batch.step) / 1_000 - 50) < 0.02)
    }

    @Test mutating func conflation_isCounted() {
        enter(1)
        for _ in 0..<5 { board.move(.make(1), to: .make()) }
        #expect(board.conflated == 5)
        _ = board.takeBatch(now: 0)
        board.move(.make(1), to: .make())
        #expect(board.conflated == 5)
    }

    @Test mutating func pose_isOneOfAtMost16Bytes() {
        enter(1, 2, 3)
        #expect(board.takeBatch(now: 0).poses.count == 3 * PoseRecord.byteCount)
        #expect(PoseRecord.byteCount <= 16)
    }

    @Test mutating func pose_reachesEveryCornerOfTheCell() throws {
        let centre = LocalPlane(origin: Ground.here.centre)
        for corner in Ground.here.cell.vertices {
            enter(1, at: corner)
            let batch = board.takeBatch(now: 0)
            let record = try #require(batch.poseRecords.first)
            let step = Double(batch.step) / 1_000
            let (east, north) = centre.metres(of: corner)
            #expect(abs(Double(record.east) * step - east) <= step)
            #expect(abs(Double(record.north) * step - north) <= step)
        }
    }

    @Test mutating func height_isKeptAgainstTheBaseHeight() throws {
        board.enter(.make(1), as: Self.person(1), at: .make(heightMetres: 35.4))
        board.enter(.make(2), as: Self.person(2), at: .make(heightMetres: 41.2))
        let batch = board.takeBatch(now: 0)
        let heights = batch.poseRecords.map { Double(batch.baseHeight) + Double($0.up) * Double(batch.step) / 1_000 }
        #expect(abs(heights[0] - 35.4) < 0.02 && abs(heights[1] - 41.2) < 0.02)
    }

    @Test mutating func height_beyondWhatAStepHolds_isCutAndDoesNotTrap() {
        enter(1, 2, 3)
        board.move(.make(1), to: .make(heightMetres: 99_999))
        board.move(.make(1), to: .make(heightMetres: -99_999))
        #expect(board.takeBatch(now: 0).poseRecords.map(\.up) == [.min, 0, 0])
    }

    @Test mutating func height_ofWhoIsFarUp_cutsNobodyElseOff() {
        board.enter(.make(1), as: Self.person(1), at: .make(heightMetres: 100_000))
        for number: UInt64 in 2...4 {
            board.enter(.make(number), as: Self.person(number), at: .make(heightMetres: 35))
        }
        let batch = board.takeBatch(now: 0)
        #expect(batch.baseHeight == 35)
        #expect(batch.poseRecords.map(\.up) == [.max, 0, 0, 0])
    }

    @Test mutating func age_isThatOfThePositionWhenTheBatchIsMade() {
        board.enter(.make(1), as: Self.person(1), at: .make(when: 1_000_000))
        #expect(board.takeBatch(now: 1_040_000).poseRecords.first?.age == 10)
    }

    @Test mutating func age_ofAClockThatStandsBehind_is0() {
        board.enter(.make(1), as: Self.person(1), at: .make(when: 1_000_000))
        #expect(board.takeBatch(now: 0).poseRecords.first?.age == 0)
    }

    @Test mutating func unknownAccuracy_isSaidToBeUnknown() {
        enter(1)
        #expect(board.takeBatch(now: 0).poseRecords.first?.accuracy == PoseRecord.accuracyUnknown)
    }

    @Test mutating func keyframe_holdsAllWhoShareAndChangesNothing() {
        enter(1, 2, 100)
        let batch = board.takeBatch(now: 0)
        let keyframe = board.keyframe(now: 0)
        #expect(keyframe.keyframe)
        #expect(keyframe.joined == batch.joined)
        #expect(keyframe.poseRecords.count == 2)
        #expect(!board.isDue)
    }
}

/// A follower of the cell, by the rules of the protocol.
private struct Onlooker {
    private var bySlot: [UInt32: String] = [:]
    /// The count of hidden people, as last received.
    private(set) var count = 0
    /// Number of poses for slots without a person.
    private(set) var strays = 0

    var names: Set<String> { Set(bySlot.values) }

    mutating func receive(_ batch: WirePresence) {
        if batch.keyframe { bySlot = [:] }
        if batch.hasPeople { count = Int(batch.people) }
        for slot in batch.left { bySlot[slot] = nil }
        for person in batch.joined { bySlot[person.slot] = person.name }
        strays += batch.poseRecords.filter { bySlot[UInt32($0.slot)] == nil }.count
    }
}

extension WirePresence {
    var poseRecords: [PoseRecord] {
        let bytes = [UInt8](poses)
        return bytes.withUnsafeBytes { raw in
            stride(from: 0, to: raw.count, by: PoseRecord.byteCount).compactMap { PoseRecord.read(from: raw, at: $0) }
        }
    }

    fileprivate var isNews: Bool { !joined.isEmpty || !left.isEmpty || !poses.isEmpty || hasPeople }
}

import CairnCore
import CairnGeo
import CairnTesting
import CairnWire
import Foundation
import Testing

/// Issue 3, 1: whatever is cut, whenever, and for how long: nothing is lost, told twice or told out of order (SES-7,
/// SES-11, B24).
///
///     CAIRN_CUTS=10000 swift test --filter Cuts      the full figure; prints what it has seen
@Suite("Cuts")
struct CutTests {
    /// Over all seeds.
    private static let cuts = ProcessInfo.processInfo.environment["CAIRN_CUTS"].flatMap(Int.init) ?? 1_000
    private static let seeds: [UInt64] = [1, 2]

    /// 50 clients are told 1,000 events a second in all: two in each of 25 topics with 20 a second.
    @Test(arguments: seeds)
    func randomCuts_loseNothing_doubleNothing_reorderNothing(seed: UInt64) {
        var world = CutWorld(seed: seed, clients: 50, topics: 25, cuts: Self.cuts / Self.seeds.count)
        world.run()
        #expect(world.riders.flatMap { world.faults(of: $0) } == [])
        // Every hello but those that were cut off, and the first of each, was answered with what was missed.
        let (continued, snapshots) = world.answers
        #expect(continued > world.cutsDone * 3 / 4)
        let told = world.riders.reduce(0) { $0 + $1.told }
        print(
            "cuts: seed \(seed): \(world.cutsDone) cuts, \(continued) continued, \(snapshots) from a snapshot,",
            "\(told) events heard one by one")
    }

    /// A ring that holds two seconds: most who come back need a snapshot, and nobody gets a part of either.
    @Test func cutsThatOutlastTheRing_areMadeUpForByASnapshot() {
        var world = CutWorld(seed: 3, clients: 10, topics: 5, cuts: 300, ringEvents: 40)
        world.run()
        #expect(world.riders.flatMap { world.faults(of: $0) } == [])
        let (continued, snapshots) = world.answers
        #expect(continued > 0 && snapshots > 100)
        #expect(world.riders.reduce(0) { $0 + $1.jumped } > 1_000)
    }

    /// The server's work for somebody who was away for 0.1 to 30 s at 20 events a second, beside that for a newcomer:
    /// the view that a disc of 100 m gives is four cells of 2,000 instances each, the default's most.
    @Test func resume_costsUnderATenthOfAFreshJoin() throws {
        let cells = [Ground.here.cell] + Ground.here.cell.neighbours.prefix(3)
        let start = Cursor(epoch: 7, sequence: 0)
        var streams = cells.map { cell in
            TopicStream(topic: Topic(cell), start: start, recentMax: 1_024)
        }
        for (place, cell) in cells.enumerated() {
            for number in 1...2_000 {
                let id = InstanceID(rawValue: UInt64(place * 10_000 + number))
                streams[place].restore(.described(id, in: cell, version: 1), id: id)
            }
        }
        for event in 0..<600 {
            let id = InstanceID(rawValue: UInt64(event % 4 * 10_000 + event % 2_000 + 1))
            let change = WireEvent.OneOf_Change.made {
                $0.changed.instance = id.description
                $0.changed.version = UInt32(event + 2)
                $0.changed.pose = .make(anchorID: "anchor")
            }
            let state = WireInstance.described(id, in: cells[event % 4], version: UInt32(event + 2))
            _ = streams[event % 4].publish(
                Publication(audience: .everyone, change: change, object: id, owner: nil, state: state))
        }
        let fresh = Work { streams.flatMap { $0.snapshot(pageSize: 128) } }
        // Every length of cut is as likely as any other: so is every number of events missed, from 2 to 600.
        let resumes = stride(from: UInt64(0), through: 150, by: 10).map { missed in
            Work {
                streams.flatMap { stream in
                    let seen = Cursor(epoch: 7, sequence: stream.cursor.sequence - missed)
                    return stream.continuation(after: seen) ?? []
                }
            }
        }
        let bytes = resumes.reduce(0) { $0 + $1.bytes } / resumes.count
        let time = resumes.reduce(.zero) { $0 + $1.time } / resumes.count
        print(
            "cuts: a fresh join is \(fresh.items) items, \(fresh.bytes) bytes, \(fresh.time) to encode;",
            "a resume \(bytes) bytes, \(time) on average, as a snapshot of \(bytes * 8_000 / fresh.bytes) instances")
        #expect(bytes * 10 < fresh.bytes)
        #expect(time * 10 < fresh.time)
    }
}

/// What it costs to put a client's view together.
private struct Work {
    let items: Int
    let bytes: Int
    let time: Duration

    init(_ make: () -> [WireItem]) {
        let began = ContinuousClock.now
        let encoded = make().map { ServerItemEncoder.encode($0, format: .proto) }
        time = .now - began
        items = encoded.count
        bytes = encoded.reduce(0) { $0 + $1.count }
    }
}

extension CutWorld {
    fileprivate var answers: (continued: Int, snapshots: Int) {
        (riders.reduce(0) { $0 + $1.continuations }, riders.reduce(0) { $0 + $1.snapshots })
    }
}

extension WireInstance {
    /// As the features describe one.
    fileprivate static func described(_ id: InstanceID, in cell: CellID, version: UInt32) -> WireInstance {
        var instance = WireInstance()
        instance.id = id.description
        instance.object = "preset:heart"
        instance.placer = AccountID(rawValue: 42).description
        instance.created = 1_767_225_600_000
        instance.version = version
        instance.pose = .make(anchorID: "anchor")
        instance.cell = cell.token
        return instance
    }
}

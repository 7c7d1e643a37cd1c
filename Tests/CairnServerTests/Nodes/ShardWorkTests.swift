import CairnCore
import CairnFeatures
import CairnGeo
import CairnTesting
import CairnTime
import CairnWire
import Testing

@testable import CairnServer

/// Work that crosses loops can cross nodes: each case comes out as it went in.
@Suite("Shard work")
struct ShardWorkTests {
    private static let now: MonotonicTime = 3_600_000_000

    private static func decoded(_ bytes: [UInt8], now: MonotonicTime = now) throws(NodeFault) -> ShardWork {
        try ShardWork(encoded: bytes, register: Features.register, now: now)
    }

    @Test func everyCase_isTheSameOnAnotherNode() throws {
        var samples = NodeSamples(seed: 1)
        var seen: Set<Int> = []
        for round in 0..<50 {
            for work in samples.work(before: Self.now) {
                let come = try Self.decoded(work.encoded(now: Self.now))
                #expect(spelledOut(come) == spelledOut(work), "round \(round)")
                seen.insert(work.number)
            }
        }
        #expect(seen == Set(0..<ShardWork.numbers), "every case has been tried")
    }

    @Test func workThatEndsEarly_isAFault_whereverItEnds() {
        var samples = NodeSamples(seed: 2)
        for work in samples.work(before: Self.now) {
            let bytes = work.encoded(now: Self.now)
            for count in 0..<bytes.count {
                #expect(throws: NodeFault.self) { try Self.decoded(Array(bytes.prefix(count))) }
            }
        }
    }

    @Test func damagedWork_isAValueOrAFault_andNeverATrap() {
        var samples = NodeSamples(seed: 3)
        for _ in 0..<20 {
            for work in samples.work(before: Self.now) {
                var bytes = work.encoded(now: Self.now)
                for _ in 0..<5 {
                    bytes[samples.below(bytes.count)] = UInt8(samples.below(256))
                    _ = try? Self.decoded(bytes)
                }
            }
        }
    }

    @Test func caseThatThereIsNot_isAFault() {
        #expect(throws: NodeFault.outOfRange) { try Self.decoded([NodeEncoder.version, 200]) }
        #expect(throws: NodeFault.outOfRange) { try Self.decoded([NodeEncoder.version, 6, 200]) }
    }

    @Test func request_isAsOldOnAnotherNode() throws {
        let made = Request.make(.placing())
        let request = Request(
            id: made.id, key: made.key, command: made.command, payload: made.payload, sender: made.sender,
            receivedAt: Self.now - .milliseconds(2_500))
        let bytes = ShardWork.home(.cell(Ground.here.cell), .decide(request)).encoded(now: Self.now)
        guard case .home(_, .decide(let come)) = try Self.decoded(bytes, now: 10_000_000) else {
            Issue.record("it is other work")
            return
        }
        #expect(come.receivedAt == 7_500_000, "its patience ends when it would have here")
        #expect(come.contentDigest == request.contentDigest)
    }

    /// Positions cross loops by the thousand, and each takes as much room as the largest work: that is what cells hear
    /// of people, and requests, which are larger, are boxed.
    @Test func work_isNoLargerThanWhatACellHears() {
        #expect(MemoryLayout<ShardWork>.size <= MemoryLayout<(CellID, CellWork)>.size + 1)
    }
}

extension ShardWork {
    static let numbers = 50

    /// One number for each case, of all that is in it. A further case does not compile until it stands here, and is not
    /// passed over by the tests above.
    fileprivate var number: Int {
        switch self {
        case .home(_, let work):
            switch work {
            case .arrive: 0
            case .decide: 1
            case .hear: 2
            case .fire: 3
            case .follow: 4
            case .unfollow: 5
            case .resynchronise: 6
            case .change: 42
            case .present: 46
            }
        case .cell(_, let work):
            switch work {
            case .enter: 7
            case .move: 8
            case .watch: 9
            case .replace: 10
            case .leave: 11
            case .sendKeyframe: 12
            }
        case .account(_, let work):
            switch work {
            case .receive: 13
            case .decided: 14
            case .connect: 15
            case .beganAnew: 16
            case .detach: 17
            case .disconnect: 18
            case .change: 38
            case .notified: 40
            }
        case .topic(_, let work):
            switch work {
            case .event: 19
            case .presence: 20
            case .crowd: 21
            case .count: 22
            }
        case .connection(_, let work):
            switch work {
            case .welcome: 23
            case .answer: 24
            case .follow: 25
            case .keyframe: 26
            case .group: 27
            case .ownInstance: 28
            case .grant: 29
            case .notified: 41
            case .beginExcerpt: 43
            case .excerpt: 44
            case .absencesKnown: 45
            case .presented: 47
            case .shiftPositions: 49
            }
        case .session(let work):
            switch work {
            case .surrender: 30
            case .adopt: 31
            case .giveUp: 32
            }
        case .sessions(let work):
            switch work {
            case .signOut: 33
            case .renewFollowers: 34
            case .change: 35
            }
        case .rightChanged: 36
        case .rightsDone: 39
        case .timerSet: 37
        case .space: 48
        }
    }
}

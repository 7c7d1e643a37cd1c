import CairnTesting
import CairnTime
import CairnWebSocket
import Synchronization
import Testing

/// A loop is a thread, a mailbox and an executor.
@Suite("WebSocketLoop: thread", .timeLimit(.minutes(10)))
struct LoopThreadTests {
    @Test func workFromManyThreads_runsOnTheLoopEachThreadsInOrder() async throws {
        try await LoopBench.running { bench in
            let journal = Journal([(thread: Int, number: Int)]())
            let strays = Journal(0)
            await withTaskGroup { group in
                for thread in 0..<8 {
                    group.addTask {
                        for number in 0..<1_000 {
                            bench.loop.post {
                                journal.note { $0.append((thread, number)) }
                                if !bench.loop.isCurrent { strays.note { $0 += 1 } }
                            }
                        }
                    }
                }
            }
            try await journal.wait(until: "all work") { $0.count == 8_000 }
            for thread in 0..<8 {
                let numbers = journal.now.filter { $0.thread == thread }.map(\.number)
                #expect(numbers == Array(0..<1_000))
            }
            #expect(strays.now == 0)
        }
    }

    @Test func workFromTheLoopItself_runsAfterWhatWasPostedBefore() async throws {
        try await LoopBench.running { bench in
            let journal = Journal([Int]())
            await bench.run { loop in
                loop.post {
                    journal.note { $0.append(1) }
                    loop.post { journal.note { $0.append(3) } }
                }
                loop.post { journal.note { $0.append(2) } }
                journal.note { $0.append(0) }
            }
            try await journal.wait(until: "all work") { $0.count == 4 }
            #expect(journal.now == [0, 1, 2, 3])
        }
    }

    @Test func workBeforeTheStart_runsWhenItStarts() async throws {
        let loop = try WebSocketLoop(index: 0, options: LoopOptions())
        let journal = Journal(0)
        for _ in 0..<3 { loop.post { journal.note { $0 += 1 } } }
        #expect(journal.now == 0)
        loop.start { SilentHandler() }
        try await journal.wait(until: "the work") { $0 == 3 }
        loop.stop()
    }

    @Test func workThatAddsWorkForEver_leavesRoomForSockets() async throws {
        try await LoopBench.running { bench in
            let isOver = Atomic<Bool>(false)
            @Sendable func again() {
                if !isOver.load(ordering: .relaxed) { bench.loop.post { again() } }
            }
            await bench.run { _ in again() }
            let (socket, _) = try await bench.accept()
            socket.send(binary: [1])
            try await bench.journal.wait(until: "a message") { $0.messages.count == 1 }
            isOver.store(true, ordering: .relaxed)
        }
    }

    /// With a timer of libuv alone the sockets are never looked at (L39).
    @Test func tickThatAsksForAnotherAtOnce_leavesRoomForSockets() async throws {
        let ticks = Journal(0)
        let isOver = Atomic<Bool>(false)
        let hooks = LoopHooks(ticked: { loop in
            ticks.note { $0 += 1 }
            if !isOver.load(ordering: .relaxed) { loop.requestTick(at: loop.now) }
        })
        try await LoopBench.running(hooks: hooks) { bench in
            await bench.run { $0.requestTick(at: $0.now) }
            let (socket, _) = try await bench.accept()
            socket.send(binary: [1])
            try await bench.journal.wait(until: "a message") { $0.messages.count == 1 }
            let before = ticks.now
            try await ticks.wait(until: "ticks beside sockets") { $0 > before + 100 }
            isOver.store(true, ordering: .relaxed)
        }
    }

    // MARK: Executor

    @Test func actorOnTheLoop_runsOnItsThread() async throws {
        try await LoopBench.running { bench in
            let resident = Resident(bench.loop)
            #expect(await resident.isOnItsLoop)
        }
    }

    @Test func actorOnTheLoop_isReachedFromTheLoopWithoutAHop() async throws {
        try await LoopBench.running { bench in
            let resident = Resident(bench.loop)
            let count = await bench.run { _ in
                for _ in 0..<100 { resident.assumeIsolated { $0.count += 1 } }
                return resident.assumeIsolated { $0.count }
            }
            #expect(count == 100)
        }
    }

    @Test func actorsOfTwoLoops_hopBetweenThem() async throws {
        try await LoopBench.running(index: 0) { first in
            try await LoopBench.running(index: 1) { second in
                let (here, there) = (Resident(first.loop), Resident(second.loop))
                for _ in 0..<100 { #expect(await here.visit(there)) }
            }
        }
    }

    @Test func concurrentTasks_areSerialisedByTheLoop() async throws {
        try await LoopBench.running { bench in
            let resident = Resident(bench.loop)
            await withTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask { for _ in 0..<500 { await resident.increment() } }
                }
            }
            #expect(await resident.count == 4_000)
        }
    }

    // MARK: Misuse traps

    @Test func followingOffTheLoop_traps() async {
        await #expect(processExitsWith: .failure) {
            let loop = try WebSocketLoop(index: 0, options: LoopOptions())
            loop.follow(FanOutKey(place: 1), 1)
        }
    }

    @Test func enteringAnActorOfTheLoopFromElsewhere_traps() async {
        await #expect(processExitsWith: .failure) {
            Resident(try WebSocketLoop(index: 0, options: LoopOptions())).enterFromElsewhere()
        }
    }

    // MARK: Time

    @Test func tick_comesNotBeforeItsTime() async throws {
        try await LoopBench.running { bench in
            let due = await bench.run { loop in
                let due = loop.now + .milliseconds(20)
                loop.requestTick(at: due)
                return due
            }
            try await bench.journal.wait(until: "a tick") { $0.ticks.count == 1 }
            #expect(bench.journal.now.ticks[0] >= due)
        }
    }

    @Test func ofSeveralTicksAskedFor_theEarliestCounts() async throws {
        try await LoopBench.running { bench in
            let (early, late) = await bench.run { loop in
                let now = loop.now
                loop.requestTick(at: now + .seconds(60))
                loop.requestTick(at: now + .milliseconds(5))
                loop.requestTick(at: now + .seconds(30))
                return (now + .milliseconds(5), now + .seconds(30))
            }
            try await bench.journal.wait(until: "a tick") { $0.ticks.count == 1 }
            #expect((early..<late).contains(bench.journal.now.ticks[0]))
        }
    }

    @Test func tickOfThePast_comesAtOnce() async throws {
        try await LoopBench.running { bench in
            await bench.run { $0.requestTick(at: 0) }
            try await bench.journal.wait(until: "a tick") { $0.ticks.count == 1 }
        }
    }
}

/// An actor that lives on a loop.
private actor Resident {
    private nonisolated let loop: WebSocketLoop
    var count = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ loop: WebSocketLoop) {
        self.loop = loop
    }

    var isOnItsLoop: Bool { loop.isCurrent }

    nonisolated func enterFromElsewhere() {
        assumeIsolated { $0.count += 1 }
    }

    func increment() {
        let before = count
        count = before + 1
    }

    /// Goes to another and comes back: true when each ran where it lives.
    func visit(_ other: Resident) async -> Bool {
        let isThere = await other.isOnItsLoop
        return isThere && loop.isCurrent
    }
}

private final class SilentHandler: LoopHandler {
    func rejection(of address: PeerAddress) -> TransportRejection? { .admission }
    func released(_ address: PeerAddress, _ connection: ConnectionID) {}
    func refusal(of handshake: Handshake) -> HTTPResponse? { HTTPResponse(status: 503, body: []) }
    func opened(_ connection: ConnectionID, handshake: Handshake, tag: UInt64) {}
    func received(_ bytes: UnsafeRawBufferPointer, isText: Bool, from connection: ConnectionID) {}
    func caughtUp(_ connection: ConnectionID, stale: [FanOutKey], missed: [FanOutKey]) {}
    func closed(_ connection: ConnectionID, code: UInt16) {}
    func connectFailed(tag: UInt64, reason: String) {}
    func answer(to head: HTTPHead) -> HTTPAnswer { .now(HTTPResponse(status: 503, body: [])) }
    func ticked(now: MonotonicTime) {}
    func swept(now: MonotonicTime) {}
    func turnEnded() {}
    func logged(_ line: String, level: Int) {}
}

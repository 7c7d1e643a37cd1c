import CairnTesting
import CairnTime
import CairnWebSocket
import Synchronization
import Testing

/// SES-8: a slow reader is thinned, then resynchronised, then closed, and never delays the others.
@Suite("WebSocketLoop: slow readers", .timeLimit(.minutes(10)))
struct SlowReaderTests {
    private static let item = [UInt8](repeating: 7, count: 32_768)

    /// Somebody who has stopped reading, and a socket that takes no more.
    private static func blocked(
        hooks: LoopHooks = LoopHooks(), _ change: @escaping (inout LoopOptions) -> Void = { _ in },
        _ body: @escaping (LoopBench, RawWebSocket, ConnectionID, Journal<[[UInt8]]>) async throws -> Void
    ) async throws {
        try await LoopBench.running(hooks: hooks, options: change) { server in
            let journal = Journal([[UInt8]]())
            let (socket, id) = try await server.accept(receiveBufferBytes: 8_192, reads: false) { arrival in
                if case .binary(let bytes) = arrival { journal.note { $0.append(bytes) } }
            }
            await server.run { loop in
                loop.follow(.make(1), id)
                loop.follow(.make(2), id)
            }
            // Each turn sends; the kernel's buffers end somewhere.
            while await server.counters.sendsBlocked == 0 { await server.runAndFlush { $0.send(item, to: id) } }
            try await body(server, socket, id, journal)
            socket.abort()
        }
    }

    // MARK: Revoking

    @Test func revoking_throwsAwayWhatWaits() async throws {
        try await Self.blocked { server, socket, id, journal in
            await server.run { loop in
                loop.broadcastEvent(.make(1), binary: [1], text: nil)
                loop.sendCatchUp([[2]], of: .make(1), to: id)
                loop.broadcastEvent(.make(2), binary: [3], text: nil)
                loop.send([4], to: id)
                loop.revoke([.make(1)], id)
            }
            #expect(await server.counters.itemsRevoked == 2)
            socket.resumeReading()
            try await journal.wait(until: "what was not revoked") { $0.last?.last == 4 }
            // The reader's messages may hold several items; none is of the revoked topic.
            let small = journal.now.flatMap { $0 }.filter { $0 != 7 }
            #expect(small == [3, 4])
        }
    }

    @Test func withdrawing_throwsAwayWhatWaits_andResynchronises() async throws {
        try await Self.blocked { server, socket, id, journal in
            await server.run { loop in
                loop.broadcastEvent(.make(1), binary: [1], text: nil)
                loop.sendCatchUp([[2]], of: .make(1), to: id)
                loop.broadcastEvent(.make(2), binary: [3], text: nil)
                loop.withdraw([.make(1)], from: id)
                // Until the snapshot.
                loop.broadcastEvent(.make(1), binary: [5], text: nil)
                loop.send([4], to: id)
            }
            socket.resumeReading()
            try await journal.wait(until: "what was not withdrawn") { $0.last?.last == 4 }
            #expect(journal.now.flatMap { $0 }.filter { $0 != 7 } == [3, 4])
            try await server.journal.wait(until: "the reader to catch up") { !$0.caughtUp.isEmpty }
            #expect(server.journal.now.caughtUp[0].stale == [.make(1)])
        }
    }

    @Test func severalTopics_areWithdrawnAtOnce_andThoseOfWhichNothingWaitsAreNotToldAnew() async throws {
        try await Self.blocked { server, socket, id, journal in
            await server.run { loop in
                loop.follow(.make(3), id)
                loop.broadcastEvent(.make(1), binary: [1], text: nil)
                loop.sendCatchUp([[2]], of: .make(2), to: id)
                loop.withdraw([.make(1), .make(2), .make(3)], from: id)
                loop.send([4], to: id)
            }
            #expect(await server.counters.itemsRevoked == 2)
            socket.resumeReading()
            try await journal.wait(until: "what was not withdrawn") { $0.last?.last == 4 }
            #expect(journal.now.flatMap { $0 }.filter { $0 != 7 } == [4])
            try await server.journal.wait(until: "the reader to catch up") { !$0.caughtUp.isEmpty }
            #expect(Set(server.journal.now.caughtUp[0].stale) == [.make(1), .make(2)])
        }
    }

    @Test func revokedTopic_isHeardOfNoMore() async throws {
        try await Self.blocked { server, socket, id, journal in
            await server.run { loop in
                loop.broadcastVolatile(.make(1), binary: [1], text: nil)
                loop.revoke([.make(1)], id)
                loop.broadcastEvent(.make(1), binary: [2], text: nil)
                loop.send([4], to: id)
            }
            socket.resumeReading()
            try await journal.wait(until: "the answer") { $0.last?.last == 4 }
            #expect(journal.now.flatMap { $0 }.filter { $0 != 7 } == [4])
            // Nothing has to be made up for either.
            #expect(server.journal.now.caughtUp.allSatisfy { !($0.missed + $0.stale).contains(.make(1)) })
        }
    }

    // MARK: Volatile lane

    @Test func volatileBatches_areLeftOutForABlockedReader() async throws {
        try await Self.blocked { server, _, id, _ in
            let waiting = await server.run { $0.waitingBytes(id) }
            for _ in 0..<10 { await server.run { $0.broadcastVolatile(.make(1), binary: [1], text: nil) } }
            #expect(await server.counters.volatileThinned == 10)
            #expect(await server.run { $0.waitingBytes(id) } == waiting)
        }
    }

    @Test func whatWasLeftOut_isReportedWhenTheReaderHasCaughtUp() async throws {
        try await Self.blocked { server, socket, id, _ in
            await server.run { $0.broadcastVolatile(.make(1), binary: [1], text: nil) }
            socket.resumeReading()
            try await server.journal.wait(until: "the reader to catch up") { $0.caughtUp.count == 1 }
            let report = server.journal.now.caughtUp[0]
            #expect(report.id == id)
            #expect(report.missed.contains(.make(1)))
            #expect(report.stale.isEmpty)
        }
    }

    @Test func volatileBatches_flowAgainOnceTheReaderHasCaughtUp() async throws {
        try await Self.blocked { server, socket, id, journal in
            await server.run { $0.broadcastVolatile(.make(1), binary: [1], text: nil) }
            socket.resumeReading()
            try await server.journal.wait(until: "the reader to catch up") { $0.caughtUp.count == 1 }
            #expect(server.journal.now.caughtUp[0].missed == [.make(1)])
            await server.run { loop in
                // Without the keyframe it would be about people that the reader was not told of.
                loop.broadcastVolatile(.make(1), binary: [41], text: nil)
                loop.broadcastVolatile(.make(2), binary: [42], text: nil)
                loop.sendKeyframe([43], of: .make(1), to: id)
                loop.broadcastVolatile(.make(1), binary: [44], text: nil)
            }
            try await journal.wait(until: "the batches") { $0.last?.last == 44 }
            #expect(journal.now.last == [42, 43, 44])
        }
    }

    /// A keyframe that blocks the socket must not be the cause of the next.
    @Test func batchesBehindALargeKeyframe_waitForIt() async throws {
        try await Self.blocked { server, socket, id, journal in
            await server.run { loop in
                loop.sendKeyframe(Self.item, of: .make(1), to: id)
                for number in 1...5 { loop.broadcastVolatile(.make(1), binary: [UInt8(50 + number)], text: nil) }
            }
            socket.resumeReading()
            try await journal.wait(until: "the batches") { $0.last?.last == 55 }
            #expect(journal.now.flatMap { $0 }.filter { $0 > 50 } == [51, 52, 53, 54, 55])
            #expect(await server.counters.volatileThinned == 0)
            #expect(server.journal.now.caughtUp.isEmpty)
        }
    }

    @Test func keyframesOfAReaderThatCannotKeepUp_areAskedForNowAndThen() async throws {
        let asked = Journal([MonotonicTime]())
        let hooks = LoopHooks(caughtUp: { loop, id in
            asked.note { $0.append(loop.now) }
            // More than it can take: blocked anew, and batches are left out again.
            loop.sendKeyframe([UInt8](repeating: 8, count: 4 << 20), of: .make(1), to: id)
            for _ in 0..<3 { loop.broadcastVolatile(.make(1), binary: Self.item, text: nil) }
        })
        try await Self.blocked(hooks: hooks, { $0.keyframeBytesPerSecond = 2 << 20 }) { server, socket, _, _ in
            await server.run { $0.broadcastVolatile(.make(1), binary: [1], text: nil) }
            socket.resumeReading()
            try await asked.wait(until: "the third time") { $0.count >= 3 }
            let times = asked.now
            #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .seconds(2) })
        }
    }

    @Test func stateOfWhatIsInView_isNotWhatAReaderIsBehindWith() async throws {
        try await Self.blocked({ $0.outboxBytesMax = 65_536 }) { server, socket, _, journal in
            let id = try #require(await server.run { $0.connectionIDs.first })
            await server.run { loop in
                // Twenty outboxes of snapshot; then an event, which has room all the same.
                loop.sendCatchUp(Array(repeating: Self.item, count: 40), of: .make(), to: id)
                loop.broadcastEvent(.make(1), binary: [77], text: nil)
            }
            #expect(await server.counters.eventsDropped == 0)
            #expect(await server.counters.closedSlow == 0)
            socket.resumeReading()
            try await journal.wait(until: "the event") { $0.last?.last == 77 }
        }
    }

    // MARK: Events

    @Test func eventsWithinTheBound_waitAndArriveInOrder() async throws {
        try await Self.blocked { server, socket, _, journal in
            await server.run { loop in
                for number in 1...50 { loop.broadcastEvent(.make(1), binary: [UInt8(number)], text: nil) }
            }
            socket.resumeReading()
            try await journal.wait(until: "the events") { $0.last?.last == 50 }
            #expect(journal.now.last == Array(1...50))
            #expect(await server.counters.eventsDropped == 0)
        }
    }

    @Test func eventsBeyondTheBound_areDroppedAndTheTopicReportedStale() async throws {
        try await Self.blocked({ $0.outboxBytesMax = 65_536 }) { server, socket, id, _ in
            await server.run { loop in
                for _ in 0..<4 { loop.broadcastEvent(.make(1), binary: Self.item, text: nil) }
            }
            #expect(await server.counters.eventsDropped > 0)
            #expect(await server.run { $0.waitingBytes(id) ?? .max } <= 65_536)
            socket.resumeReading()
            try await server.journal.wait(until: "the reader to catch up") { !$0.caughtUp.isEmpty }
            #expect(server.journal.now.caughtUp[0].stale == [.make(1)])
        }
    }

    @Test func staleTopic_getsNothingUntilItIsFollowedAnew() async throws {
        let hooks = LoopHooks(caughtUp: { loop, id in
            loop.broadcastEvent(.make(1), binary: [1], text: nil)
            loop.unfollow(.make(1), id)
            loop.send([100], to: id)
            loop.follow(.make(1), id)
            loop.broadcastEvent(.make(1), binary: [101], text: nil)
        })
        try await Self.blocked(hooks: hooks, { $0.outboxBytesMax = 65_536 }) { server, socket, _, journal in
            await server.run { loop in
                for _ in 0..<4 { loop.broadcastEvent(.make(1), binary: Self.item, text: nil) }
                loop.broadcastEvent(.make(1), binary: [2], text: nil)
            }
            socket.resumeReading()
            try await journal.wait(until: "the new state") { $0.last?.last == 101 }
            let tail = journal.now.flatMap { $0 }.filter { $0 != 7 }
            // The event of `caughtUp` itself is told before the topic is followed anew: only then is it not stale.
            #expect(tail.suffix(2) == [100, 101])
            #expect(!tail.contains(2))
        }
    }

    @Test func staleTopic_doesNotTouchTheOthers() async throws {
        try await Self.blocked({ $0.outboxBytesMax = 65_536 }) { server, socket, _, journal in
            await server.run { loop in
                for _ in 0..<4 { loop.broadcastEvent(.make(1), binary: Self.item, text: nil) }
                loop.broadcastEvent(.make(2), binary: [50], text: nil)
            }
            socket.resumeReading()
            try await journal.wait(until: "the other topic's event") { $0.last?.last == 50 }
            #expect(server.journal.now.caughtUp.allSatisfy { $0.stale == [.make(1)] })
        }
    }

    @Test func directItems_surviveTheDroppingOfEvents() async throws {
        try await Self.blocked({ $0.outboxBytesMax = 65_536 }) { server, socket, id, journal in
            await server.run { loop in
                loop.send([60], to: id)
                for _ in 0..<4 { loop.broadcastEvent(.make(1), binary: Self.item, text: nil) }
                loop.send([61], to: id)
            }
            socket.resumeReading()
            try await journal.wait(until: "the replies") { $0.last?.last == 61 }
            #expect(journal.now.flatMap { $0 }.filter { $0 >= 60 } == [60, 61])
        }
    }

    // MARK: The others

    @Test func slowReader_doesNotDelayTheOthers() async throws {
        try await Self.blocked { server, _, _, _ in
            let journal = Journal([UInt8]())
            let (socket, id) = try await server.accept { arrival in
                if case .binary(let bytes) = arrival { journal.note { $0 += bytes } }
            }
            await server.run { $0.follow(.make(1), id) }
            for number in 0..<100 {
                await server.run { $0.broadcastEvent(.make(1), binary: [UInt8(number)], text: nil) }
            }
            try await journal.wait(until: "all events") { $0.count == 100 }
            #expect(journal.now == Array(0..<100))
            socket.abort()
        }
    }

    // MARK: The end

    @Test func readerThatStaysBehind_isClosed() async throws {
        let change: @Sendable (inout LoopOptions) -> Void = { options in
            options.behindSecondsMax = 1
            options.slowCloseCode = 4_001
        }
        try await Self.blocked(change) { server, _, id, _ in
            try await server.journal.wait(until: "the end of the connection") { $0.closed.contains { $0.id == id } }
            #expect(await server.counters.closedSlow == 1)
        }
    }

    @Test func readerThatEndsItsOwnSide_isGoneAtOnce() async throws {
        try await Self.blocked { server, socket, id, _ in
            socket.endSending()
            // libwebsockets alone waits 5 s, and the loop spins meanwhile.
            try await server.journal.wait(until: "its end", patience: .seconds(3)) {
                $0.closed.contains { $0.id == id }
            }
        }
    }

    @Test func readerThatCatchesUpInTime_isNotClosed() async throws {
        try await Self.blocked({ $0.behindSecondsMax = 2 }) { server, socket, id, journal in
            await server.run { $0.broadcastVolatile(.make(1), binary: [1], text: nil) }
            socket.resumeReading()
            try await server.journal.wait(until: "the reader to catch up") { $0.caughtUp.count == 1 }
            // Three sweeps later, two of them after the deadline.
            for _ in 0..<3 {
                let ticks = server.journal.now.ticks.count
                await server.run { $0.requestTick(at: $0.now + .seconds(1)) }
                try await server.journal.wait(until: "a tick") { $0.ticks.count > ticks }
            }
            #expect(server.journal.now.closed.isEmpty)
            #expect(await server.run { $0.isBehind(id) } == false)
        }
    }

    /// Reads a little all the time and never catches up: behind is behind.
    @Test func readerThatDribbles_isClosedToo() async throws {
        let reader = Mutex<RawWebSocket?>(nil)
        let target = Mutex<ConnectionID>(0)
        let hooks = LoopHooks(ticked: { loop in
            let id = target.withLock { $0 }
            // More than the kernel ever takes at once waits at any time.
            let room = max(0, 4 << 20 - (loop.waitingBytes(id) ?? 4 << 20))
            for _ in 0..<room / Self.item.count { loop.send(Self.item, to: id) }
            reader.withLock { $0 }?.resumeReading()
            if loop.waitingBytes(id) != nil { loop.requestTick(at: loop.now + .milliseconds(5)) }
        })
        let change: @Sendable (inout LoopOptions) -> Void = { $0.behindSecondsMax = 1 }
        try await LoopBench.running(hooks: hooks, options: change) { server in
            let arrivals = Journal(0)
            let (socket, id) = try await server.accept(receiveBufferBytes: 8_192, reads: false) { _ in
                // One message at a time.
                reader.withLock { $0 }?.pauseReading()
                arrivals.note { $0 += 1 }
            }
            reader.withLock { $0 = socket }
            target.withLock { $0 = id }
            while await server.counters.sendsBlocked == 0 { await server.run { $0.send(Self.item, to: id) } }
            await server.run { $0.requestTick(at: 0) }
            try await server.journal.wait(until: "the end of the connection") { $0.closed.contains { $0.id == id } }
            #expect(await server.counters.closedSlow == 1)
            #expect(await server.counters.sendsBlocked > 1)
            #expect(arrivals.now > 1)
            socket.abort()
            reader.withLock { $0 = nil }
        }
    }
}

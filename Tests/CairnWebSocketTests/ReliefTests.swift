import CairnTesting
import CairnWebSocket
import Testing

/// Making room in memory: those go for whom most waits (pitfalls B30).
@Suite("WebSocketLoop: relief", .timeLimit(.minutes(10)))
struct ReliefTests {
    private static let item = [UInt8](repeating: 7, count: 32_768)

    /// Readers who have stopped, with so many items each that wait beyond what the system takes.
    private static func blocked(
        _ counts: [Int], codes: Journal<[UInt16]> = Journal([]),
        _ body: @escaping (LoopBench, [RawWebSocket], [ConnectionID]) async throws -> Void
    ) async throws {
        try await LoopBench.running { server in
            var (sockets, ids): ([RawWebSocket], [ConnectionID]) = ([], [])
            for count in counts {
                let (socket, id) = try await server.accept(receiveBufferBytes: 8_192, reads: false) { arrival in
                    if case .closed(let code) = arrival { codes.note { $0.append(code) } }
                }
                while await server.run({ $0.isBehind(id) }) == false {
                    await server.runAndFlush { $0.send(item, to: id) }
                }
                await server.run { loop in
                    for _ in 0..<count { loop.send(item, to: id) }
                }
                sockets.append(socket)
                ids.append(id)
            }
            try await body(server, sockets, ids)
            for socket in sockets { socket.abort() }
        }
    }

    private static func close(_ loop: WebSocketLoop, sparing spared: ConnectionID? = nil) -> Int {
        loop.closeFurthestBehind(waitingAtLeast: 65_536, code: 1_013, reason: "overloaded") { $0 != spared }
    }

    @Test func thoseWithTheMostWaiting_go_untilHalfOfItIsGone() async throws {
        try await Self.blocked([4, 20, 6, 5]) { server, _, ids in
            #expect(await server.run { Self.close($0) } == 1)
            let waiting = await server.run { loop in ids.map { loop.waitingBytes($0) ?? 0 } }
            #expect(waiting[1] == 0)
            #expect(waiting[0] >= 4 * 32_768 && waiting[2] >= 6 * 32_768 && waiting[3] >= 5 * 32_768)
        }
    }

    @Test func whatWaitedForThem_isFreeAtOnce_andCountedAsLost() async throws {
        try await Self.blocked([20]) { server, _, _ in
            let before = await server.counters
            _ = await server.run { Self.close($0) }
            let after = await server.counters
            #expect(before.bytesQueued >= 20 * 32_768)
            #expect(after.bytesQueued == 0)
            #expect(after.itemsWaiting == 0)
            #expect(after.itemsLost - before.itemsLost == UInt64(before.itemsWaiting))
        }
    }

    @Test func whoHasLittleWaiting_stays() async throws {
        try await Self.blocked([0]) { server, _, ids in
            #expect(await server.run { Self.close($0) } == 0)
            #expect(await server.run { $0.waitingBytes(ids[0]) } != nil)
        }
    }

    @Test func whoIsNotEligible_stays() async throws {
        try await Self.blocked([20]) { server, _, ids in
            #expect(await server.run { Self.close($0, sparing: ids[0]) } == 0)
            #expect((await server.counters).bytesQueued >= 20 * 32_768)
        }
    }

    @Test func whoReadsAgain_learnsFromTheCode_why() async throws {
        let codes = Journal([UInt16]())
        try await Self.blocked([20], codes: codes) { server, sockets, _ in
            _ = await server.run { Self.close($0) }
            sockets[0].resumeReading()
            try await codes.wait(until: "the end") { !$0.isEmpty }
            #expect(codes.now == [1_013])
        }
    }

    // MARK: Budget

    @Test func outboxesBeyondTheBudget_areClosedForWithinTheTurn() async throws {
        let budget = OutboxBudget()
        let hooks = LoopHooks(outboxesOverBudget: { _ = Self.close($0) })
        try await LoopBench.running(hooks: hooks, options: { $0.outboxBudget = budget }) { server in
            let (socket, id) = try await server.accept(receiveBufferBytes: 8_192, reads: false)
            while await server.run({ $0.isBehind(id) }) == false {
                await server.runAndFlush { $0.send(Self.item, to: id) }
            }
            await server.run { loop in
                budget.set(10 * Self.item.count)
                for _ in 0..<10 { loop.send(Self.item, to: id) }
            }
            #expect(await server.run { $0.waitingBytes(id) ?? 0 } >= 10 * Self.item.count, "what it may be")
            await server.run { $0.send(Self.item, to: id) }
            #expect(await server.run { $0.waitingBytes(id) ?? 0 } == 0)
            #expect(budget.left >= 10 * Self.item.count, "what was freed may be used again")
            socket.abort()
        }
    }

    @Test func whatReadersTakeAtOnce_drawsOnNoBudget() async throws {
        let budget = OutboxBudget(bytes: 1)
        try await LoopBench.running(options: { $0.outboxBudget = budget }) { server in
            let (socket, id) = try await server.accept()
            for _ in 0..<10 { await server.runAndFlush { $0.send([1, 2, 3], to: id) } }
            #expect(budget.left == 1)
            socket.abort()
        }
    }

    @Test func budgetWithoutBound_staysWithoutBound() async throws {
        let budget = OutboxBudget()
        let hooks = LoopHooks(outboxesOverBudget: { _ in Issue.record("there is no bound") })
        try await LoopBench.running(hooks: hooks, options: { $0.outboxBudget = budget }) { server in
            let (socket, id) = try await server.accept(receiveBufferBytes: 8_192, reads: false)
            while await server.run({ $0.isBehind(id) }) == false {
                await server.runAndFlush { $0.send(Self.item, to: id) }
            }
            await server.runAndFlush { loop in (0..<50).forEach { _ in loop.send(Self.item, to: id) } }
            socket.abort()
        }
    }
}

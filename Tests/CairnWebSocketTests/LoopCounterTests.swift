import CairnTesting
import CairnWebSocket
import Testing

/// Invariant 10: what the transport turns away, drops and closes is counted by reason.
@Suite("WebSocketLoop: counters", .timeLimit(.minutes(10)))
struct LoopCounterTests {
    private static func rejections(_ counters: LoopCounters, _ reason: TransportRejection) -> UInt64 {
        counters.rejections[reason.rawValue]
    }

    @Test func connectionThatIsNotAdmitted_isCounted() async throws {
        try await LoopBench.running(hooks: LoopHooks(admits: { false })) { bench in
            #expect(throws: (any Error).self) { try RawWebSocket(port: bench.port, path: "/") { _ in } }
            #expect(Self.rejections(await bench.counters, .admission) == 1)
        }
    }

    @Test func refusedHandshake_isCountedAndAnsweredWithItsStatus() async throws {
        try await LoopBench.running(hooks: LoopHooks(refusal: { _ in HTTPResponse(status: 403, body: []) })) { bench in
            let error = #expect(throws: BenchError.self) {
                try RawWebSocket(port: bench.port, path: "/", subprotocol: "test.binary") { _ in }
            }
            #expect(error?.description.contains("403") == true)
            #expect(Self.rejections(await bench.counters, .origin) == 1)
        }
    }

    @Test func unknownSubprotocol_isCounted() async throws {
        try await LoopBench.running { bench in
            #expect(throws: (any Error).self) {
                try RawWebSocket(port: bench.port, path: "/", subprotocol: "unheard-of") { _ in }
            }
            #expect(Self.rejections(await bench.counters, .subprotocol) == 1)
        }
    }

    @Test func messageBeyondTheLimit_isCountedAndClosedWith1009() async throws {
        try await LoopBench.running { bench in
            let journal = Journal([UInt16]())
            let (socket, _) = try await bench.accept { arrival in
                if case .closed(let code) = arrival { journal.note { $0.append(code) } }
            }
            socket.send(binary: Array(repeating: 0, count: 65_537))
            try await journal.wait(until: "the end") { !$0.isEmpty }
            #expect(journal.now == [1_009])
            #expect(Self.rejections(await bench.counters, .messageBytes) == 1)
            #expect(bench.journal.now.messages.isEmpty)
        }
    }

    @Test func openAndClosed_addUp() async throws {
        try await LoopBench.running { bench in
            let sockets = try await [bench.accept(), bench.accept(), bench.accept()]
            #expect(await bench.counters.connections == 3)
            sockets[0].socket.close()
            sockets[1].socket.abort()
            try await bench.journal.wait(until: "two ends") { $0.closed.count == 2 }
            let counters = await bench.counters
            #expect((counters.connections, counters.opened, counters.closed) == (1, 3, 2))
            sockets[2].socket.abort()
            try await bench.journal.wait(until: "all given back") { $0.released == 3 }
        }
    }

    @Test func peersCloseCode_isHandedOn() async throws {
        try await LoopBench.running { bench in
            let (socket, id) = try await bench.accept()
            socket.close(code: 4_242)
            try await bench.journal.wait(until: "the end") { !$0.closed.isEmpty }
            #expect(bench.journal.now.closed.map(\.code) == [4_242])
            #expect(bench.journal.now.closed.map(\.id) == [id])
        }
    }

    @Test func ourCloseCode_reachesThePeerAfterWhatWaited() async throws {
        try await LoopBench.running { bench in
            let journal = Journal([String]())
            let (_, id) = try await bench.accept { arrival in
                journal.note { seen in
                    switch arrival {
                    case .binary(let bytes): seen.append("\(bytes)")
                    case .closed(let code): seen.append("closed \(code)")
                    case .text: seen.append("text")
                    }
                }
            }
            await bench.run { loop in
                loop.send([1], to: id)
                loop.close(id, code: 4_003, reason: "because")
                loop.send([2], to: id)
            }
            try await journal.wait(until: "the end") { $0.count == 2 }
            #expect(journal.now == ["[1]", "closed 4003"])
        }
    }

    /// Every item that was meant for somebody is sent, waits, or is counted among what was not sent.
    @Test func items_addUp() async throws {
        let item = [UInt8](repeating: 1, count: 20_000)
        try await LoopBench.running(options: { $0.outboxBytesMax = 65_536 }) { bench in
            let (slow, slowID) = try await bench.accept(receiveBufferBytes: 8_192, reads: false)
            let (quick, quickID) = try await bench.accept()
            await bench.run { loop in
                for id in [slowID, quickID] { loop.follow(.make(), id) }
            }
            for round in 0..<400 {
                await bench.run { loop in
                    loop.broadcastVolatile(.make(), binary: item, text: nil)
                    loop.broadcastEvent(.make(), binary: item, text: nil)
                    if round.isMultiple(of: 10) { loop.send(item, to: slowID) }
                }
                let counters = await bench.counters
                #expect(counters.itemsOffered == counters.itemsAccounted)
                #expect(counters.itemsWaiting >= 0 && counters.bytesQueued >= 0)
            }
            slow.abort()
            try await bench.journal.wait(until: "the end of the slow one") { !$0.closed.isEmpty }
            let counters = await bench.counters
            #expect(counters.itemsOffered == counters.itemsAccounted)
            #expect(counters.eventsDropped > 0 && counters.eventsSuperseded > 0 && counters.volatileThinned > 0)
            #expect(counters.itemsLost > 0)
            quick.abort()
        }
    }
}

extension LoopCounters {
    fileprivate var itemsAccounted: UInt64 {
        itemsSent + UInt64(itemsWaiting) + volatileThinned + eventsDropped + eventsSuperseded + itemsRevoked
            + itemsLost
    }
}

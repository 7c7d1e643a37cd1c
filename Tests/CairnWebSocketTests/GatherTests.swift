import CairnTesting
import CairnWebSocket
import Testing

/// A busy loop reads its input in gulps (decision record 0004).
@Suite("WebSocketLoop: gathering", .tags(.alone), .timeLimit(.minutes(10)))
struct GatherTests {
    /// Sends messages of fifty connections in turn, two milliseconds apart: too far for one wake-up to find two of them
    /// by itself. Each connection says `rounds` of them, numbered.
    private func trickle(rounds: Int, into bench: LoopBench) async throws {
        var sockets: [RawWebSocket] = []
        for _ in 0..<50 { sockets.append(try await bench.accept().0) }
        for round in 0..<rounds {
            for (number, socket) in sockets.enumerated() {
                socket.send(binary: [UInt8(number), UInt8(round)])
                try await Task.sleep(for: .milliseconds(2))
            }
        }
        try await bench.journal.wait(until: "all messages") { $0.messages.count == rounds * 50 }
        let heard = bench.journal.now.messages.map(\.bytes)
        for number in sockets.indices {
            #expect(heard.filter { $0[0] == UInt8(number) }.map { $0[1] } == (0..<UInt8(rounds)).map { $0 })
        }
    }

    private func batches(gather milliseconds: Int) async throws -> [Int] {
        try await LoopBench.running(options: { $0.gatherMilliseconds = milliseconds }) { bench in
            try await trickle(rounds: 8, into: bench)
            return bench.journal.now.batches
        }
    }

    @Test func busyLoop_readsManyMessagesATurn() async throws {
        let gathered = try await batches(gather: 20)
        let single = try await batches(gather: 0)
        // The first two tenths of a second find the loop not busy yet; a loaded machine trickles more slowly.
        #expect(gathered.count * 2 < single.count, "\(gathered.count) turns against \(single.count)")
    }

    /// What one connection says in a burst makes nobody else wait.
    @Test func burstsOfOneConnection_areNoReasonToWait() async throws {
        try await LoopBench.running(options: { $0.gatherMilliseconds = 20 }) { bench in
            let (loud, _) = try await bench.accept()
            let (quiet, _) = try await bench.accept()
            var delays: [Duration] = []
            for number in 1...20 {
                for _ in 0..<100 { loud.send(binary: [2]) }
                try await bench.journal.wait(until: "the burst") { journal in
                    journal.messages.count { $0.bytes == [2] } == 100 * number
                }
                let sent = ContinuousClock.now
                quiet.send(binary: [1])
                try await bench.journal.wait(until: "the message") { $0.messages.count { $0.bytes == [1] } == number }
                delays.append(sent.duration(to: .now))
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(delays.sorted()[10] < .milliseconds(15))
        }
    }

    /// Nor does a crowd of connections that come, say something and go.
    @Test func connectionsThatComeAndGo_areNoReasonToWait() async throws {
        try await LoopBench.running(options: { $0.gatherMilliseconds = 20 }) { bench in
            let (quiet, _) = try await bench.accept()
            async let visits: Void = {
                for _ in 0..<300 {
                    let (visitor, _) = try await bench.accept()
                    for _ in 0..<20 { visitor.send(binary: [2]) }
                    visitor.close()
                }
            }()
            try await bench.journal.wait(until: "many of them") { $0.messages.count >= 1_000 }
            var delays: [Duration] = []
            for number in 1...20 {
                let sent = ContinuousClock.now
                quiet.send(binary: [1])
                try await bench.journal.wait(until: "the message") { $0.messages.count { $0.bytes == [1] } == number }
                delays.append(sent.duration(to: .now))
                try await Task.sleep(for: .milliseconds(2))
            }
            #expect(delays.sorted()[10] < .milliseconds(8))
            try await visits
        }
    }

    /// One message in sixteen is: then none waits.
    @Test func urgentMessages_endTheWaiting() async throws {
        var hooks = LoopHooks()
        // Every tenth connection says nothing else.
        hooks.received = { loop, connection in
            if connection % 10 == 0 { loop.wasUrgent() }
        }
        let batches = try await LoopBench.running(hooks: hooks, options: { $0.gatherMilliseconds = 20 }) { bench in
            try await trickle(rounds: 8, into: bench)
            return bench.journal.now.batches
        }
        let unhurried = try await self.batches(gather: 20)
        #expect(unhurried.count * 2 < batches.count, "\(unhurried.count) turns against \(batches.count)")
    }

    @Test func quietLoop_neverWaits() async throws {
        try await LoopBench.running(options: { $0.gatherMilliseconds = 20 }) { bench in
            let (socket, _) = try await bench.accept()
            var delays: [Duration] = []
            for number in 1...20 {
                let sent = ContinuousClock.now
                socket.send(binary: [1])
                try await bench.journal.wait(until: "the message") { $0.messages.count == number }
                delays.append(sent.duration(to: .now))
            }
            #expect(delays.sorted()[10] < .milliseconds(15))
        }
    }

    @Test func workFromOtherThreads_endsTheWait() async throws {
        try await LoopBench.running(options: { $0.gatherMilliseconds = 20 }) { bench in
            async let flood: Void = trickle(rounds: 8, into: bench)
            try await Task.sleep(for: .milliseconds(300))
            var delays: [Duration] = []
            for _ in 0..<20 {
                let posted = ContinuousClock.now
                _ = await bench.run { _ in }
                delays.append(posted.duration(to: .now))
            }
            #expect(delays.sorted()[10] < .milliseconds(5))
            try await flood
        }
    }
}

import CairnTesting
import CairnWebSocket
import Testing

/// A busy loop reads its input in gulps (decision record 0004).
@Suite("WebSocketLoop: gathering", .timeLimit(.minutes(1)))
struct GatherTests {
    /// Sends `count` messages two milliseconds apart: too far for one wake-up to find two of them by itself.
    private func trickle(_ count: Int, into bench: LoopBench) async throws {
        let (socket, _) = try await bench.accept()
        for number in 0..<count {
            socket.send(binary: [UInt8(truncatingIfNeeded: number)])
            try await Task.sleep(for: .milliseconds(2))
        }
        try await bench.journal.wait(until: "all messages") { $0.messages.count == count }
        let order = bench.journal.now.messages.map { $0.bytes[0] }
        #expect(order == (0..<count).map { UInt8(truncatingIfNeeded: $0) })
    }

    private func batches(gather milliseconds: Int) async throws -> [Int] {
        try await LoopBench.running(options: { $0.gatherMilliseconds = milliseconds }) { bench in
            try await trickle(400, into: bench)
            return bench.journal.now.batches
        }
    }

    @Test func busyLoop_readsManyMessagesATurn() async throws {
        let gathered = try await batches(gather: 20)
        let single = try await batches(gather: 0)
        // The first tenth of a second finds the loop not busy yet; a loaded machine trickles more slowly.
        #expect(gathered.count * 2 < single.count, "\(gathered.count) turns against \(single.count)")
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
            async let flood: Void = trickle(400, into: bench)
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

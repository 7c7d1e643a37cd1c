import CairnTesting
import CairnWebSocket
import Foundation
import Testing

/// Input is read no faster than a rate, frames that libwebsockets answers by itself included (SES-12).
@Suite("WebSocketLoop: rate of input", .timeLimit(.minutes(10)))
struct InputRateTests {
    /// Far below what a loop without optimization reads on a slow day: 600 KB of pings a second.
    private static let rate = 150_000

    private func throttlings(_ bench: LoopBench) async -> UInt64 {
        await bench.counters.rejections[TransportRejection.input.rawValue]
    }

    @Test func pings_areReadNoFasterThanTheRate_andTheConnectionStays() async throws {
        try await LoopBench.running(options: { $0.inputBytesPerSecond = Self.rate }) { bench in
            let (socket, _) = try await bench.accept()
            let began = ContinuousClock.now
            socket.send(pings: 2 * Self.rate / 6)
            socket.send(binary: [7])
            try await bench.journal.wait(until: "the message behind the pings") { !$0.messages.isEmpty }
            // A quarter of a second's worth is free, and so is what was read before it was noticed.
            #expect(began.duration(to: .now) > .seconds(1))
            #expect(await throttlings(bench) > 0)
            #expect(bench.journal.now.closed.isEmpty)
        }
    }

    @Test func messagesInsideTheRate_areNotHeldUp() async throws {
        try await LoopBench.running(options: { $0.inputBytesPerSecond = 1_000_000 }) { bench in
            let (socket, _) = try await bench.accept()
            // Each read costs as much as some hundred bytes; all of them together are free, however fast they come.
            for number in 0..<100 {
                socket.send(binary: [1])
                try await bench.journal.wait(until: "the message") { $0.messages.count == number + 1 }
            }
            #expect(await throttlings(bench) == 0)
        }
    }

    @Test func connectionThatIsThrottled_canBeClosed() async throws {
        try await LoopBench.running(options: { $0.inputBytesPerSecond = 10_000 }) { bench in
            let (socket, id) = try await bench.accept()
            // Sending blocks while nobody reads, so it has a thread of its own, which ends with the connection.
            Thread.detachNewThread { while socket.send(pings: 10_000) {} }
            #expect(await soon { await throttlings(bench) > 0 })
            await bench.run { $0.close(id, code: 1_000, reason: "enough") }
            try await bench.journal.wait(until: "its end") { !$0.closed.isEmpty }
            socket.abort()
        }
    }
}

import CairnTesting
import CairnWebSocket
import Foundation
import Testing

/// A process goes on after a loop has ended: apps with the client library do, and so do tests.
///
/// Each runs in a process of its own, so that the descriptors counted are nobody else's.
@Suite("WebSocketLoop: end", .timeLimit(.minutes(10)))
struct LoopEndTests {
    @Test func endOfALoop_leavesStandardInputOpen() async {
        await #expect(processExitsWith: .success) {
            try await LoopEnds.connectAndEnd()
            exit(fcntl(STDIN_FILENO, F_GETFD) == -1 ? 1 : 0)
        }
    }

    @Test func endOfLoops_leavesNoDescriptorBehind() async {
        await #expect(processExitsWith: .success) {
            // What is opened once and kept is not counted.
            for _ in 0..<3 { try await LoopEnds.connectAndEnd() }
            let before = try await LoopEnds.settledDescriptorCount()
            for _ in 0..<10 { try await LoopEnds.connectAndEnd() }
            exit(try await LoopEnds.settledDescriptorCount() <= before ? 0 : 1)
        }
    }

    /// L36: libwebsockets closes one number twice, and in between it may be somebody else's.
    @Test func endOfALoop_closesNobodyElsesDescriptor() async {
        await #expect(processExitsWith: .success) {
            // Strangers take every number that becomes free, at once, and look after it.
            for _ in 0..<4 {
                Thread.detachNewThread {
                    while true {
                        let descriptor = open("/dev/null", O_RDONLY)
                        for _ in 0..<100 where fcntl(descriptor, F_GETFD) == -1 { exit(1) }
                        close(descriptor)
                    }
                }
            }
            for _ in 0..<100 { try await LoopEnds.connectAndEnd() }
            exit(0)
        }
    }

    @Test func endOfALoop_endsItsConnections() async throws {
        let journal = Journal([UInt16]())
        try await LoopBench.running { bench in
            _ = try await bench.accept { arrival in
                if case .closed(let code) = arrival { journal.note { $0.append(code) } }
            }
        }
        try await journal.wait(until: "the end of the connection") { !$0.isEmpty }
        #expect(journal.now == [1_006])
    }
}

private enum LoopEnds {
    /// A loop that has served somebody, ended.
    static func connectAndEnd() async throws {
        let journal = Journal(false)
        try await LoopBench.running { bench in
            let (socket, _) = try await bench.accept { arrival in
                if case .closed = arrival { journal.note { $0 = true } }
            }
            socket.send(binary: [1])
            try await bench.journal.wait(until: "a message") { !$0.messages.isEmpty }
        }
        try await journal.wait(until: "the end of the connection") { $0 }
    }

    /// Descriptors that are open once those on their way out have gone.
    static func settledDescriptorCount() async throws -> Int {
        var count = Int.max
        for _ in 0..<200 {
            let now = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            count = min(count, now)
            await Task.yield()
        }
        return count
    }
}

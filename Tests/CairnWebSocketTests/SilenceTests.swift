import CairnTesting
import CairnWebSocket
import Foundation
import Testing

/// Who is silent is dropped, and nobody else (SES-4).
@Suite("WebSocketLoop: silence", .timeLimit(.minutes(10)))
struct SilenceTests {
    private static let strict: @Sendable (inout LoopOptions) -> Void = { options in
        options.pingSeconds = 1
        options.silenceSeconds = 2
    }

    @Test func silentPeer_isDroppedAndCounted() async throws {
        let change: @Sendable (inout LoopOptions) -> Void = { options in
            options.pingSeconds = 1
            options.silenceSeconds = 3
        }
        try await LoopBench.running(options: change) { server in
            let (unread, unreadID) = try await server.accept()
            await server.run { $0.pause(unreadID, true) }
            let (deaf, deafID) = try await server.accept(reads: false)
            let (alive, aliveID) = try await server.accept()
            try await server.journal.wait(until: "the end of the silent one") { !$0.closed.isEmpty }
            #expect(server.journal.now.closed.map(\.id) == [deafID])
            #expect(await server.counters.closedSilent == 1)
            // Whoever answers pings stays.
            #expect(await server.run { $0.isText(aliveID) } == false)
            // Nor is it silent whom we do not read.
            #expect(await server.run { $0.isText(unreadID) } == false)
            unread.abort()
            deaf.abort()
            alive.abort()
        }
    }

    /// A loop, or the whole process, that stands still for longer than the limit: the answers to its pings are there,
    /// and it has not read them.
    @Test func peers_areNotDroppedForATimeInWhichTheLoopStoodStill() async throws {
        try await LoopBench.running(options: Self.strict) { server in
            let (alive, id) = try await server.accept()
            await server.run { _ in Thread.sleep(forTimeInterval: 2.6) }
            try await Self.sweeps(2, of: server)
            #expect(await server.run { $0.isText(id) } == false)
            #expect(await server.counters.closedSilent == 0)
            alive.abort()
        }
    }

    /// Sweeps come when they can: one that is late finds a silence beyond the limit of which no ping has told yet.
    @Test func peers_areNotDroppedBeforeAPingWasSent() async throws {
        try await LoopBench.running(options: Self.strict) { server in
            try await Self.sweeps(1, of: server)
            let (alive, id) = try await server.accept()
            // Not quite a second of silence, which wants no ping; and at the next sweep more than two.
            try await Self.sweeps(1, of: server)
            await server.run { _ in Thread.sleep(forTimeInterval: 1.15) }
            try await Self.sweeps(2, of: server)
            #expect(await server.run { $0.isText(id) } == false)
            #expect(await server.counters.closedSilent == 0)
            alive.abort()
        }
    }

    /// Waits for so many seconds of the loop's own time.
    private static func sweeps(_ count: Int, of server: LoopBench) async throws {
        for _ in 0..<count {
            let before = server.journal.look { $0.sweeps }
            try await server.journal.wait(until: "a sweep") { $0.sweeps > before }
        }
    }
}

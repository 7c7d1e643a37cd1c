import CairnTesting
import Foundation
import Synchronization
import Testing

@testable import CairnWebSocket

/// Answers in pieces, over real sockets.
@Suite("WebSocketLoop: bodies", .timeLimit(.minutes(10)))
struct BodyTests {
    /// A loop with a lane that answers every GET with what `answer` makes.
    private static func running(
        _ answer: @escaping @Sendable (HTTPHead) async -> HTTPResponse, client: PeerAddress? = nil,
        options change: @escaping (inout LoopOptions) -> Void = { _ in },
        _ body: (LoopBench, BulkLane) async throws -> Void
    ) async throws {
        let lane = BulkLane()
        let hooks = LoopHooks(answer: { head in .later(LaterAnswer(client: client) { await answer(head) }) })
        try await LoopBench.running(
            hooks: hooks,
            options: { options in
                options.bulkLane = lane
                // A test that has to wait for a processor is no slow reader.
                options.handshakeSecondsMax = 600
                change(&options)
            }
        ) { bench in try await body(bench, lane) }
    }

    /// Produces for as long as it is asked.
    private static let endless: @Sendable (HTTPHead) async -> HTTPResponse = { _ in
        HTTPResponse(
            status: 200, contentType: "text/plain", headers: [],
            body: .stream(ProducedBody { [UInt8](repeating: 7, count: 65_536) }))
    }

    /// What was asked for by its path: `/file`, or so many bytes of noise that somebody produces.
    private static func noisy(_ head: HTTPHead) -> HTTPResponse {
        let count = Int(head.path.dropFirst()) ?? 0
        let left = Mutex(noise(count, count)[...])
        return HTTPContent(contentType: "text/plain") {
            ProducedBody {
                left.withLock { left in
                    guard !left.isEmpty else { return nil }
                    defer { left = left.dropFirst(50_000) }
                    return Array(left.prefix(50_000))
                }
            }
        }.response(to: head)
    }

    /// Looks once a second.
    private static func wait(
        _ bench: LoopBench, _ lane: BulkLane, until isReached: (BulkLane.Figures) -> Bool
    ) async throws {
        while !isReached(lane.figures) {
            let sweeps = bench.journal.now.sweeps
            try await bench.journal.wait(until: "the next second") { $0.sweeps > sweeps }
        }
    }

    // MARK: Forms

    @Test func file_isSentWholeAndInParts() async throws {
        let folder = try TemporaryFolder()
        let bytes = noise(1_000_001, 1)
        let path = folder.path + "/file"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        try await Self.running({ head in
            guard let file = OpenFile(path: path) else { return HTTPResponse(status: 404, body: []) }
            return HTTPContent(file, contentType: "application/octet-stream").response(to: head)
        }) { bench, lane in
            let client = try RawHTTP(port: bench.port)
            client.ask("/")
            let whole = try await client.answer()
            #expect(whole.status == 200)
            #expect(whole.headers["content-length"] == "1000001")
            #expect(digest(whole.body) == digest(bytes))
            client.ask("/", headers: ["Range: bytes=999990-", "If-Range: \(whole.headers["etag"] ?? "")"])
            let part = try await client.answer()
            #expect(part.status == 206)
            #expect(part.headers["content-range"] == "bytes 999990-1000000/1000001")
            #expect(digest(part.body) == digest(Array(bytes[999_990...])))
            client.ask("/", headers: ["If-None-Match: \(whole.headers["etag"] ?? "")"])
            #expect(try await client.answer().status == 304)
            try await Self.wait(bench, lane) { $0.running == 0 }
            #expect(lane.figures.completed == 3)
            #expect(lane.figures.cutOff == 0)
            #expect(lane.figures.bytes == 1_000_012)
        }
    }

    @Test func producedBody_comesInChunks() async throws {
        try await Self.running({ Self.noisy($0) }) { bench, _ in
            let client = try RawHTTP(port: bench.port)
            client.ask("/300000")
            let answer = try await client.answer()
            #expect(answer.isWhole)
            #expect(answer.chunks == 6)
            #expect(answer.headers["content-length"] == nil)
            #expect(digest(answer.body) == digest(noise(300_000, 300_000)))
        }
    }

    @Test func packedBody_comesInChunks() async throws {
        try await Self.running({ Self.noisy($0) }) { bench, _ in
            let client = try RawHTTP(port: bench.port)
            client.ask("/300000", headers: ["Accept-Encoding: gzip"])
            let answer = try await client.answer()
            #expect(answer.headers["content-encoding"] == "gzip")
            #expect(digest(try await unpacked(answer.body) ?? []) == digest(noise(300_000, 300_000)))
        }
    }

    @Test func bodyOfNothing_endsAtOnce() async throws {
        try await Self.running({ Self.noisy($0) }) { bench, _ in
            let client = try RawHTTP(port: bench.port)
            for version in ["1.1", "1.0"] {
                client.ask("/0", version: version)
                let answer = try await client.answer()
                #expect(answer.isWhole)
                #expect(answer.body.isEmpty)
            }
        }
    }

    @Test func oldClient_getsTheBodyUntilTheConnectionEnds() async throws {
        try await Self.running({ Self.noisy($0) }) { bench, lane in
            let client = try RawHTTP(port: bench.port)
            client.ask("/150000", version: "1.0", headers: ["Connection: keep-alive"])
            let answer = try await client.answer()
            #expect(answer.headers["connection"] == "close")
            #expect(answer.headers["transfer-encoding"] == nil)
            #expect(digest(answer.body) == digest(noise(150_000, 150_000)))
            #expect(lane.figures.cutOff == 0)
        }
    }

    @Test func head_hasNoBodyAndAsksForNone() async throws {
        let asked = Journal(0)
        try await Self.running({ head in
            HTTPContent(contentType: "text/plain") {
                ProducedBody {
                    asked.note { $0 += 1 } as Void
                    return nil
                }
            }.response(to: head)
        }) { bench, lane in
            let client = try RawHTTP(port: bench.port)
            client.ask("/", method: "HEAD")
            #expect(try await client.answer(isHead: true).status == 200)
            #expect(asked.now == 0)
            client.ask("/")
            #expect(try await client.answer().isWhole)
            #expect(asked.now == 1)
        }
    }

    @Test func largeBodyInMemory_isSentInPieces() async throws {
        let lane = BulkLane()
        let bytes = noise(300_000, 2)
        let hooks = LoopHooks(answer: { _ in .now(HTTPResponse(status: 200, body: bytes)) })
        try await LoopBench.running(hooks: hooks, options: { $0.bulkLane = lane }) { bench in
            let client = try RawHTTP(port: bench.port)
            client.ask("/")
            #expect(try await digest(client.answer().body) == digest(bytes))
            #expect(lane.figures.bytes == 300_000)
        }
    }

    // MARK: Connections

    /// The rest of them waits in libwebsockets and in the kernel while the first is answered.
    @Test func pipelinedRequests_areAnsweredInOrder() async throws {
        try await Self.running({ Self.noisy($0) }) { bench, _ in
            let client = try RawHTTP(port: bench.port)
            let counts = [100_000, 3, 70_000, 65_536, 1, 500_000]
            client.send(counts.map { RawHTTP.request("/\($0)") }.joined())
            for count in counts {
                let answer = try await client.answer()
                #expect(answer.isWhole)
                #expect(digest(answer.body) == digest(noise(count, count)))
            }
        }
    }

    /// L24, L40: neither what the kernel has nor what libwebsockets has read already may keep the loop busy.
    @Test func waitingBodyWithRequestsBehindIt_costsNoProcessor() async throws {
        let gate = Journal(false)
        try await Self.running({ head in
            if head.path == "/gate" { try? await gate.wait(until: "the gate") { $0 } }
            return Self.noisy(head)
        }) { bench, _ in
            let client = try RawHTTP(port: bench.port)
            client.send(["/3", "/gate", "/4", "/5"].map { RawHTTP.request($0) }.joined())
            #expect(try await digest(client.answer().body) == digest(noise(3, 3)))
            client.ask("/6")
            let sweeps = bench.journal.now.sweeps
            try await bench.journal.wait(until: "the sweep that follows") { $0.sweeps > sweeps }
            let before = await bench.run { _ in Self.busyMicroseconds }
            try await bench.journal.wait(until: "two seconds") { $0.sweeps >= sweeps + 3 }
            let spent = await bench.run { _ in Self.busyMicroseconds } - before
            #expect(spent < 200_000)
            gate.note { $0 = true }
            #expect(try await client.answer().isWhole)
            for count in [4, 5, 6] { #expect(try await digest(client.answer().body) == digest(noise(count, count))) }
        }
    }

    /// Processor time of the calling thread.
    private static var busyMicroseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
    }

    @Test func whatIsSentDuringABody_waits() async throws {
        try await Self.running({ Self.noisy($0) }) { bench, _ in
            let client = try RawHTTP(port: bench.port, receiveBufferBytes: 8_192)
            client.ask("/1000000")
            #expect(try await client.head().status == 200)
            client.ask("/5")
            // The first is still under way: its reader has taken its head alone.
            #expect(try await client.chunks().body.count == 1_000_000)
            #expect(try await digest(client.answer().body) == digest(noise(5, 5)))
        }
    }

    @Test func failedSource_cutsTheConnection() async throws {
        let left = Journal(3)
        try await Self.running({ head in
            HTTPContent(contentType: "text/plain") {
                ProducedBody {
                    left.note { $0 -= 1 } as Void
                    if left.now == 0 { throw BenchError("no more") }
                    return [1, 2, 3]
                }
            }.response(to: head)
        }) { bench, lane in
            let client = try RawHTTP(port: bench.port)
            client.ask("/")
            let answer = try await client.answer()
            #expect(!answer.isWhole)
            try await Self.wait(bench, lane) { $0.running == 0 }
            #expect(lane.figures.cutOff == 1)
        }
    }

    @Test func peerThatLeaves_endsItsBody() async throws {
        try await Self.running(Self.endless) { bench, lane in
            let client = try RawHTTP(port: bench.port)
            client.ask("/")
            #expect(try await client.read(500_000)?.count == 500_000)
            client.abort()
            try await Self.wait(bench, lane) { $0.running == 0 }
            #expect(lane.figures.cutOff == 1)
            try await bench.journal.wait(until: "the end of the connection") { $0.released == 1 }
        }
    }

    @Test func readerOfNothing_isCutOff() async throws {
        try await Self.running(Self.endless, options: { $0.handshakeSecondsMax = 1 }) { bench, lane in
            let client = try RawHTTP(port: bench.port, receiveBufferBytes: 8_192)
            client.ask("/")
            #expect(try await client.head().status == 200)
            try await Self.wait(bench, lane) { $0.running == 0 }
            #expect(lane.figures.cutOff == 1)
            #expect(await bench.counters.rejections[TransportRejection.timeout.rawValue] == 1)
        }
    }

    /// A source that takes long is no fault of the reader's.
    @Test func slowSource_isWaitedFor() async throws {
        let gate = Journal(false)
        try await Self.running(
            { head in
                let isFirst = Mutex(true)
                return HTTPContent(contentType: "text/plain") {
                    ProducedBody {
                        guard
                            isFirst.withLock({ isFirst in
                                defer { isFirst = false }
                                return isFirst
                            })
                        else { return nil }
                        try await gate.wait(until: "the gate") { $0 }
                        return [1]
                    }
                }.response(to: head)
            }, options: { $0.handshakeSecondsMax = 1 }
        ) { bench, lane in
            let client = try RawHTTP(port: bench.port)
            client.ask("/")
            #expect(try await client.head().status == 200)
            let sweeps = bench.journal.now.sweeps
            try await bench.journal.wait(until: "some seconds") { $0.sweeps >= sweeps + 3 }
            gate.note { $0 = true }
            #expect(try await client.chunks().body == [1])
        }
    }

    @Test func pacedBody_waitsForItsBudget() async throws {
        let paced = Journal([Int]())
        try await Self.running({ head in
            var response = Self.noisy(head)
            response.pace = { bytes, _ in
                paced.note { $0.append(bytes) }
                return .milliseconds(100)
            }
            return response
        }) { bench, _ in
            let client = try RawHTTP(port: bench.port)
            let start = ContinuousClock.now
            client.ask("/150000")
            #expect(try await client.answer().body.count == 150_000)
            #expect(paced.now == [50_000, 50_000, 50_000])
            #expect(start.duration(to: .now) >= .milliseconds(300))
        }
    }

    // MARK: Bounds

    /// Clients that have begun an answer and read its head alone.
    private static func unread(_ count: Int, of bench: LoopBench) async throws -> [RawHTTP] {
        var clients: [RawHTTP] = []
        for _ in 0..<count {
            let client = try RawHTTP(port: bench.port, receiveBufferBytes: 8_192)
            client.ask("/")
            #expect(try await client.head().status == 200)
            clients.append(client)
        }
        return clients
    }

    @Test func oneClient_hasItsShareOfTheLane() async throws {
        let client = PeerAddress(high: 0x2001_0DB8_0000_0000, low: 1)
        try await Self.running(Self.endless, client: client) { bench, lane in
            var clients = try await Self.unread(BulkLane.answersPerClientMax, of: bench)
            let late = try RawHTTP(port: bench.port)
            late.ask("/")
            let answer = try await late.answer()
            #expect(answer.status == 503)
            #expect((2...6).contains(answer.headers["retry-after"].flatMap { Int($0) } ?? 0))
            #expect(lane.figures.refused == 1)
            #expect(lane.figures.running == BulkLane.answersPerClientMax)
            clients.removeAll()
            try await Self.wait(bench, lane) { $0.running == 0 }
            #expect(lane.figures.cutOff == UInt64(BulkLane.answersPerClientMax))
        }
    }

    @Test func allTogether_haveTheBoundOfTheLane() async throws {
        try await Self.running(Self.endless) { bench, lane in
            let clients = try await Self.unread(BulkLane.answersMax, of: bench)
            let late = try RawHTTP(port: bench.port)
            late.ask("/")
            #expect(try await late.answer().status == 503)
            withExtendedLifetime(clients) {}
        }
    }

    @Test func loopWithoutALane_answersNothingLater() async throws {
        try await Self.running(Self.endless, options: { $0.bulkLane = nil }) { bench, _ in
            let client = try RawHTTP(port: bench.port)
            client.ask("/")
            #expect(try await client.answer().status == 503)
        }
    }

    @Test func endOfTheLoop_endsItsBodies() async throws {
        let kept = Journal([BulkLane]())
        try await Self.running(Self.endless) { bench, lane in
            let client = try RawHTTP(port: bench.port, receiveBufferBytes: 8_192)
            client.ask("/")
            #expect(try await client.head().status == 200)
            kept.note { $0.append(lane) }
        }
        let lane = try #require(kept.now.first)
        #expect(lane.figures.cutOff == 1)
    }
}

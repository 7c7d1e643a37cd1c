import CairnClient
import CairnGeo
import CairnTime
import CairnWire
import Foundation
import Testing

@testable import CairnCrowd

@Suite struct SocketLoopTests {
    /// Sets a timer on a loop that receives nothing and has no other timer soon.
    private final class Waiting: SocketHandler {
        let loop: SocketLoop
        let listener: Int32
        var ticks = 0
        var closings = 0

        init(_ loop: SocketLoop, _ listener: Int32) {
            self.loop = loop
            self.listener = listener
        }

        func opened(_ bot: Int) {}
        func received(_ bytes: UnsafeRawBufferPointer, wireBytes: Int, on bot: Int) {}

        func closed(_ bot: Int, code: UInt16, reason: String) {
            closings += 1
            loop.tick(by: SocketLoop.now + .milliseconds(1))
        }

        func ticked(now: MonotonicTime) -> LoopTurn {
            ticks += 1
            if closings > 0 { return .end }
            if ticks == 1 {
                loop.connect(0)
                return .next(at: now + .milliseconds(20))
            }
            // A connection that is not accepted is reset, and the loop sees that after this tick.
            close(listener)
            return .next(at: now + .seconds(30))
        }
    }

    @Test func timerSetWhileReceiving_isNotLeftToTheTickThatWasDueBefore() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try #require(listen(listener, 1) == 0)
        // The C API takes addresses of every family; the length identifies the family.
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(listener, $0, &length) }
        }
        let endpoint = try (Endpoint(url: "ws://127.0.0.1:\(address.sin_port.bigEndian)/v1"))
        let loop = SocketLoop(endpoint: endpoint, format: .proto, capacity: 1)
        let handler = Waiting(loop, listener)
        loop.handler = handler
        let before = SocketLoop.now
        loop.run()
        #expect(handler.closings == 1 && SocketLoop.now - before < .seconds(20))
    }
}

@Suite struct TimerWheelTests {
    @Test func timers_fireOnceAndNotBeforeTheirTime() {
        var wheel = TimerWheel<Int>(now: .epoch)
        wheel.schedule(at: .epoch + .microseconds(5_500), 1)
        wheel.schedule(at: .epoch + .microseconds(5_600), 2)
        wheel.schedule(at: .epoch + .seconds(20), 3)
        #expect(wheel.takeDue(now: .epoch + .microseconds(5_499)).isEmpty)
        #expect(wheel.nextDue() == .epoch + .microseconds(5_500))
        #expect(wheel.takeDue(now: .epoch + .microseconds(5_500)).map(\.item) == [1])
        #expect(wheel.takeDue(now: .epoch + .milliseconds(6)).map(\.item) == [2])
        #expect(wheel.count == 1)
        var now: MonotonicTime = .epoch + .milliseconds(6)
        var fired: MonotonicTime?
        while fired == nil, let next = wheel.nextDue() {
            now = next
            if !wheel.takeDue(now: now).isEmpty { fired = now }
        }
        #expect(fired == .epoch + .seconds(20))
        #expect(wheel.nextDue() == nil)
    }

    @Test func timers_setForThePast_fireAtOnce() {
        var wheel = TimerWheel<Int>(now: .epoch + .seconds(1))
        wheel.schedule(at: .epoch + .microseconds(10), 1)
        #expect(wheel.takeDue(now: .epoch + .seconds(1)).map(\.item) == [1])
    }

    @Test func longPause_losesNoTimer() {
        var wheel = TimerWheel<Int>(now: .epoch)
        for index in 0..<1_000 { wheel.schedule(at: .epoch + .milliseconds(17 * index), index) }
        #expect(wheel.takeDue(now: .epoch + .seconds(100)).count == 1_000)
    }
}

@Suite struct FramesTests {
    @Test(arguments: [0, 1, 125, 126, 65_535, 65_536])
    func frame_isReadAsItWasWritten(length: Int) {
        let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        var bytes: [UInt8] = []
        Frames.append(.binary, payload, mask: 0, to: &bytes)
        // A frame as a server sends it: without a mask.
        let header = Frames.headerBytes(of: length)
        bytes[1] &= 0x7F
        bytes.removeSubrange(header..<header + 4)
        bytes.withUnsafeBytes { raw in
            guard case .frame(let frame) = Frames.read(raw, at: 0) else {
                Issue.record("no frame")
                return
            }
            #expect(frame.opcode == .binary && frame.isFinal && frame.payload == header..<header + length)
            for cut in 0..<min(raw.count, 12) {
                guard case .incomplete = Frames.read(UnsafeRawBufferPointer(rebasing: raw[..<cut]), at: 0) else {
                    Issue.record("a frame from \(cut) bytes")
                    return
                }
            }
        }
    }

    @Test(arguments: [[0xC2, 0x00], [0x83, 0x00], [0x82, 0x80]] as [[UInt8]])
    func frame_thatNoServerMaySend_isBroken(bytes: [UInt8]) {
        bytes.withUnsafeBytes { raw in
            guard case .broken = Frames.read(raw, at: 0) else {
                Issue.record("not noticed")
                return
            }
        }
    }

    @Test(
        arguments: [
            ("ws://127.0.0.1:8080/v1", "ws://127.0.0.1:8080/v1", AF_INET),
            ("ws://localhost:8080", "ws://localhost:8080/v1", nil),
            ("wss://127.0.0.1/v2", "wss://127.0.0.1:443/v2", AF_INET),
            ("ws://[::1]", "ws://[::1]:80/v1", AF_INET6),
            ("wss://[::1]:8443/v1", "wss://[::1]:8443/v1", AF_INET6),
        ] as [(String, String, Int32?)])
    func url_isReadWithItsSchemeHostAndPort(text: String, url: String, family: Int32?) throws {
        let endpoint = try Endpoint(url: text)
        #expect(endpoint.url == url && endpoint.isSecure == text.hasPrefix("wss"))
        if let family { #expect(endpoint.family == family) }
    }

    @Test(arguments: [
        "http://127.0.0.1:1", "ws://", "ws://127.0.0.1:0", "ws://[::1", "ws://127.0.0.1:http", "ws://[::1]8",
    ])
    func url_thatIsNone_isNoEndpoint(url: String) {
        #expect(throws: Endpoint.Failure.self) { try Endpoint(url: url) }
    }
}

@Suite struct GroundTests {
    @Test func areasApart_lieInsideOneCellEach_andFarFromOneAnother() {
        let areas = Ground.apart(cells: 25, level: 16, at: Ground.usual)
        var centres: [Coordinate] = []
        for area in areas {
            let cell = CellID(area.coordinate(east: 0, north: 0), level: 16)
            for (east, north) in [(1.0, 1.0), (1, -1), (-1, 1), (-1, -1)] {
                let corner = area.coordinate(east: east * area.eastHalf, north: north * area.northHalf)
                #expect(cell.contains(corner))
                #expect(cell.neighbours.allSatisfy { $0.distanceMetres(to: corner) > 8 })
            }
            #expect(centres.allSatisfy { $0.distanceMetres(to: cell.centre) > 1_000 })
            centres.append(cell.centre)
        }
    }

    @Test func walkers_keepToTheirArea_andCrossBordersInAStrip() {
        var random = SeededGenerator(seed: 5)
        let area = Ground.strip(cells: 4, level: 16, at: Ground.usual)[0]
        var plan = CrowdPlan()
        plan.speedLeast = 3
        plan.speedMost = 7
        var cells: Set<CellID> = []
        for _ in 0..<20 {
            var walker = Walker(area: area, plan: plan, using: &random)
            for _ in 0..<500 {
                walker.walk(seconds: 0.5, using: &random)
                #expect(abs(walker.east) <= area.eastHalf && abs(walker.north) <= area.northHalf)
                #expect((0..<360).contains(walker.headingDegrees))
                cells.insert(CellID(walker.coordinate, level: 16))
            }
        }
        #expect(cells.count >= 4)
    }
}

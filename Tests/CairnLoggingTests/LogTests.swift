import Foundation
import Logging
import Synchronization
import Testing

@testable import CairnLogging

@Suite("Log")
struct LogTests {
    // MARK: The bound

    @Test func flood_isHeldToAHundredLinesInAnySecond() {
        var gate = LogGate()
        var written: [Double] = []
        for step in 0..<100_000 {
            let now = 10 + Double(step) / 10_000
            if gate.admits(.warning, now: now) { written.append(now) }
            if gate.report(now: now) != nil { written.append(now) }
        }
        for start in stride(from: 10.0, to: 19.0, by: 0.05) {
            #expect(written.count { $0 >= start && $0 < start + 1 } <= 100)
        }
        #expect(written.count > 300)
    }

    @Test func errors_areWrittenWhileWarningsFlood() {
        var gate = LogGate()
        var errors = 0
        for step in 0..<10_000 {
            _ = gate.admits(.warning, now: 1)
            if step % 2_000 == 0, gate.admits(.error, now: 1) { errors += 1 }
        }
        #expect(errors == 5)
    }

    @Test func heldBackLines_areCountedOnceASecond() {
        var gate = LogGate()
        for _ in 0..<150 { _ = gate.admits(.info, now: 5) }
        let first = gate.report(now: 5)
        #expect(first?[.info].map { $0 >= 100 } == true)
        _ = gate.admits(.info, now: 5)
        let early = gate.report(now: 5.5)
        #expect(early == nil)
        let report = gate.report(now: 6.1)
        #expect(report?[.info] == 1)
        let after = gate.report(now: 8)
        #expect(after == nil)
    }

    // MARK: Lines

    private func line(_ message: String, _ metadata: Logger.Metadata = [:]) -> LogLine {
        LogLine(level: .notice, message: message, metadata: metadata, time: 1_795_253_362.25)
    }

    @Test func json_isOneObjectWithTimeLevelAndMessage() throws {
        let bytes = line("hello", ["code": "too_far", "time": "forged"]).json
        let object = try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: String])
        #expect(
            object == [
                "time": "2026-11-21T09:29:22.250Z", "level": "notice", "message": "hello", "code": "too_far",
            ])
    }

    @Test func text_cannotBeForged() {
        let hostile = "a\r\n12:00:00.000 CRITICAL pwned\u{1b}[2J\u{202e}\u{9b}31m\u{2028}"
        let text = String(decoding: line(hostile, ["key\n": "\(hostile)"]).text(inColour: false), as: UTF8.self)
        #expect(text.filter(\.isNewline).count == 1 && text.hasSuffix("\n"))
        let steering = text.dropLast().unicodeScalars.filter { scalar in
            scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) || scalar.value == 0x202e
        }
        #expect(steering.isEmpty)
    }

    @Test func endlessMessages_areCut() {
        #expect(line(String(repeating: "x", count: 100_000)).json.count < 3_000)
    }

    // MARK: The sink

    @Test func lines_comeInOrderAndWhole() {
        let written = Mutex<[UInt8]>([])
        let sink = LogSink { bytes in written.withLock { $0 += bytes } }
        sink.form = .text(inColour: false)
        for number in 0..<40 { sink.enqueue(line("line \(number)"), now: 1) }
        sink.flush()
        let text = written.withLock { String(decoding: $0, as: UTF8.self) }
        let ends = text.split(separator: "\n").map { $0.split(separator: " ").last ?? "" }
        // One more than a burst may hold: the last line says so.
        #expect(ends == (0..<39).map { "\($0)" } + ["heldBack.notice=1"])
    }

    /// The reader takes nothing before all lines are handed over: a sink that waits for it ends in the time limit.
    @Test(.timeLimit(.minutes(10))) func readerThatHangs_holdsUpNobody() {
        let gate = DispatchSemaphore(value: 0)
        let sink = LogSink { _ in gate.wait() }
        for second in 0..<2_000 { sink.enqueue(line("line"), now: Double(second)) }
        for _ in 0..<3_000 { gate.signal() }
    }

    @Test func level_isSharedByAllLoggersAndCanChange() {
        let sink = LogSink { _ in }
        let one = Logger(label: "one") { _ in CairnLogHandler(sink: sink) }
        let other = Logger(label: "other") { _ in CairnLogHandler(sink: sink) }
        sink.level = .debug
        #expect(one.logLevel == .debug && other.logLevel == .debug)
    }
}

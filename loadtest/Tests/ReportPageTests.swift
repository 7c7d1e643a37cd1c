import Foundation
import Histogram
import Testing

@testable import CairnCrowd

@Suite struct ReportPageTests {
    private func report() -> CrowdReport {
        var histogram = Histogram<UInt32>(highestTrackableValue: 1_000_000, numberOfSignificantValueDigits: .three)
        for value in 1...1_000 { histogram.record(UInt64(value) * 100) }
        var report = CrowdReport(plan: CrowdPlan(), url: "throw-away")
        report.latency = Latency(histogram)
        report.latencyCurve = LatencyCurve.points(of: histogram)
        report.timeline = (0..<10).map { second in
            SecondFigures(
                second: second, phase: "measuring", connected: 200, posesSent: 400, posesDelivered: 20_000,
                posesLost: 0, latency: Latency(histogram), acks: 10, acksP99: 12, serverCores: 0.25,
                serverResidentBytes: 60_000_000, rulesBroken: 0)
        }
        return report
    }

    @Test func page_isOneFileThatAsksForNothing() throws {
        let page = ReportPage.html(report())
        for word in ["src=", "href=", "url(", "@import", "<script", "<link", "http:", "https:"] {
            #expect(!page.contains(word), "\(word)")
        }
        #expect(page.contains("No rule was broken."))
        #expect(page.components(separatedBy: "<svg").count - 1 == 8)
        // The page is well-formed XML except for the first line.
        let parser = XMLCheck(page)
        #expect(parser.isWellFormed)
    }

    @Test func page_saysWhenAndOnWhatItWasMade() {
        var report = report()
        report.made.version = "9.8.7"
        let page = ReportPage.html(report)
        #expect(page.contains("Cairn 9.8.7") && page.contains(report.made.date) && page.contains(report.made.machine))
        #expect(report.made.machine.contains("processors") && report.made.date.hasSuffix("Z"))
    }

    @Test func labels_keepApartAndTheLastStays() {
        let ticks = [("0", 0.0), ("50", 0.3), ("90", 1), ("99", 2), ("99.9", 3), ("99.99", 4), ("100", 4.1)]
            .map { Plot.Tick(label: $0.0, at: $0.1) }
        let labels = Plot.legible(ticks) { 56 + $0 * 90 }
        #expect(labels.contains { $0.text == "100" } && !labels.contains { $0.text == "99.99" })
        let sorted = labels.sorted { $0.middle < $1.middle }
        for (one, other) in zip(sorted, sorted.dropFirst()) {
            #expect(other.middle - one.middle >= Double(one.text.count + other.text.count) * 4)
        }
    }

    @Test func reportFile_isOpenedBeforeTheRunAndGoneWhenNothingCameOfIt() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "crowd-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(throws: OutputFile.Failure.self) { try OutputFile(path: folder.path + "/none/report.html") }
        let path = OutputFile.named(folder.path + "/report", ending: ".html")
        #expect(path.hasSuffix("/report.html") && OutputFile.named(path, ending: ".html") == path)
        var file: OutputFile? = try OutputFile(path: path)
        file = nil
        #expect(!FileManager.default.fileExists(atPath: path))
        file = try OutputFile(path: path)
        try file?.write("a longer text")
        try file?.write("text")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "text")
    }

    @Test func page_namesBrokenRulesAndEscapesThem() {
        var report = report()
        report.rulesBroken = 2
        report.broken = ["gap": 2]
        report.brokenExamples = ["gap": ["bot 1: <script>"]]
        let page = ReportPage.html(report)
        #expect(page.contains("2 x gap") && page.contains("&lt;script&gt;") && !page.contains("<script>"))
    }

    @Test func curve_holdsThePercentilesOfItsHistogram() {
        let curve = report().latencyCurve
        #expect(curve.first { $0.percentile == 50 }.map { abs($0.milliseconds - 50) < 0.5 } == true)
        #expect(curve.map(\.milliseconds) == curve.map(\.milliseconds).sorted())
    }

    @Test func ticks_areRoundAndCoverTheValues() {
        #expect(Plot.ticks([0, 87], isLogarithmic: false).map(\.at) == [0, 20, 40, 60, 80, 100])
        #expect(Plot.ticks([100, 10_000], isLogarithmic: true).map(\.at) == [100, 1_000, 10_000])
        let tiny = Plot.ticks([0, 0.003], isLogarithmic: false)
        #expect(tiny.first?.at == 0 && (tiny.last?.at ?? 0) >= 0.003)
    }

    @Test func json_keepsTheFieldsThatOthersRead() throws {
        let text = Printing.json(report())
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        for field in ["rules_broken", "poses_delivered", "poses_lost", "bytes_per_pose", "latency_ms", "plan", "seed"] {
            #expect(object[field] != nil, "\(field)")
        }
        let latency = try #require(object["latency_ms"] as? [String: Any])
        #expect(latency["p50"] != nil && latency["p99"] != nil && latency["p999"] != nil)
        #expect((object["plan"] as? [String: Any])?["people"] as? Int == 200)
    }
}

/// Whether tags are closed in the order in which they were opened.
private struct XMLCheck {
    let isWellFormed: Bool

    init(_ page: String) {
        let empty: Set<String> = ["meta", "br", "!doctype"]
        var open: [String] = []
        var isGood = true
        for part in page.components(separatedBy: "<").dropFirst() {
            let tag = part.prefix { $0 != ">" }
            let name = String(tag.drop { $0 == "/" }.prefix { !$0.isWhitespace && $0 != "/" })
            if tag.hasPrefix("/") {
                isGood = isGood && open.popLast() == name
            } else if !tag.hasSuffix("/"), !empty.contains(name) {
                open.append(name)
            }
        }
        isWellFormed = isGood && open.isEmpty
    }
}

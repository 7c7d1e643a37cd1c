import Foundation
import Histogram
import Testing

@testable import cairn_crowd

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
        // Well-formed as XML, but for the first line.
        let parser = XMLCheck(page)
        #expect(parser.isWellFormed)
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

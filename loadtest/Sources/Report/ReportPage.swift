/// A report as one self-contained page: figures and plots, without external resources.
enum ReportPage {
    /// The page of one run.
    static func html(_ report: CrowdReport) -> String {
        let times = report.timeline.map { Double($0.second) }
        func series(_ name: String, _ value: (SecondFigures) -> Double?) -> Plot.Series {
            Plot.Series(
                name: name,
                points: zip(times, report.timeline).compactMap { time, row in
                    value(row).map { Plot.Point(x: time, y: $0) }
                })
        }
        let seconds = Plot.Axis(title: "seconds")
        let milliseconds = Plot.Axis(title: "ms")
        let plots = [
            Plot(
                title: "Latency of poses, due to received", x: seconds, y: milliseconds,
                series: [
                    series("p50") { $0.latency.count > 0 ? $0.latency.p50 : nil },
                    series("p99") { $0.latency.count > 0 ? $0.latency.p99 : nil },
                    series("p99.9") { $0.latency.count > 0 ? $0.latency.p999 : nil },
                ]),
            Plot(
                title: "Poses a second", x: seconds, y: Plot.Axis(title: "poses/s"),
                series: [series("delivered") { Double($0.posesDelivered) }, series("sent") { Double($0.posesSent) }]),
            Plot(
                title: "Acknowledgements", x: seconds, y: milliseconds,
                series: [series("p99, due to acknowledged") { $0.acks > 0 ? $0.acksP99 : nil }]),
            Plot(
                title: "Acknowledged changes a second", x: seconds, y: Plot.Axis(title: "changes/s"),
                series: [series("changes") { Double($0.acks) }]),
            Plot(
                title: "Server", x: seconds, y: Plot.Axis(title: "cores"),
                series: [series("cores in use") { $0.serverCores }]),
            Plot(
                title: "Memory of the server", x: seconds, y: Plot.Axis(title: "MB resident"),
                series: [series("resident") { $0.serverResidentBytes.map { Double($0) / 1e6 } }]),
            Plot(
                title: "People connected", x: seconds, y: Plot.Axis(title: "people"),
                series: [series("connected") { Double($0.connected) }]),
            Plot(
                title: "Latency by percentile", x: Plot.Axis(title: "percentile", ticks: percentileTicks),
                y: milliseconds,
                series: [curve("poses", report.latencyCurve), curve("acknowledgements", report.acksCurve)]),
        ]
        return page(
            title: "Cairn crowd: \(report.plan["scenario"]?.text ?? "run")",
            body: "<p>\(escaped(report.made.text))</p>\n" + verdict(report) + figures(report) + gallery(plots)
                + plan(report))
    }

    /// A page around a body.
    static func page(title: String, body: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(escaped(title))</title>
        <style>
        :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
        body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
        table { border-collapse: collapse; margin: 1rem 0; }
        td, th { text-align: left; padding: 0.15rem 1rem 0.15rem 0; vertical-align: top; }
        td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
        .good { color: #1a7f37; } .bad { color: #cf222e; }
        .wide { overflow-x: auto; }
        .plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 2rem; }
        svg { display: block; width: 100%; height: auto; }
        svg text { fill: currentColor; font-size: 14px; }
        </style>
        </head>
        <body>
        <h1>\(escaped(title))</h1>
        \(body)
        </body>
        </html>

        """
    }

    /// Plots, side by side where there is room.
    static func gallery(_ plots: [Plot]) -> String {
        "<div class=\"plots\">\n\(plots.map(\.svg).joined(separator: "\n"))\n</div>\n"
    }

    /// A table; the first row is its head.
    static func table(_ rows: [[String]]) -> String {
        guard let head = rows.first else { return "" }
        func cells(_ row: [String], _ tag: String) -> String {
            row.enumerated().map { index, text in
                "<\(tag)\(index == 0 ? "" : " class=\"n\"")>\(escaped(text))</\(tag)>"
            }
            .joined()
        }
        let body = rows.dropFirst().map { "<tr>\(cells($0, "td"))</tr>" }.joined(separator: "\n")
        // A region that scrolls can be reached by the keyboard.
        let table = "<table>\n<tr>\(cells(head, "th"))</tr>\n\(body)\n</table>\n"
        return "<div class=\"wide\" tabindex=\"0\">\n\(table)</div>\n"
    }

    static func escaped(_ text: String) -> String {
        var out = ""
        for character in text {
            switch character {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            default: out.append(character)
            }
        }
        return out
    }

    /// Percentiles on an axis of nines: 90, 99 and 99.9 are equally far apart.
    private static let percentileTicks = [
        ("0", 0.0), ("50", 50.0), ("90", 90.0), ("99", 99.0), ("99.9", 99.9), ("99.99", 99.99), ("100", 100.0),
    ]
    .map { Plot.Tick(label: $0.0, at: nines($0.1)) }

    private static func nines(_ percentile: Double) -> Double {
        -Logarithm.base10(max(1 - percentile / 100, 0.000_003))
    }

    private static func curve(_ name: String, _ points: [LatencyCurve.Point]) -> Plot.Series {
        Plot.Series(name: name, points: points.map { Plot.Point(x: nines($0.percentile), y: $0.milliseconds) })
    }

    private static func verdict(_ report: CrowdReport) -> String {
        if let failure = report.failure { return "<p class=\"bad\">Could not be carried out: \(escaped(failure))</p>" }
        guard report.rulesBroken > 0 else { return "<p class=\"good\">No rule was broken.</p>" }
        let items = report.broken.sorted { $0.key < $1.key }.map { rule, count in
            let examples = (report.brokenExamples[rule] ?? []).map { "<br>\(escaped($0))" }.joined()
            return "<li>\(count) x \(escaped(rule))\(examples)</li>"
        }
        return "<p class=\"bad\">\(report.rulesBroken) broken rules:</p><ul>\(items.joined())</ul>"
    }

    private static func figures(_ report: CrowdReport) -> String {
        var rows = [["", "p50", "p99", "p99.9", "max", "count"]]
        let latencies = [("Poses, ms", report.latency), ("Acks, ms", report.acks), ("Returns, ms", report.returns)]
        for (name, latency) in latencies {
            guard let latency, latency.count > 0 else { continue }
            rows.append(
                [name] + [latency.p50, latency.p99, latency.p999, latency.max].map(\.plain) + ["\(latency.count)"])
        }
        var facts = [["Figure", "Value"]]
        facts.append(["Poses delivered", "\(report.posesDelivered)"])
        facts.append(["Poses conflated", "\(report.posesConflated)"])
        facts.append(["Poses lost", "\(report.posesLost)"])
        facts.append(["Poses left out", "\(report.posesThinned)"])
        if let cost = report.serverCPUMicrosecondsPerPose {
            facts.append(["Server CPU per delivered pose, microseconds", Printing.rounded(cost, 3)])
        }
        if let cores = report.serverCores { facts.append(["Server, cores", Printing.rounded(cores, 2)]) }
        facts.append(["Crowd, cores", Printing.rounded(report.generatorCores, 2)])
        facts.append(["Bytes per pose", Printing.rounded(report.bytesPerPose, 1)])
        facts.append(["Everybody had their view after, seconds", Printing.rounded(report.joinSeconds, 2)])
        return table(rows) + table(facts)
    }

    private static func plan(_ report: CrowdReport) -> String {
        "<h2>Plan</h2>\n"
            + table([["Key", "Value"]] + report.plan.sorted { $0.key < $1.key }.map { [$0.key, $0.value.text] })
    }
}

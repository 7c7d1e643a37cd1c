import ArgumentParser

/// Growth of cost and latency with people and cells.
extension Bench {
    /// From one cell to 1,000 and from 100 people to 10,000; then one cell that fills until poses have to be left out.
    static let usualSizes = [
        "100x1", "300x1", "600x1", "100x10", "300x10", "1000x10", "3000x10", "1000x100", "3000x100", "10000x100",
        "1000x1000", "3000x1000", "10000x1000", "800x1x5", "900x1x5", "1000x1x5", "1100x1x5", "1200x1x5", "1250x1x5",
        "1500x1x5", "2000x1x5", "3000x1x5", "5000x1x5",
    ]

    /// Poses a second that the crowd's one processor judges with ease. Of more, some people judge a part.
    private static let judgedPerSecond = 1_500_000.0

    /// The sizes to measure; nil when a size cannot be parsed.
    var growthRows: [Row]? {
        let rows = (sizes ?? Self.usualSizes.joined(separator: ",")).split(separator: ",")
            .map { Row(argument: $0.split(separator: "x").count == 3 ? "\($0)" : "\($0)x\(rate)") }
        return rows.contains { $0 == nil } ? nil : rows.compactMap { $0 }
    }

    func measureGrowth(_ page: OutputFile?) async throws {
        var grown: [Grown] = []
        for size in growthRows ?? [] {
            var plan = plan(size)
            plan.seconds = duration?.seconds ?? 10
            let offered = Double(size.people * size.people / size.cells) * size.rate
            plan.judgedShare = min(1, Self.judgedPerSecond / offered)
            let peopleToJudges = plan.peopleToJudges
            let report = try await measure(plan) { Grown($0, size, peopleToJudges: peopleToJudges) }
            grown.append(Grown(report, size, peopleToJudges: peopleToJudges))
        }
        let rows = [Grown.head] + grown.map(\.cells)
        Printing.line("")
        for row in rows { Printing.line(Printing.columns(row)) }
        try page?.write(Self.page(grown, rows))
    }

    private static func page(_ grown: [Grown], _ rows: [[String]]) -> String {
        func plot(_ title: String, _ unit: String, _ value: (Grown) -> Double?) -> Plot {
            let series = Dictionary(grouping: grown, by: \.series).sorted { $0.key < $1.key }.map { name, rows in
                Plot.Series(
                    name: name,
                    points: rows.compactMap { row in value(row).map { Plot.Point(x: Double(row.people), y: $0) }
                    })
            }
            return Plot(
                title: title, x: Plot.Axis(title: "people", isLogarithmic: true), y: Plot.Axis(title: unit),
                series: series)
        }
        return ReportPage.page(
            title: "Cairn: how it grows",
            body: "<p>\(ReportPage.escaped(Circumstances().text))</p>\n" + ReportPage.table(rows)
                + ReportPage.gallery([
                    plot("Server CPU per delivered pose", "microseconds") { $0.costMicroseconds },
                    plot("Server CPU", "cores") { $0.serverCores },
                    plot("Latency of poses, p99", "ms") { $0.p99 },
                    plot("Poses delivered a second", "poses/s") { $0.deliveredPerSecond },
                ]))
    }

    /// One size.
    private struct Grown: BenchFigures {
        let people: Int
        let cellCount: Int
        let rate: Double
        let deliveredPerSecond: Double
        /// How many of the poses that were not overtaken by newer ones arrived.
        let arrivedShare: Double
        let posesLost: UInt64
        let costMicroseconds: Double?
        let serverCores: Double?
        let p50: Double
        let p99: Double
        let joinSeconds: Double
        let crowdCores: Double
        let isStarved: Bool
        let rulesBroken: Int

        init(_ report: CrowdReport, _ size: Row, peopleToJudges: Double) {
            people = size.people
            cellCount = size.cells
            rate = size.rate
            deliveredPerSecond = report.posesDeliveredPerSecond * peopleToJudges
            let missed = report.posesThinned + report.posesLost
            arrivedShare = Double(report.posesDelivered) / Double(max(1, report.posesDelivered + missed))
            posesLost = report.posesLost
            costMicroseconds = report.serverCPUMicrosecondsPerPose
            serverCores = report.serverCores
            p50 = report.latency?.p50 ?? 0
            p99 = report.latency?.p99 ?? 0
            joinSeconds = report.joinSeconds
            crowdCores = report.generatorCores
            isStarved = report.isStarved
            rulesBroken = report.rulesBroken
        }

        var series: String { "\(cellCount) cells, \(rate.plain)/s" }

        static let head = [
            "people", "cells", "Hz", "delivered/s", "arrived", "lost", "us/pose", "server", "p50 ms", "p99 ms",
            "joined s", "crowd", "broken",
        ]

        var cells: [String] {
            func shown(_ value: Double?, _ places: Int) -> String { value.map { Printing.rounded($0, places) } ?? "-" }
            return [
                "\(people)", "\(cellCount)", rate.plain, shown(deliveredPerSecond, 0),
                shown(arrivedShare * 100, 1) + " %", "\(posesLost)", shown(costMicroseconds, 3),
                shown(serverCores, 2), shown(p50, 1), shown(p99, 1), shown(joinSeconds, 2),
                shown(crowdCores, 2) + (isStarved ? " starved" : ""), "\(rulesBroken)",
            ]
        }

        var compared: [String: Double?] {
            [
                "poses_delivered_per_second": deliveredPerSecond, "server_cpu_us_per_pose": costMicroseconds,
                "latency_p50_ms": p50, "latency_p99_ms": p99,
            ]
        }

        enum CodingKeys: String, CodingKey {
            case people
            case cellCount = "cells"
            case rate
            case arrivedShare = "poses_arrived_share"
            case deliveredPerSecond = "poses_delivered_per_second"
            case posesLost = "poses_lost"
            case costMicroseconds = "server_cpu_us_per_pose"
            case serverCores = "server_cores"
            case p50 = "latency_p50_ms"
            case p99 = "latency_p99_ms"
            case joinSeconds = "join_seconds"
            case crowdCores = "generator_cores"
            case isStarved = "generator_starved"
            case rulesBroken = "rules_broken"
        }
    }
}

import Foundation
import Glibc
import Synchronization

/// The output of a run: text on a terminal, JSON lines elsewhere.
enum Printing {
    /// Whether the output is text for people.
    static var isText: Bool { chosen.load(ordering: .relaxed) }

    /// Text on a terminal, JSON lines elsewhere, unless the command line chooses one.
    private static let chosen = Atomic(isatty(STDOUT_FILENO) == 1)

    static func choose(text: Bool) { chosen.store(text, ordering: .relaxed) }

    /// Prints a line without buffering.
    static func line(_ text: String) {
        print(text)
        fflush(nil)
    }

    static func error(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    static func json(_ value: some Encodable, pretty: Bool = false) -> String {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        encoder.outputFormatting = pretty ? [.prettyPrinted, .sortedKeys] : [.sortedKeys]
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            // Encoding numbers and texts never fails.
            preconditionFailure("a report that is no JSON: \(error)")
        }
    }

    /// Prints the plan before the run.
    static func plan(of runner: CrowdRunner) {
        let facts = runner.plan.facts(url: runner.url ?? "throw-away")
        guard isText else { return line(json(EffectivePlan(plan: facts, server: runner.serverPlan))) }
        line(runner.plan.summary)
        for key in ScenarioKey.all {
            let unit = key.unit.map { " \($0)" } ?? ""
            row("  " + key.name, (facts[key.name]?.text ?? "") + unit, width: 18)
        }
        for (name, value) in runner.serverPlan?.lines ?? [("server", facts["url"]?.text ?? "")] {
            row("  " + name, value, width: 18)
        }
        line("")
    }

    private struct EffectivePlan: Encodable {
        let plan: [String: PlanValue]
        let server: ServerPlan?
    }

    static func second(_ figures: SecondFigures) {
        guard isText else { return line(json(figures)) }
        var parts = [
            "\(padded(figures.second, 3)) s  \(figures.phase.padding(toLength: 10, withPad: " ", startingAt: 0))"
        ]
        parts.append("\(figures.connected) people")
        parts.append("poses \(figures.posesSent)/s sent, \(thousands(figures.posesDelivered))/s delivered")
        if figures.latency.count > 0 {
            parts.append("p50 \(figures.latency.p50) p99 \(figures.latency.p99) ms")
        }
        if figures.acksP99 > 0 { parts.append("acks p99 \(figures.acksP99) ms") }
        if let cores = figures.serverCores { parts.append("server \(rounded(cores, 2)) core") }
        if let bytes = figures.serverResidentBytes { parts.append("\(bytes / 1_000_000) MB") }
        if figures.posesLost > 0 { parts.append("lost \(figures.posesLost)") }
        if figures.rulesBroken > 0 { parts.append("RULES BROKEN \(figures.rulesBroken)") }
        line(parts.joined(separator: "  "))
    }

    static func report(_ report: CrowdReport) {
        guard isText else { return line(json(report.withoutTimeline)) }
        if let failure = report.failure { return line("failed: \(failure)") }
        line("")
        row(
            "Connected",
            "\(report.plan["people"]?.text ?? "") in \(rounded(report.connectSeconds, 2)) s, all with their view after "
                + "\(rounded(report.joinSeconds, 2)) s")
        row(
            "Poses",
            "\(report.posesDelivered) delivered (\(thousands(UInt64(report.posesDeliveredPerSecond)))/s), "
                + "\(report.posesConflated) conflated, \(report.posesLost) lost")
        if report.cuts > 0 { row("Cuts", "\(report.cuts), \(report.resumed) sessions taken up again") }
        if report.scopedItems > 0 { row("Scopes", "\(report.scopedItems) items of sub-realms received") }
        if let returns = report.returns, returns.count > 0 { row("Returns", describe(returns)) }
        if report.posesThinned > 0 { row("", "\(report.posesThinned) left out for slow readers or in a crowd") }
        if let latency = report.latency, latency.count > 0 { row("Latency", describe(latency)) }
        if let acks = report.acks, acks.count > 0 {
            row("Acks", describe(acks))
            if !report.doneText.isEmpty { row("", report.doneText) }
        }
        if let cost = report.serverCPUMicrosecondsPerPose, let cores = report.serverCores {
            row("Server", "\(rounded(cost, 3)) CPU-us per delivered pose, \(rounded(cores, 2)) core")
        }
        row(
            "Wire",
            "\(rounded(report.bytesPerPose, 1)) bytes per pose, all told; "
                + "\(rounded(report.bytesPerPersonSecond / 1_000, 1)) KB/s to each person")
        if let delay = report.generatorDelay {
            row("Crowd", "\(rounded(report.generatorCores, 2)) core, poses sent \(delay.p99) ms late at p99")
        }
        if report.isStarved {
            row("", "the crowd itself was starved of CPU: the figures are not the server's")
            if report.posesLost > 0 { row("", "the \(report.posesLost) poses lost are not judged for the same reason") }
        }
        if !report.refusals.isEmpty {
            row(
                "Refusals",
                report.refusals.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
        }
        if let left = report.leftBehind, left > 0 { row("Left", "\(left) changes stay in that world") }
        row("Made", report.made.text)
        row("Rules", report.rulesBroken == 0 ? "0 broken" : "\(report.rulesBroken) BROKEN")
        for (rule, count) in report.broken.sorted(by: { $0.key < $1.key }) {
            row("", "\(count) x \(rule)")
            for example in report.brokenExamples[rule] ?? [] { row("", "    \(example)") }
        }
    }

    /// Columns of the same width, flush right.
    static func columns(_ cells: [String]) -> String {
        cells.map { String(repeating: " ", count: max(1, 12 - $0.count)) + $0 }.joined()
    }

    private static func describe(_ latency: Latency) -> String {
        "p50 \(latency.p50) ms, p99 \(latency.p99) ms, p99.9 \(latency.p999) ms, max \(latency.max) ms"
    }

    private static func row(_ name: String, _ text: String, width: Int = 10) {
        line(name.padding(toLength: width, withPad: " ", startingAt: 0) + text)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let text = "\(number)"
        return String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private static func thousands(_ number: UInt64) -> String {
        number < 10_000 ? "\(number)" : "\(rounded(Double(number) / 1_000, 1))k"
    }

    static func rounded(_ value: Double, _ places: Int) -> String {
        String(format: "%.\(places)f", value)
    }
}

import ArgumentParser
import Foundation

/// A line of figures of one bench.
protocol BenchFigures: Encodable {
    /// What is compared between two builds, by name.
    var compared: [String: Double?] { get }
}

/// Running a bench once, or in alternating pairs with another build.
extension Bench {
    /// Measures a plan and prints a line of figures; with `--against` once for each build and pair, and then a line
    /// that compares them. The command fails when a rule was broken by the server under test.
    /// - Returns: the last report of the server under test.
    @discardableResult
    func measure<Figures: BenchFigures>(
        _ plan: CrowdPlan, _ figures: (CrowdReport) -> Figures
    ) async throws -> CrowdReport {
        guard let against else {
            let report = try await run(plan, server: server)
            try tell(figures(report), from: report)
            return report
        }
        var pairs: [(own: [String: Double?], other: [String: Double?])] = []
        while true {
            // The order changes from pair to pair, because processors change their speed within minutes.
            var (own, other): (CrowdReport?, CrowdReport?) = (nil, nil)
            for isOwn in pairs.count.isMultiple(of: 2) ? [true, false] : [false, true] {
                let report = try await run(plan, server: isOwn ? server : against)
                if isOwn { own = report } else { other = report }
                Printing.line(Printing.json(OfBuild(build: isOwn ? "own" : against, figures: figures(report))))
                if isOwn, !report.isGood { try fail(report) }
            }
            guard let own, let other else { continue }
            pairs.append((figures(own).compared, figures(other).compared))
            guard pairs.count == self.pairs else { continue }
            Printing.line(Printing.json(Comparison(against: against, pairs)))
            return own
        }
    }

    private func run(_ plan: CrowdPlan, server: String?) async throws -> CrowdReport {
        var settings = settings
        if let tlsCertificate, let tlsKey {
            settings += ["listen.tlsCertificate=\(tlsCertificate)", "listen.tlsKey=\(tlsKey)"]
        }
        let runner = CrowdRunner(
            plan: plan, url: url, authorities: tlsCertificate, keepsThings: true, server: server, loops: loops,
            serverSettings: settings,
            pins: pin ? CrowdRunner.usualPins : nil, isQuiet: !verbose)
        if verbose { Printing.plan(of: runner) }
        return try await runner.report()
    }

    /// Prints the line of figures; the command fails when a rule was broken.
    private func tell(_ figures: some BenchFigures, from report: CrowdReport) throws {
        Printing.line(Printing.json(figures))
        if !report.isGood { try fail(report) }
    }

    private func fail(_ report: CrowdReport) throws {
        Printing.line(Printing.json(report.withoutTimeline))
        throw ExitCode.failure
    }
}

/// A line of figures of one of two builds.
private struct OfBuild<Figures: BenchFigures>: Encodable {
    /// `own`, or the other's program.
    let build: String
    let figures: Figures

    enum CodingKeys: String, CodingKey {
        case build
    }

    func encode(to encoder: any Encoder) throws {
        try figures.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(build, forKey: .build)
    }
}

/// Two builds in alternating pairs.
struct Comparison: Encodable {
    /// The other build's program.
    let against: String
    let pairs: Int
    let compared: [String: Figure]

    /// One figure of both builds.
    struct Figure: Encodable, Hashable {
        /// Medians.
        let own: Double
        let other: Double
        /// Median of the pairs' ratios, own over other.
        let ratio: Double
        /// Bounds of the true median of the ratios, and the probability that it lies between them.
        let low: Double
        let high: Double
        let confidence: Double
    }

    /// Figures that a build does not have, or that are zero for the other build, are left out.
    init(against: String, _ pairs: [(own: [String: Double?], other: [String: Double?])]) {
        self.against = against
        self.pairs = pairs.count
        compared = (pairs.first?.own ?? [:]).keys.reduce(into: [:]) { compared, name in
            let values = pairs.compactMap { pair -> (own: Double, other: Double)? in
                guard let own = pair.own[name] ?? nil, let other = pair.other[name] ?? nil, other > 0 else {
                    return nil
                }
                return (own, other)
            }
            guard values.count == pairs.count else { return }
            compared[name] = Figure(values)
        }
    }
}

extension Comparison.Figure {
    /// - Parameter pairs: at least one.
    init(_ pairs: [(own: Double, other: Double)]) {
        let ratios = pairs.map { $0.own / $0.other }
        let bounds = Self.interval(ratios.sorted())
        self.init(
            own: Self.median(pairs.map(\.own)), other: Self.median(pairs.map(\.other)), ratio: Self.median(ratios),
            low: bounds.low, high: bounds.high, confidence: bounds.confidence)
    }

    static func median(_ values: [Double]) -> Double {
        let (ordered, half) = (values.sorted(), values.count / 2)
        return values.count.isMultiple(of: 2) ? (ordered[half - 1] + ordered[half]) / 2 : ordered[half]
    }

    /// Bounds of the true median by the sign test: the narrowest that hold it with 95 %, or the whole range where there
    /// are too few values for that.
    static func interval(_ ordered: [Double]) -> (low: Double, high: Double, confidence: Double) {
        let count = ordered.count
        // Of the values below the true median there are this many or fewer with the probability `tail`.
        var (tail, term) = (pow(0.5, Double(count)), pow(0.5, Double(count)))
        var best = (low: ordered[0], high: ordered[count - 1], confidence: 1 - 2 * tail)
        for cut in stride(from: 1, to: count / 2, by: 1) {
            term *= Double(count - cut + 1) / Double(cut)
            tail += term
            guard 1 - 2 * tail >= 0.95 else { break }
            best = (ordered[cut], ordered[count - 1 - cut], 1 - 2 * tail)
        }
        return best
    }
}

package import CairnCore

/// What operators read of adaptors: `figures` of `Adaptors`, by name.
extension AdaptorFigures {
    fileprivate typealias Row = Metric<[String: AdaptorFigures]>

    /// - Parameter queues: the section of the stats socket that holds queues.
    package static func metrics(in queues: MetricSection) -> [Metric<[String: AdaptorFigures]>] {
        [
            Row("adaptorCalls", in: queues, unit: "calls", "calls of adaptors that wait; bound: adaptors.waitingMax") {
                .level($0.values.reduce(0) { $0 + $1.waiting })
            },
            Row("adaptorsDown", in: queues, unit: "processes", "processes of adaptors that have been down for a minute")
            {
                .level($0.values.count { $0.isDownLong })
            }
            .alarm(.warn, "The process of an adaptor is down; its calls fail", remedy: "The log says why it ends")
            .family(.gauge, "cairn.adaptors.down"),
            Row(unit: "calls", "calls that wait, by adaptor") { .numbers($0.mapValues { Double($0.waiting) }) }
                .family(.gauge, "cairn.adaptor.waiting", by: "adaptor"),
            Row(unit: "calls", "calls under way, by adaptor") { .numbers($0.mapValues { Double($0.underWay) }) }
                .family(.gauge, "cairn.adaptor.running", by: "adaptor"),
            Row("whether calls can be served, by adaptor; 0 = its process is down, or it is off") {
                .numbers($0.mapValues { $0.isUp ? 1 : 0 })
            }
            .family(.gauge, "cairn.adaptor.up", by: "adaptor"),
            Row(unit: "calls", "calls that were done, by adaptor") { .counts($0.mapValues(\.done)) }
                .family(.counter, "cairn.adaptor.done", by: "adaptor"),
            Row(unit: "calls", "calls that were refused, by adaptor") { .counts($0.mapValues(\.refused)) }
                .family(.counter, "cairn.adaptor.refused", by: "adaptor"),
            Row(unit: "calls", "calls that failed, by adaptor") {
                .counts($0.mapValues { $0.failed.values.reduce(0, +) })
            }
            .family(.counter, "cairn.adaptor.failed", by: "adaptor"),
            Row(unit: "calls", "calls of all adaptors that failed, by reason") { all in
                let reasons = AdaptorFailure.allCases.map { reason in
                    (reason.rawValue, all.values.reduce(0) { $0 + $1.failed[reason, default: 0] })
                }
                return .counts(Dictionary(uniqueKeysWithValues: reasons))
            }
            .family(.counter, "cairn.adaptor.failures", by: "reason"),
            Row(unit: "starts", "starts of a process after the first, by adaptor") { .counts($0.mapValues(\.restarts)) }
                .family(.counter, "cairn.adaptor.restarts", by: "adaptor"),
            Row(unit: "lines", "lines of a process that answer no call, by adaptor") {
                .counts($0.mapValues(\.strayLines))
            }
            .family(.counter, "cairn.adaptor.stray_lines", by: "adaptor"),
        ]
    }
}

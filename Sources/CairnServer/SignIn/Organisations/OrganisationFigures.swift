package import CairnCore

/// The metrics of organisations.
package struct OrganisationFigures: Sendable {
    package internal(set) var openRequests = 0
    var organisations = 0
    var members = 0
    private var asked: UInt64 = 0
    private var accepted: UInt64 = 0
    private var denied: UInt64 = 0

    enum Event {
        case asked, accepted, denied
    }

    mutating func count(_ event: Event) {
        switch event {
        case .asked: asked += 1
        case .accepted: accepted += 1
        case .denied: denied += 1
        }
    }

    fileprivate typealias Row = Metric<OrganisationFigures>

    /// - Parameter queues: the section of the stats socket that holds queues.
    package static func metrics(in queues: MetricSection) -> [Metric<OrganisationFigures>] {
        [
            Row(
                "organisationRequests", in: queues, unit: "requests",
                "requests for an organisation account that wait for an admin"
            ) { .level($0.openRequests) }
            .family(.gauge, "cairn.organisations.requests_open"),
            Row(unit: "organisations", "organisations, those without members included") { .level($0.organisations) }
                .family(.gauge, "cairn.organisations"),
            Row(unit: "accounts", "accounts that belong to an organisation") { .level($0.members) }
                .family(.gauge, "cairn.organisations.members"),
            Row(unit: "requests", "requests for an organisation account, by outcome") {
                .counts(["asked": $0.asked, "accepted": $0.accepted, "denied": $0.denied])
            }
            .family(.counter, "cairn.organisations.requests", by: "outcome"),
        ]
    }
}

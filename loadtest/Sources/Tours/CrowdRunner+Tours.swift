import Foundation

extension CrowdRunner {
    private static let organisation = "Walks of a crowd"

    /// Carries out a plan with tours: makers publish them, then people walk while new versions are published.
    func walkTours(
        _ destination: Destination, on server: ThrowawayServer, _ run: (TourMakers) async -> CrowdReport
    ) async throws -> CrowdReport {
        let (plan, url) = (plan, destination.endpoint.url)
        let makers = try await TourMakers(plan, url: url) { name in
            try server.administer(["organisation", "add", name, Self.organisation])
        }
        let publishing = Task {
            plan.publishEvery > 0 ? try await makers.publish(every: plan.publishEvery) : 0
        }
        var report = await run(makers)
        publishing.cancel()
        do {
            report.done["versions_published"] = try await publishing.value
        } catch {
            report.failure = report.failure ?? "a new version could not be published: \(error)"
        }
        await makers.end()
        return report
    }
}

package import Logging

/// All outside services, by one mechanism: bounded queues, time limits, and processes that are started again when they
/// end. Nothing here runs on a loop's thread (EXT-1).
package final class Adaptors: Sendable {
    private let desks: [AdaptorName: Desk]

    package init(settings: AdaptorSettings, pace: SupervisionPace = SupervisionPace(), logger: Logger) {
        desks = Dictionary(
            uniqueKeysWithValues: AdaptorName.all.map {
                ($0, Desk($0, settings: settings, pace: pace, logger: logger))
            })
    }

    /// Starts the processes, and puts other settings in force later. Calls fail with `stopped` before.
    package func apply(_ settings: AdaptorSettings, logger: Logger) async {
        for desk in desks.values { await desk.apply(settings, logger: logger) }
    }

    /// Hands a task to an outside service and returns its answer, at the time limit at the latest. A call is never sent
    /// twice.
    package func call(
        _ adaptor: AdaptorName, _ call: AdaptorCall
    ) async throws(AdaptorFailure) -> AdaptorAnswer {
        // Every name is in `AdaptorName.all`: it has no other initialiser.
        guard let desk = desks[adaptor] else { throw .off }
        return try await desk.call(call).get()
    }

    /// Ends all processes: closes their stdin, then SIGTERM, then SIGKILL. Calls fail with `stopped` from now on.
    package func stop() async {
        await withTaskGroup(of: Void.self) { group in
            for desk in desks.values { group.addTask { await desk.close() } }
        }
    }

    /// By the adaptor's name.
    package var figures: [String: AdaptorFigures] {
        Dictionary(uniqueKeysWithValues: desks.map { ($0.key.description, $0.value.figures) })
    }
}

internal import Synchronization

/// What the ways in for operators share: pages, doors on loops and the room that answers.
final class OperatorAccess: Sendable {
    let figures = OperatorFigures()
    let doorkeeper: Doorkeeper
    let service: StatsService
    /// Of this build.
    let version: String
    private let processFigures = Mutex(ProcessFigures())

    init(doorkeeper: Doorkeeper, version: String) throws(StatsError) {
        self.doorkeeper = doorkeeper
        self.version = version
        service = try StatsService()
    }

    func publish(_ process: ProcessFigures) {
        processFigures.withLock { $0 = process }
    }

    /// A few seconds old.
    var process: ProcessFigures { processFigures.withLock { $0 } }
}

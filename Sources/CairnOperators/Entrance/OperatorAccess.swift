package import CairnWebSocket
internal import Synchronization

/// What the ways in for operators share: pages, doors on loops and the room that answers.
package final class OperatorAccess: Sendable {
    let figures = OperatorFigures()
    let authentication: OperatorAuthentication
    let service: StatsService
    /// Where large answers of all listeners are made.
    package let bulkLane = BulkLane()
    /// One search in texts at a time, of all operators.
    let textSearches = TextSearchGate()
    /// Of this build.
    let version: String
    private let processFigures = Mutex(ProcessFigures())

    init(authentication: OperatorAuthentication, version: String) throws(StatsError) {
        self.authentication = authentication
        self.version = version
        service = try StatsService()
    }

    /// Lets no operator in any more and sends all away.
    package func close() async { await service.stop() }

    func publish(_ process: ProcessFigures) {
        processFigures.withLock { $0 = process }
    }

    /// A few seconds old.
    var process: ProcessFigures { processFigures.withLock { $0 } }
}

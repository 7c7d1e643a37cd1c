/// What all parts of the server share about those who operate it.
final class Operators: Sendable {
    let figures = OperatorFigures()
    let doorkeeper: Doorkeeper
    let service: StatsService

    init(doorkeeper: Doorkeeper) throws(StatsError) {
        self.doorkeeper = doorkeeper
        service = try StatsService()
    }
}

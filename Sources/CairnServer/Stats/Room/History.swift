internal import CairnStore
internal import CairnWebSocket

/// The last minutes, second by second, for whoever opens a console and wants to see what led here.
struct History {
    /// Seconds that are kept.
    static let secondsMax = 300

    private(set) var people: [Int] = []
    private(set) var connections: [Int] = []
    private(set) var messagesOut: [Double] = []
    private(set) var events: [Double] = []
    private(set) var refusals: [Double] = []
    private(set) var backlog: [Int] = []

    mutating func add(_ figures: WorldFigures, _ rates: Rates) {
        Self.add(figures.sum { $0.people }, to: &people)
        Self.add(figures.sum { $0.loop.connections }, to: &connections)
        Self.add(rates["messagesOut"], to: &messagesOut)
        Self.add(rates["events"], to: &events)
        Self.add(rates["refusals"], to: &refusals)
        Self.add(figures.store.backlogChanges, to: &backlog)
    }

    private static func add<Value>(_ value: Value, to series: inout [Value]) {
        if series.count == secondsMax { series.removeFirst() }
        series.append(value)
    }

    func write(in line: inout JSONLine) {
        line.array("people") { line in people.forEach { line.element(Double($0)) } }
        line.array("connections") { line in connections.forEach { line.element(Double($0)) } }
        line.array("messagesOutPerSecond") { line in messagesOut.forEach { line.element($0) } }
        line.array("eventsPerSecond") { line in events.forEach { line.element($0) } }
        line.array("refusalsPerSecond") { line in refusals.forEach { line.element($0) } }
        line.array("backlogChanges") { line in backlog.forEach { line.element(Double($0)) } }
    }
}

import CairnTime
import Testing

@testable import CairnWebSocket

/// QOS-3: answers and events leave before poses, and each connection leaves the queue once.
@Suite("Flush queue")
struct FlushQueueTests {
    private var queue = FlushQueue()
    private let people = (0..<4).map {
        Connection(
            id: ConnectionID($0), isText: false, framing: TextFraming(prefix: "", separator: "", suffix: ""),
            now: .epoch)
    }

    private mutating func taken() -> [ConnectionID] {
        var ids: [ConnectionID] = []
        while let connection = queue.takeFirst() ?? queue.takeWithPoses() { ids.append(connection.id) }
        return ids
    }

    @Test mutating func whoHasPosesAlone_comesLast() {
        queue.append(people[0], hasPosesOnly: true)
        queue.append(people[1], hasPosesOnly: false)
        queue.append(people[2], hasPosesOnly: true)
        queue.append(people[3], hasPosesOnly: false)
        #expect(taken() == [1, 3, 0, 2])
    }

    @Test mutating func whoGetsAnAnswerMeanwhile_movesToTheFrontOnce() {
        for person in people { queue.append(person, hasPosesOnly: true) }
        queue.append(people[2], hasPosesOnly: false)
        queue.append(people[2], hasPosesOnly: true)
        #expect(taken() == [2, 0, 1, 3])
    }

    @Test mutating func afterATurn_thereCanBeAnother() {
        queue.append(people[0], hasPosesOnly: true)
        queue.append(people[0], hasPosesOnly: false)
        #expect(queue.takeFirst()?.id == 0)
        queue.append(people[0], hasPosesOnly: true)
        #expect(taken() == [0])
        #expect(taken().isEmpty)
    }
}

/// The connections that have something to send, each once, in the order in which they got it. Whoever has more than
/// poses to get goes before the others.
struct FlushQueue {
    /// What a connection waits for here.
    enum Turn {
        case none
        case poses
        case first
    }

    private var first = Line()
    private var withPoses = Line()

    /// Connections in a line; those before `next` have had their turn.
    private struct Line {
        private var connections: [Connection] = []
        private var next = 0

        mutating func append(_ connection: Connection) { connections.append(connection) }

        mutating func take() -> Connection? {
            guard next < connections.count else {
                connections.removeAll(keepingCapacity: true)
                next = 0
                return nil
            }
            defer { next += 1 }
            return connections[next]
        }
    }

    /// - Parameter hasPosesOnly: nothing else has been queued for it since its last turn.
    mutating func append(_ connection: Connection, hasPosesOnly: Bool) {
        switch (connection.turn, hasPosesOnly) {
        case (.none, true):
            connection.turn = .poses
            withPoses.append(connection)
        case (.none, false), (.poses, false):
            // Its place among those with poses is passed over later.
            connection.turn = .first
            first.append(connection)
        case (.poses, true), (.first, _): break
        }
    }

    /// The next of those who have more than poses to get.
    mutating func takeFirst() -> Connection? { Self.take(from: &first, .first) }

    /// The next of the others.
    mutating func takeWithPoses() -> Connection? { Self.take(from: &withPoses, .poses) }

    private static func take(from line: inout Line, _ turn: Turn) -> Connection? {
        while let connection = line.take() {
            guard connection.turn == turn else { continue }
            connection.turn = .none
            return connection
        }
        return nil
    }
}

internal import DequeModule

/// The connections with something to send, in order. Connections for which an answer or an event waits come before
/// those for which only poses wait.
struct FlushQueue {
    /// Where a connection waits.
    enum Turn {
        /// It has nothing to send.
        case none
        /// Behind the others: only poses wait for it.
        case poses
        /// At the front: an answer or an event waits for it.
        case first
    }

    private var first = Deque<Connection>()
    private var withPoses = Deque<Connection>()

    /// - Parameter hasPosesOnly: whether the new item is a batch of poses.
    mutating func append(_ connection: Connection, hasPosesOnly: Bool) {
        switch (connection.turn, hasPosesOnly) {
        case (.none, true):
            connection.turn = .poses
            withPoses.append(connection)
        case (.none, false), (.poses, false):
            // Its entry in `withPoses`, if it has one, is skipped, unless poses wait for it again by then.
            connection.turn = .first
            first.append(connection)
        case (.poses, true), (.first, _): break
        }
    }

    /// The next connection for which an answer or an event waits.
    mutating func takeFirst() -> Connection? { Self.take(from: &first, .first) }

    /// The next connection for which only poses wait.
    mutating func takeWithPoses() -> Connection? { Self.take(from: &withPoses, .poses) }

    private static func take(from line: inout Deque<Connection>, _ turn: Turn) -> Connection? {
        while let connection = line.popFirst() {
            guard connection.turn == turn else { continue }
            connection.turn = .none
            return connection
        }
        return nil
    }
}

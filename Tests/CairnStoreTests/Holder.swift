import CairnCore
import Foundation

@testable import CairnStore

/// Another connection, on a thread of its own, that keeps a transaction open.
final class Holder: Sendable {
    private let path: String
    private let role: Connection.Role
    private let gate = Gate()
    private let (ends, ended) = AsyncStream<Void>.makeStream()

    init(path: String, role: Connection.Role) {
        self.path = path
        self.role = role
    }

    /// Returns when the transaction has begun and seen the database.
    func hold(with begin: StaticText) async {
        Thread.detachNewThread { [self] in
            let connection = try? Connection(path: path, role: role)
            try? connection?.lend("hold") { db in
                try db.run(begin.text, [], keyring: nil)
                _ = try db.answer(countMarks, keyring: nil)
                gate.arrive()
                gate.pass()
                try db.run("COMMIT", [], keyring: nil)
            }
            connection?.close()
            ended.yield()
        }
        await gate.arrival()
    }

    /// Returns when the transaction is over and the connection closed.
    func release() async {
        gate.open()
        for await _ in ends { return }
    }
}

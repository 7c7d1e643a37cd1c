import Foundation
import Synchronization

/// A request to end a run early: Ctrl-C, or a signal that asks a process to stop.
enum Interruption {
    /// The number of the signal; 0 = none has come.
    private static let number = Atomic<Int32>(0)

    private static let names = [SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP"]

    /// The signal, in words; nil = none.
    static var reason: String? {
        names[number.load(ordering: .relaxed)].map { "ended by \($0)" }
    }

    /// Runs the work; a signal during it is noted and does not end the process.
    static func noting<Value>(_ work: () async throws -> Value) async throws -> Value {
        let sources = names.keys.map { number in
            // The dispatch source gets the signal only when its default action is off.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { Self.number.store(number, ordering: .relaxed) }
            source.resume()
            return source
        }
        defer {
            sources.forEach { $0.cancel() }
            for number in names.keys { signal(number, SIG_DFL) }
        }
        return try await work()
    }
}

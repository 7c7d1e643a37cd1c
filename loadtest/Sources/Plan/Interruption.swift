import Foundation
import Synchronization

/// Somebody wants a run to end before its time: Ctrl-C, or a signal that asks a process to stop.
enum Interruption {
    /// The number of the signal; 0 = none has come.
    private static let number = Atomic<Int32>(0)

    private static let names = [SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP"]

    /// What came, in words; nil = nothing.
    static var reason: String? {
        names[number.load(ordering: .relaxed)].map { "ended by \($0)" }
    }

    /// Does the work, during which a signal is noted instead of ending the process.
    static func noting<Value>(_ work: () async throws -> Value) async throws -> Value {
        let sources = names.keys.map { number in
            // The dispatch source hears of the signal once its own action is off.
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

import Synchronization

/// The fault of a faulty server under test, and the occasions on which it happens: one in so many of those on which it
/// could. Shared by all turns of the server.
final class FaultSchedule<Fault: Sendable>: Sendable {
    private struct State {
        var fault: Fault?
        var period = 1
        var occasions = 0
        var count = 0
    }

    private let state = Mutex(State())

    /// From now on this fault happens on one in `period` of its occasions; nil = no fault.
    func begin(_ fault: Fault?, oneIn period: Int) {
        state.withLock { $0 = State(fault: fault, period: period) }
    }

    /// How often the fault has happened since it began.
    var count: Int { state.withLock { $0.count } }

    /// The faulty value for this occasion; nil if the server is to behave correctly.
    /// - Parameter make: makes the faulty value; nil if the fault cannot happen here, which then is no occasion.
    func strike<Value>(_ make: (Fault) -> Value?) -> Value? {
        state.withLock { state in
            guard let fault = state.fault, let value = make(fault) else { return nil }
            state.occasions += 1
            guard state.occasions.isMultiple(of: state.period) else { return nil }
            state.count += 1
            return value
        }
    }
}

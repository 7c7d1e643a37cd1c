internal import CairnCore
internal import CairnServer
internal import CairnTime
internal import CairnWebSocket
internal import Synchronization

/// Counters of operators' connections and refusals, written by the room and by the loops' doors.
final class OperatorFigures: Sendable {
    private let state = Mutex(State())

    struct State: Sendable {
        var connected = 0
        var accepted: UInt64 = 0
        var commands: UInt64 = 0
        /// Updates that slow operators went without.
        var updatesSkipped: UInt64 = 0
        /// Turned away, by reason: every reason from the start on, because Prometheus sees no growth from nothing.
        var refused: [String: UInt64] = Dictionary(uniqueKeysWithValues: Reason.allCases.map { ($0.rawValue, 0) })
        var attempts = CredentialAttempts()
    }

    /// Why a connection or command was refused.
    enum Reason: String, CaseIterable {
        /// No credential, a wrong one, or a client's token.
        case credential
        /// A page of another origin.
        case origin
        /// Plain text from another machine.
        case plainText = "plain_text"
        /// Operators have a listener of their own, and this is not it.
        case listener
        /// Another user's process on the Unix socket.
        case user
        /// A command above the operator's level.
        case level
        /// Too many operators.
        case full
        /// Did not read for too long, or sent bytes that are no line.
        case misbehaved
    }

    var current: State { state.withLock { $0 } }

    func refused(_ reason: Reason) {
        state.withLock { $0.refused[reason.rawValue, default: 0] += 1 }
    }

    /// Counts a refusal at a door.
    /// - Parameters:
    ///   - secret: what was shown in an `Authorization` header or as a link; empty = nothing, which is no attempt.
    ///   - address: the client's, and the peer's only where a proxy does not tell whose request it is.
    func refused(_ reason: Reason, showing secret: String, from address: PeerAddress) {
        state.withLock { state in
            state.refused[reason.rawValue, default: 0] += 1
            if reason == .credential, !secret.isEmpty { state.attempts.add(from: address, now: .now) }
        }
    }

    /// What the audit log is to say of wrong credentials; nil = nothing now. Once a second, which also forgets what is
    /// older than a day.
    func attemptEntry(isRaised: Bool, now: MonotonicTime) -> AttemptEntry? {
        state.withLock { state in
            state.attempts.forget(now)
            return state.attempts.entry(isRaised: isRaised, now: now)
        }
    }

    /// An entry of `attemptEntry` is in the audit log, or could not be written.
    func ended(_ entry: AttemptEntry, isKept: Bool) {
        state.withLock { $0.attempts.ended(entry, isKept: isKept, now: .now) }
    }

    func note(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
    }
}

extension OperatorFigures {
    fileprivate typealias Row = Metric<State>

    static let metrics: [Metric<State>] = [
        Row(unit: "operators", "operators connected to the stats socket") { .level($0.connected) }
            .family(.gauge, "cairn.operators"),
        Row(unit: "commands", "commands on the stats socket") { .count($0.commands) }
            .family(.counter, "cairn.operator.commands"),
        Row(unit: "updates", "updates that slow operators did not get") { .count($0.updatesSkipped) }
            .family(.counter, "cairn.operator.updates_skipped"),
        Row(unit: "attempts", "wrong credentials and links that were shown at the operators' doors") {
            .count($0.attempts.total)
        }
        .family(.counter, "cairn.operator.attempts"),
        Row("operators", in: .refusals, unit: "operators", "operators turned away, by reason") { .counts($0.refused) }
            .family(.counter, "cairn.operator.refusals", by: "reason"),
    ]
}

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
        /// Turned away, by reason.
        var refused: [String: UInt64] = [:]
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
    func refused(_ reason: Reason, showing secret: String, from address: PeerAddress) {
        state.withLock { state in
            state.refused[reason.rawValue, default: 0] += 1
            if reason == .credential, !secret.isEmpty { state.attempts.add(from: address, now: .now) }
        }
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
        Row("operators", in: .refusals, unit: "operators", "operators turned away, by reason") { .counts($0.refused) }
            .family(.counter, "cairn.operator.refusals", by: "reason"),
    ]
}

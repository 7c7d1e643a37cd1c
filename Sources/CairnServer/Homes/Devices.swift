internal import CairnCore
internal import CairnWire

/// The devices of a person that are signed in, and the sessions that can be taken over, each with the connection that
/// holds it, or held it until it was cut.
///
/// Lists, because nearly everybody has one of each: hashed tables of one take twice the memory, for every account.
struct Devices: Sendable {
    typealias Held = (id: SessionID, holder: Participant)

    private(set) var open: [Participant] = []
    private var sessions: [Held] = []

    var isEmpty: Bool { open.isEmpty && sessions.isEmpty }
    var sessionCount: Int { sessions.count }

    /// The connection that holds a session, or held it.
    func holder(of session: SessionID) -> Participant? { sessions.first { $0.id == session }?.holder }

    /// The oldest session whose connection was cut: identifiers grow.
    var oldestCut: Held? {
        sessions.filter { !open.contains($0.holder) }.min { $0.id.rawValue < $1.id.rawValue }
    }

    /// A device is there, and holds the session from now on.
    mutating func add(_ participant: Participant, holding session: SessionID) {
        if !open.contains(participant) { open.append(participant) }
        if let index = sessions.firstIndex(where: { $0.id == session }) {
            sessions[index].holder = participant
        } else {
            sessions.append((session, participant))
        }
    }

    /// A device has gone; what it held can be taken over.
    mutating func close(_ participant: Participant) { open.removeAll { $0 == participant } }

    /// Ends the sessions of which the closure says so.
    mutating func endSessions(where isOver: (SessionID, Participant) -> Bool) {
        sessions.removeAll { isOver($0.id, $0.holder) }
    }
}

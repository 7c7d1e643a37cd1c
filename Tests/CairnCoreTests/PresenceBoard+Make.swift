import CairnTesting
import CairnTime
import CairnWire

@testable import CairnCore

/// What a shard does for somebody with one connection: the account has the connection's number, and others are told no
/// more than the person's grid allows.
extension PresenceBoard {
    mutating func enter(_ participant: Participant, as person: Person?, at sample: PoseSample) {
        enter(
            participant, of: .make(participant.connection), as: person,
            at: sample.roughened(toGridMetres: person?.gridMetres ?? 0), standing: sample.coordinate)
    }

    @discardableResult
    mutating func move(_ participant: Participant, to sample: PoseSample, gridMetres: Double = 0) -> UInt16? {
        move(participant, to: sample.roughened(toGridMetres: gridMetres), standing: sample.coordinate)
    }

    mutating func watch(_ participant: Participant, from sample: PoseSample) -> UInt16? {
        watch(participant, of: .make(participant.connection), standing: sample.coordinate)
    }

    /// For somebody who has nothing in the cell.
    mutating func keyframe(now: MonotonicTime) -> WirePresence {
        keyframe(now: now, people: hidden.lastTold(to: .stranger))
    }
}

extension AccountID {
    /// Somebody who is nowhere else in a test.
    static let stranger = AccountID.make(1 << 40)
}

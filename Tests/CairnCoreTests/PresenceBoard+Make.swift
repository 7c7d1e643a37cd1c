import CairnTesting
import CairnTime
import CairnWire

@testable import CairnCore

/// Does a shard's calls for a person with one connection: the account has the connection's number, and others get the
/// position on the person's grid.
extension PresenceBoard {
    mutating func enter(_ participant: Participant, as person: Person?, at sample: PoseSample) {
        enter(
            participant, of: .make(participant.connection), as: person,
            at: sample.roughened(toGridMetres: person?.gridMetres ?? 0),
            standing: sample.coordinate)
    }

    @discardableResult
    mutating func move(_ participant: Participant, to sample: PoseSample, gridMetres: Double = 0) -> UInt16? {
        move(participant, to: sample.roughened(toGridMetres: gridMetres), standing: sample.coordinate)
    }

    mutating func watch(_ participant: Participant, from sample: PoseSample) -> UInt16? {
        watch(participant, of: .make(participant.connection), standing: sample.coordinate)
    }

    /// For a receiver that is not in the cell.
    mutating func keyframe(now: MonotonicTime) -> WirePresence {
        keyframe(now: now, people: hidden.lastTold(to: .stranger))
    }
}

extension AccountID {
    /// A person that no other part of a test uses.
    static let stranger = AccountID.make(1 << 40)
}

extension PoseSample {
    /// The sample of a person whom nobody was told of before; 0 = exact.
    fileprivate func roughened(toGridMetres gridMetres: Double) -> PoseSample {
        gridMetres > 0 ? shown(at: snapped(coordinate, toGridMetres: gridMetres)) : self
    }
}

import CairnCore
import CairnTesting
import CairnWire

extension TownBench {
    /// Reacts and gives the answer.
    mutating func react(
        _ id: UInt32, _ reaction: String, to instance: WireInstance, by sender: Sender = .make()
    ) throws -> WireReactionSet {
        let answer = try ask(.make(.reacting(reaction, to: instance), id: id, from: sender))
        guard case .reactionSet(let set) = try answer.result else { throw BenchError("no reaction") }
        return set
    }
}

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

    /// Who has reacted: names and reactions, in the order of the answer.
    mutating func named(
        _ id: UInt32, _ instance: WireInstance, only reaction: String = "", by sender: Sender
    ) throws -> [String] {
        let answer = try ask(.make(.listing(reactionsTo: instance, only: reaction), id: id, from: sender))
        guard case .reactionList(let list) = try answer.result else { throw BenchError("no list") }
        return list.reactions.map { "\($0.user.name) \($0.reaction)" }
    }
}

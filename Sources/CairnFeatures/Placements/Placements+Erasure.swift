public import CairnCore
public import CairnWire

extension Placements {
    /// Removes what a person has placed in the cell.
    public static func erase(_ account: AccountID, in turn: inout Turn) -> [Effect] {
        var effects: [Effect] = []
        for record in turn.erasable(of: account, .object) {
            turn.objects[record.id] = nil
            effects += [.write(deletion(of: record.id)), .publish(.departure(of: record))]
        }
        return effects
    }
}

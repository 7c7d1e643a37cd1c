internal import CairnWire

/// Turns that grant or end rights.
extension HomeCore {
    /// Lets the turn's answers wait until every loop has carried out the changes of rights. Everything else leaves now:
    /// events keep the order of their turns.
    mutating func releaseAfterRights(_ effects: [Effect], into actions: inout [Action]) {
        var changes: [RightChange] = []
        var answers: [(request: Request, answer: Answer)] = []
        for effect in effects {
            switch effect {
            case .admit(let account, let scope): changes.append(RightChange(account, scope, isGrant: true))
            case .expel(let account, let scope): changes.append(RightChange(account, scope, isGrant: false))
            case .answer(let request, let answer): answers.append((request, answer))
            case .confirm(let request, let result): answers.append((request, .success(result)))
            default: release(effect, into: &actions)
            }
        }
        actions.append(.changeRights(changes, then: answers))
    }
}

extension Effect {
    /// Whether it grants or ends a right.
    var changesRights: Bool {
        switch self {
        case .admit, .expel: true
        default: false
        }
    }
}

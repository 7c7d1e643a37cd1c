/// Effects that one action carries out as they are.
extension HomeCore {
    /// A question writes nothing, and its answer contains only state that is on disk, so the answer need not wait. What
    /// it has noted in memory, as for a quota, stands at once.
    mutating func finish(question effects: [Effect]) -> [Action] {
        settle()
        return effects.compactMap(Self.immediate)
    }

    static func immediate(_ effect: Effect) -> Action? {
        switch effect {
        case .answer(let request, let answer): .answer(request, answer)
        case .confirm(let request, let result): .answer(request, .success(result))
        case .tell(let home, let message): .tell(home, message)
        case .ask(let queries, let request): .ask(queries, request)
        case .read(let asset, let reading, let request): .read(asset, by: reading, request)
        case .inquire(let query, let inquiry): .inquire(query, inquiry)
        case .hand(let request, let home): .hand(home, request)
        case .notify(let draft): .notify(draft.recipient, about: draft.person)
        case .takeBack(let notification): .recount(notification.recipient, about: notification.person)
        case .note(let event): .note(event)
        case .count(let what): .count(what)
        case .wake(let due, _), .delay(_, let due): .schedule(due)
        case .show(let scope, let item): .show(scope, item)
        case .publish, .write, .send, .cancel, .admit, .expel, .list, .offer: nil
        }
    }
}

internal import CairnCore
internal import CairnWire

/// Takes away what was shared in a sub-realm that was deleted (SUB-8), a page of instances at a time.
///
/// The sub-realm's home looks up the instances and their cells, and sends each cell a message that may be lost. It
/// looks again until a whole round finds no instance that can be taken away.
struct RealmClearing: HomeTimer {
    static let kind: StaticText = "realms.clearing"

    /// The instance after which the next page begins; 0 = a round begins.
    private let after: UInt64
    /// Whether this round has found an instance.
    private let hasFound: Bool

    /// Time for the cells of a page, so that a large sub-realm delays no other work.
    private static let pause = Duration.milliseconds(500)

    init() { (after, hasFound) = (0, false) }

    fileprivate init(after: UInt64, hasFound: Bool) { (self.after, self.hasFound) = (after, hasFound) }

    init(subject: UInt64, payload: [UInt8]) throws(ColumnFault) {
        guard payload.count == 9 else { throw ColumnFault(0, .unreadable) }
        after = payload.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        hasFound = payload[8] == 1
    }

    var payload: [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: after >> UInt64($0)) } + [hasFound ? 1 : 0]
    }

    func fire(due: LastingTime, in turn: inout Turn) -> [Effect] {
        let scope = Scope.members(of: turn.home)
        // The timer stays until the answer says what is left, and fires again after 10 s without an answer: a crash in
        // between loses nothing.
        return [
            .wake(at: turn.lasting + Self.pause * 20, self),
            .inquire(
                turn.sharedInstances(in: scope, after: InstanceID(rawValue: after)), Page(clearing: self)),
        ]
    }

    /// A page of instances.
    struct Page: HomeInquiry {
        let clearing: RealmClearing
        var ifNotHeard: [Effect]? { [] }

        func answered(_ rows: [Row]?, in turn: inout Turn) -> [Effect] {
            // A store that cannot be read is asked again when the timer fires.
            guard let rows else { return [] }
            let scope = Scope.members(of: turn.home)
            let page = turn.sharedInstances(rows)
            guard let last = page.last else {
                return clearing.hasFound
                    ? [.wake(at: turn.lasting + RealmClearing.pause, RealmClearing())] : [.cancel(RealmClearing.self)]
            }
            let inCells = Dictionary(grouping: page.filter { $0.cell != nil }, by: \.cell)
            let messages = inCells.compactMap { cell, instances in
                cell.map { Effect.tell(.cell($0), ScopeEnded(scope: scope, instances: instances.map(\.id))) }
            }
            let next = RealmClearing(after: last.id.rawValue, hasFound: clearing.hasFound || !messages.isEmpty)
            return messages + [.wake(at: turn.lasting + RealmClearing.pause, next)]
        }
    }
}

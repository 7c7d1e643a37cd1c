public import CairnCore

/// Identifies the turn of a unit. The store returns it with the outcome.
public struct CommitTicket: Hashable, Sendable {
    /// The loop that waits for the outcome.
    public let loop: Int
    public let home: HomeAddress
    /// The turn's number within its home.
    public let turn: UInt64

    public init(loop: Int, home: HomeAddress, turn: UInt64) {
        self.loop = loop
        self.home = home
        self.turn = turn
    }
}

/// The changes of one turn: all of them reach the disk together, or none does.
public struct CommitUnit: Sendable {
    public let statements: [Statement]
    public let ticket: CommitTicket

    public init(statements: [Statement], ticket: CommitTicket) {
        self.statements = statements
        self.ticket = ticket
    }
}

/// The outcome of one batch of units (DAT-2).
public struct CommitOutcome: Hashable, Sendable {
    /// On disk, in the order of submission.
    public let committed: [CommitTicket]
    /// Refused for good by the database, which is a bug in the statements. None of the unit's changes was made, so its
    /// home's memory no longer agrees with the disk.
    public let failed: [CommitTicket]
    /// Units that their home submitted after a failed one. They may depend on it, so they are not committed either.
    public let voided: [CommitTicket]

    public init(committed: [CommitTicket], failed: [CommitTicket] = [], voided: [CommitTicket] = []) {
        self.committed = committed
        self.failed = failed
        self.voided = voided
    }
}

/// The outcome of one home's turns in a batch.
public struct HomeFate: Hashable, Sendable {
    public let home: HomeAddress
    /// The turn that failed: neither it nor any later one of the home will ever be on disk. Nil = none did.
    public internal(set) var failed: UInt64?
    /// The highest turn in the batch: all up to it are decided, and on disk unless one failed.
    public internal(set) var last: UInt64 = 0
}

extension CommitOutcome {
    /// The outcomes for the homes of one loop, each home once, in no particular order.
    public func fates(ofLoop loop: Int) -> some Sequence<HomeFate> {
        var fates: [HomeAddress: HomeFate] = [:]
        for ticket in committed where ticket.loop == loop {
            fates[ticket.home, default: HomeFate(home: ticket.home)].note(ticket.turn)
        }
        for ticket in failed where ticket.loop == loop {
            fates[ticket.home, default: HomeFate(home: ticket.home)].noteFailure(ticket.turn)
        }
        for ticket in voided where ticket.loop == loop {
            fates[ticket.home, default: HomeFate(home: ticket.home)].note(ticket.turn)
        }
        return fates.values
    }
}

extension HomeFate {
    fileprivate mutating func note(_ turn: UInt64) { last = max(last, turn) }

    fileprivate mutating func noteFailure(_ turn: UInt64) {
        note(turn)
        failed = min(turn, failed ?? turn)
    }
}

public import CairnCore

/// Says whose changes these were: it comes back when they are on disk.
public struct CommitTicket: Hashable, Sendable {
    /// The home loop that waits for the answer.
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

/// What became of one batch of units (DAT-2).
public struct CommitOutcome: Hashable, Sendable {
    /// On disk, in the order of submission.
    public let committed: [CommitTicket]
    /// Never to be on disk: the database refuses the unit whatever the disk does, which is a bug in the statements.
    /// None of the unit's changes was made; what its home holds in memory no longer agrees with the disk.
    public let failed: [CommitTicket]

    public init(committed: [CommitTicket], failed: [CommitTicket] = []) {
        self.committed = committed
        self.failed = failed
    }
}

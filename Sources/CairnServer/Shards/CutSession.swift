internal import CairnCore
internal import CairnGeo
internal import CairnTime
internal import CairnWire

extension Session {
    /// A session without its connection: the state that moves to another connection when the client resumes.
    ///
    /// Follows are not part of it: the new connection follows the view and the account's scopes anew, from the cursors
    /// in the client's `hello`. Nor is the rate limit of the old connection; the account's shared limit continues.
    struct State: Sendable {
        let id: SessionID
        /// The cell and the view.
        let tracker: ViewTracker
        let position: GeoPoint?
        let journey: Journey
        var boards: Boards
        let shares: Bool
        let gridMetres: Double
        /// Whether others still see the user at the last place.
        var isPresent = true
        /// The number of the last notification that was acknowledged, where no mark is on the disk.
        var received: Int64 = 0
    }

    /// The cells whose presence boards know a user.
    struct Boards: Hashable, Sendable {
        /// The cell in which others see or count the user: the cell of the shared place (PRF-8).
        var shown: CellID? {
            get { CellID(rawValue: shownNumber) }
            set { shownNumber = newValue?.rawValue ?? 0 }
        }
        /// The cell that the user is in, when that is another one: the place there decides which poses of a crowd they
        /// get.
        var watched: CellID? {
            get { CellID(rawValue: watchedNumber) }
            set { watchedNumber = newValue?.rawValue ?? 0 }
        }
        /// The space in which the user has a position. Then there is no cell (invariant 8).
        var space: SpaceID?
        // The cells' numbers; 0, which is no cell's, = none. An optional takes two words, and every session has these.
        private var shownNumber: UInt64 = 0
        private var watchedNumber: UInt64 = 0

        init(shown: CellID? = nil, watched: CellID? = nil, space: SpaceID? = nil) {
            self.space = space
            (self.shown, self.watched) = (shown, watched)
        }

        var all: [CellID] { [shown, watched].compactMap(\.self) }
    }

    var state: State? {
        user.map { user in
            State(
                id: user.session, tracker: tracker, position: position, journey: journey, boards: boards,
                shares: shares, gridMetres: gridMetres, received: notifications.received)
        }
    }
}

/// A session whose connection was cut, kept until its client resumes, its window ends or its sign-in ends (SES-11).
/// Rights, rate limits and requests end with the connection; a new one has its own.
struct CutSession: Sendable {
    var user: Session.User
    /// The connection that was cut: by it homes know the user.
    let participant: Participant
    var state: Session.State
    let cutAt: MonotonicTime
}

// MARK: Between nodes

extension Session.State: NodeCodable {
    func encode(to encoder: inout NodeEncoder) {
        encoder.put(
            id, tracker, position, journey, boards.shown, boards.watched, boards.space, shares, gridMetres, isPresent,
            received)
    }

    init(from decoder: inout NodeDecoder) throws(NodeFault) {
        self.init(
            id: try decoder.get(), tracker: try decoder.get(), position: try decoder.get(),
            journey: try decoder.get(),
            boards: Session.Boards(
                shown: try decoder.get(), watched: try decoder.get(), space: try decoder.get()),
            shares: try decoder.get(), gridMetres: try decoder.get(), isPresent: try decoder.get(),
            received: try decoder.get())
    }
}

extension Session.User: NodeCodable {
    func encode(to encoder: inout NodeEncoder) {
        encoder.put(account, name, token, session, role, appToken)
    }

    init(from decoder: inout NodeDecoder) throws(NodeFault) {
        self.init(
            account: try decoder.get(), name: try decoder.get(), token: try decoder.get(),
            session: try decoder.get(), role: try decoder.get(), appToken: try decoder.get())
    }
}

extension AppTokenTerm: NodeCodable {
    func encode(to encoder: inout NodeEncoder) { encoder.put(issued, expires, revokedBefore) }

    init(from decoder: inout NodeDecoder) throws(NodeFault) {
        self.init(issued: try decoder.get(), expires: try decoder.get(), revokedBefore: try decoder.get())
    }
}

extension CutSession: NodeCodable {
    func encode(to encoder: inout NodeEncoder) {
        encoder.put(user, participant, state)
        encoder.put(moment: cutAt)
    }

    init(from decoder: inout NodeDecoder) throws(NodeFault) {
        self.init(
            user: try decoder.get(), participant: try decoder.get(), state: try decoder.get(),
            cutAt: try decoder.moment())
    }
}

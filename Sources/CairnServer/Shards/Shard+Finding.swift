internal import CairnConfiguration
internal import CairnCore
package import CairnGeo
internal import CairnTime
internal import CairnWebSocket
package import CairnWire

/// What operators find out about the people of a shard: whose sessions are where, and how many people are in a square.
/// None of it is finer than what others learn of a person (PRF-8).
extension Shard {
    /// The sessions of an account, connected or waiting for their client.
    package func sessions(of account: AccountID) -> [PersonSession] {
        var found: [PersonSession] = []
        for case let session? in sessions {
            guard let user = session.user, user.account == account else { continue }
            found.append(
                PersonSession(
                    session: user.session.description, frontEnd: session.frontEnd?.name ?? "",
                    cell: session.boards.shown, isInSpace: session.boards.space != nil,
                    seconds: Double(now.microseconds(since: session.openedAt)) / 1e6, isCut: false))
        }
        for cut in detached.values where cut.user.account == account {
            found.append(
                PersonSession(
                    session: cut.user.session.description, frontEnd: "", cell: cut.state.boards.shown,
                    isInSpace: cut.state.boards.space != nil,
                    seconds: Double(now.microseconds(since: cut.cutAt)) / 1e6, isCut: true))
        }
        return found
    }

    /// How many people are in each of these squares of the coarsest grid. A person counts where others see or count
    /// them: by the square that is held for them, or exactly if they share that. Whose link is cut counts by the middle
    /// of their cell.
    package func people(in squares: Set<LocationGrid.Square>) -> [LocationGrid.Square: Int] {
        let grid = LocationGrid(metres: LocationAccuracy.coarsest.gridMetres)
        var people: [LocationGrid.Square: Int] = [:]
        func count(_ place: Coordinate) {
            let square = grid.square(of: place)
            if squares.contains(square) { people[square, default: 0] += 1 }
        }
        for case let session? in sessions where session.boards.shown != nil {
            if let place = session.shownPlace { count(place) }
        }
        for cut in detached.values where cut.state.isPresent {
            if let cell = cut.state.boards.shown { count(cell.centre) }
        }
        return people
    }
}

/// One session of a person, for an operator who has looked the person up.
package struct PersonSession: Sendable {
    package let session: String
    /// Empty = it did not say, or its link is cut.
    package let frontEnd: String
    /// The cell in which others see or count the person; nil = no position, or in a space.
    package let cell: CellID?
    package let isInSpace: Bool
    /// Since the connection was opened; since it was cut.
    package let seconds: Double
    /// Whether it waits for its client.
    package let isCut: Bool
}

public import CairnWire
internal import Synchronization

/// The published tours of the world. Homes change it when a change is on disk; whoever asks at each position has an
/// index of their own, which is replaced when this one changes.
public final class TourDirectory: Sendable {
    private struct State {
        /// Of all organisations.
        var tours: [TourID: OfferedTour] = [:]
        /// Published tours whose rows are damaged.
        var unreadable: [TourID: OrganisationID] = [:]
        /// Of organisations whose tours are not offered.
        var standings: [OrganisationID: Standing] = [:]
        var index = TourIndex()
        var observers: [@Sendable (TourIndex) -> Void] = []

        func isOffered(_ tour: OfferedTour) -> Bool { standings[tour.organisation] == nil }
        var offered: [OfferedTour] { tours.values.filter(isOffered) }
    }

    /// Why the tours of an organisation are not offered.
    public enum Standing: Sendable {
        case suspended
        /// Its row is damaged, and may say that it is suspended. Runs that have begun on its tours continue.
        case unreadable
    }

    private let state = Mutex(State())

    /// The tours that are offered now.
    public var index: TourIndex { state.withLock { $0.index } }

    /// Calls `body` with each index from now on, and with the present one. It must not block.
    public func observe(_ body: @escaping @Sendable (TourIndex) -> Void) {
        state.withLock { state in
            state.observers.append(body)
            body(state.index)
        }
    }

    /// The organisation of a tour on which what was begun goes on; nil = the tour is withdrawn.
    ///
    /// A tour whose row is damaged is not offered, and does not count as withdrawn unless its organisation is
    /// suspended. Runs on it go on: they have their own copy of what was published.
    public func maker(of id: TourID) -> OrganisationID? {
        state.withLock { state in
            guard let maker = state.tours[id]?.organisation ?? state.unreadable[id] else { return nil }
            if case .suspended? = state.standings[maker] { return nil }
            return maker
        }
    }

    /// Fills it when the server starts.
    /// - Parameter unreadable: the organisations of published tours whose rows are damaged.
    public func fill(with tours: [OfferedTour], unreadable: [TourID: OrganisationID] = [:]) {
        change { state in
            state.unreadable = unreadable
            state.tours = Dictionary(tours.map { ($0.id, $0) }) { first, _ in first }
            state.index = TourIndex(state.offered)
        }
    }

    /// Publishes a tour in place of an earlier version; nil withdraws it.
    public func set(_ id: TourID, to tour: OfferedTour?) {
        change { state in
            state.tours[id] = tour
            state.unreadable[id] = nil
            state.index.set(id, to: tour.flatMap { state.isOffered($0) ? $0 : nil })
        }
    }

    /// Offers the tours of an organisation no more; nil = they are offered again.
    public func set(_ standing: Standing?, of organisation: OrganisationID) {
        let isKnown = state.withLock { $0.standings[organisation] == standing }
        guard !isKnown else { return }
        change { state in
            state.standings[organisation] = standing
            state.index = TourIndex(state.offered)
        }
    }

    /// Observers are told under the lock, so that the newest index is the last that each is told.
    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            for observer in state.observers { observer(state.index) }
        }
    }
}

public import CairnWire
internal import Synchronization

/// The published tours of the world. Homes change it when a change is on disk; whoever asks at each position has an
/// index of their own, which is replaced when this one changes.
public final class TourDirectory: Sendable {
    private struct State {
        /// Of all organisations.
        var tours: [TourID: OfferedTour] = [:]
        var suspended: Set<OrganisationID> = []
        var index = TourIndex()
        var observers: [@Sendable (TourIndex) -> Void] = []

        var offered: [OfferedTour] { tours.values.filter { !suspended.contains($0.organisation) } }
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

    /// Fills it when the server starts.
    public func fill(with tours: [OfferedTour]) {
        change { state in
            state.tours = Dictionary(tours.map { ($0.id, $0) }) { first, _ in first }
            state.index = TourIndex(state.offered)
        }
    }

    /// Publishes a tour in place of an earlier version; nil withdraws it.
    public func set(_ id: TourID, to tour: OfferedTour?) {
        change { state in
            state.tours[id] = tour
            let isOffered = tour.map { !state.suspended.contains($0.organisation) } ?? false
            state.index.set(id, to: isOffered ? tour : nil)
        }
    }

    /// Withdraws the tours of an organisation that is suspended, or offers them again.
    public func set(suspended isSuspended: Bool, _ organisation: OrganisationID) {
        let isKnown = state.withLock { $0.suspended.contains(organisation) == isSuspended }
        guard !isKnown else { return }
        change { state in
            if isSuspended { state.suspended.insert(organisation) } else { state.suspended.remove(organisation) }
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

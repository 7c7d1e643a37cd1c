internal import CairnCore
internal import CairnWire

/// Deletes the versions of a tour that nothing names, some time after one may have become so: a newer one was
/// published, the tour was withdrawn or deleted, or a run on an older one has ended.
///
/// A request to begin a run asks for the version that is on offer, and writes the run a moment later. The delay gives
/// it time; where it is slower still, its run is not written (`RunFacts.insertion`).
struct VersionsSweep: HomeTimer {
    static let kind: StaticText = "tours.versions"
    /// Longer than a request waits for the store.
    static let delay = Duration.seconds(60)

    init() {}
    init(subject: UInt64, payload: [UInt8]) throws(ColumnFault) {}

    func fire(due: LastingTime, in turn: inout Turn) -> [Effect] {
        guard case .tour(let tour) = turn.home else { return [] }
        return [.write(PublishedTour.sweep(of: tour)), .write(TourAssets.endOfPublishedUses(by: tour))]
    }
}

/// A run on a version that is no longer on offer has ended. Lost, the version goes with the next that is published.
struct VersionLeft: HomeMessage {
    static let kind: StaticText = "tours.version_left"

    init() {}
    init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault) {}
    var payload: [UInt8] { [] }
    var ifNotHeard: [Effect]? { [] }

    func heard(in turn: inout Turn) -> [Effect] {
        guard case .tour = turn.home else { return [] }
        return turn.sweepingVersions
    }
}

extension Turn {
    /// Has the versions that nothing names go. One that is on its way is not put off.
    var sweepingVersions: [Effect] {
        due(of: VersionsSweep.self) == nil ? [.wake(at: lasting + VersionsSweep.delay, VersionsSweep())] : []
    }
}

extension TourAssets {
    /// The tour is deleted and no version of it is left: nothing of it names assets.
    static func endOfPublishedUses(by tour: TourID) -> Statement {
        Statement(
            """
            DELETE FROM asset_uses WHERE kind = 'tour' AND owner = ?1
            AND NOT EXISTS (SELECT 1 FROM tours WHERE id = ?1)
            AND NOT EXISTS (SELECT 1 FROM tour_versions WHERE tour = ?1)
            """, Tours.integer(tour))
    }
}

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
        return [
            .write(PublishedTour.sweep(of: tour)), .write(TourAssets.endOfPublishedUses(by: tour)),
            VersionsKept(of: tour).next,
        ]
    }
}

/// The versions that a sweep has left, one after the other: assets that none of them names are not used by what is
/// published, so the recordings of a version go with it.
private struct VersionsKept: HomeInquiry {
    private let tour: TourID
    private var newest: UInt32 = 0
    private var assets: Set<AssetID> = []

    init(of tour: TourID) { self.tour = tour }

    var next: Effect { .inquire(PublishedTour.query(of: tour, after: newest), self) }
    /// The next sweep sees to it.
    var ifNotHeard: [Effect]? { [] }

    func answered(_ rows: [Row]?, in turn: inout Turn) -> [Effect] {
        guard let rows else { return [] }
        guard !rows.isEmpty else {
            // With no version left all uses have ended.
            return newest == 0 ? [] : [.write(TourAssets.endOfPublishedUses(by: tour, but: assets, until: newest))]
        }
        // Nobody knows what a damaged one names.
        guard let version = turn.read(rows, of: PublishedTour.table, PublishedTour.init(stored:)).first,
            version.version > newest
        else { return [] }
        var kept = self
        kept.newest = version.version
        for name in TourAssets.names(in: version.content) {
            if let asset = turn.identifier(named: name, AssetTag.self) { kept.assets.insert(asset) }
        }
        return [kept.next]
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

    /// Ends the uses of all assets but these, which the versions up to the newest one name. A version that was
    /// published since they were read may name others: then nothing ends.
    static func endOfPublishedUses(by tour: TourID, but assets: Set<AssetID>, until newest: UInt32) -> Statement {
        let list = assets.sorted().map { "\(Int64(bitPattern: $0.rawValue))" }.joined(separator: ",")
        return Statement(
            """
            DELETE FROM asset_uses WHERE kind = 'tour' AND owner = ?1
            AND asset NOT IN (SELECT value FROM json_each(?2))
            AND (SELECT max(version) FROM tour_versions WHERE tour = ?1) = ?3
            """, Tours.integer(tour), .text("[\(list)]"), .integer(Int64(newest)))
    }
}

internal import CairnCore
internal import CairnStore
internal import CairnWire

/// The right to see an asset in a tour (OBJ-12, TRT-4).
extension SignIn {
    /// Whether a tour that is published, or a draft of the person's organisation, shows them an asset. Of a priced tour
    /// those who have not bought it see what lists show, and what the version has that they walk.
    func isSeen(_ asset: AssetID, in tour: TourID, by viewer: AccountID) async throws -> Bool {
        let organisation = names.organisations.organisation(of: viewer)
        let offered = names.tours.index.tour(tour)
        let answers = try await store.read([
            AssetUse.query(asset, by: tour, for: organisation), TourReading.query(of: viewer, tour),
            AccountRecord.query(viewer),
        ])
        guard AssetUse.admits(answers[0], isOffered: offered != nil) else { return false }
        // A draft, and the viewer's own.
        guard let offered else { return true }
        let name = identifiers.name(of: asset)
        if offered.shownAssets.contains(name) { return true }
        var damage: [DamagedRow] = []
        defer { store.report(damage) }
        let reading = TourReading.of(
            tour, price: offered.price, by: offered.organisation, for: organisation,
            isAdmin: try answers[2].first.map { row throws(DamagedRow) in try AccountRecord(row).role } == .admin,
            purchases: Purchase.purchases(in: answers[1], into: &damage))
        if reading == .whole { return true }
        guard let walked = services.walkedAssets else { return false }
        return walked.names(in: try await store.read(walked.queries(viewer, tour)), into: &damage).contains(name)
    }
}

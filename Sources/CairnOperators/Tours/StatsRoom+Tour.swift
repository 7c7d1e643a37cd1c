internal import CairnCore
internal import CairnFeatures
internal import CairnGeo
internal import CairnLogging
internal import CairnServer
internal import CairnStore
internal import CairnWire

extension Seeker {
    /// Tours by id, by the code of their link, and by a part of their name: those that were never published, or are
    /// withdrawn, in the first of their languages.
    static let tours = Seeker { sought, context in
        let (identifiers, index) = (context.identifiers, context.names.tours.index)
        var found: [FindHit] = []
        func add(_ id: TourID, _ name: String, _ state: String) {
            let text = identifiers.name(of: id)
            guard !found.contains(where: { $0.id == text }) else { return }
            found.append(FindHit(kind: "tour", id: text, title: name, place: state, show: "tour \(text)"))
        }
        if let id: TourID = sought.id.flatMap({ identifiers.identifier(named: $0) }) {
            var damage: [DamagedRow] = []
            let known = TourEntry.draft(in: try await context.store.read(TourEntry.queries(id)), into: &damage)
            context.store.report(damage)
            if let known { add(id, known.entry.name, known.entry.state) }
        }
        func add(_ tour: OfferedTour) {
            add(
                tour.id, tour.name.words(in: "en")?.text ?? "",
                "published, \(tour.start.latitude.rounded(to: 5)),\(tour.start.longitude.rounded(to: 5))")
        }
        if let tour = sought.code.flatMap({ index.tour(code: $0) }) { add(tour) }
        if let place = sought.place {
            for near in index.tours(beginningWithin: TourIndex.reachMetres, of: place) { add(near.tour) }
        }
        if let part = sought.name?.lowercased() {
            for tour in index.page(of: nil, after: nil, countMax: .max) {
                guard found.count <= FindHit.perKindMax else { break }
                if tour.name.words.contains(where: { $0.text.lowercased().contains(part) }) { add(tour) }
            }
            for tour in try await TourDesk(context).drafts(countMax: draftsRead) {
                guard found.count <= FindHit.perKindMax else { break }
                if tour.name.lowercased().contains(part) { add(tour.id, tour.name, tour.state) }
            }
        }
        return found
    }

    /// Tours of organisations that a search for a draft reads.
    private static let draftsRead = 1_000
}

extension Double {
    fileprivate func rounded(to places: Int) -> Double {
        let factor = (0..<places).reduce(1.0) { factor, _ in factor * 10 }
        return (self * factor).rounded() / factor
    }
}

extension StatsRoom {
    /// Stops that the page of a tour names.
    private static let stopsNamed = 200

    func showTour(_ id: TourID, for someone: Operator) {
        let (context, signIn) = (context, context.signIn)
        perform(for: someone) {
            let (tour, content) = try await TourDesk(context).tour(id)
            let answer = try await context.store.read([WalkedTour.count(on: id)])[0]
            let runs = Int((try? answer.first?.integer(0)) ?? 0)
            let audit = try await signIn.audit(ofSubject: context.identifiers.name(of: id))
            let offered = context.names.tours.index.tour(id)
            return JSONLine.object { line in
                line.members(of: tour, signIn)
                line.member("organisationName", signIn.organisations[tour.organisation]?.name.text ?? "")
                if let link = signIn.linkedTour(id) { line.member("url", link.address) } else { line.null("url") }
                line.member("cents", Int(content.facts.price))
                line.member("metres", (offered?.distanceMetres ?? 0).rounded())
                line.member("seconds", Int(offered?.seconds ?? content.facts.seconds))
                if let start = offered?.start {
                    line.array("at") { line in
                        line.element(degrees: start.longitude)
                        line.element(degrees: start.latitude)
                    }
                } else {
                    line.null("at")
                }
                line.member("runs", runs)
                line.member("stopCount", content.stops.count)
                line.list(
                    "stops",
                    content.stops.prefix(Self.stopsNamed).map {
                        $0.name.words(in: "en")?.text.shortened(toBytes: SeenInstance.briefBytes) ?? ""
                    })
                line.member("popups", content.popups.count)
                line.list("can", (tour.version > 0 ? ["tour-withdraw"] : []) + ["tour-delete", "tour-export"])
                line.audit(audit, context.identifiers)
            }
        }
    }
}

internal import CairnCore
internal import CairnFeatures
internal import CairnLogging
internal import CairnServer
internal import CairnWire

extension StatsRoom {
    /// Tours that the page of an organisation lists.
    private static let toursListed = 100

    func showOrganisation(_ id: OrganisationID, for someone: Operator) {
        let (context, signIn) = (context, context.signIn)
        perform(for: someone) {
            guard let organisation = signIn.organisations[id] else {
                throw StatsRefusal(.notFound, "there is no such organisation")
            }
            let tours = try await TourDesk(context).tours(of: id, countMax: Self.toursListed)
            let audit = try await signIn.audit(of: id)
            return JSONLine.object { line in
                line.members(of: organisation, signIn)
                if let suspension = organisation.suspension {
                    line.member("since", Int(suspension.at.milliseconds))
                }
                line.array("tours") { line in
                    for tour in tours.prefix(Self.toursListed) { line.element { $0.members(of: tour, signIn) } }
                }
                line.list(
                    "can",
                    [organisation.suspension == nil ? "organisation-suspend" : "organisation-reinstate"])
                line.audit(audit, context.identifiers)
            }
        }
    }
}

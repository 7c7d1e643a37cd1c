internal import CairnWire

/// The account's role and organisation, as the server last told them (ORG-2).
extension ClientCore {
    /// Takes the place of what the welcome said.
    mutating func follow(_ standing: WireStanding) {
        welcome?.role = standing.role
        if standing.hasOrganisation {
            welcome?.organisation = standing.organisation
        } else {
            welcome?.clearOrganisation()
        }
    }
}

import ArgumentParser
import CairnOperators

/// `cairn admin organisation`
struct AdminOrganisation: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "organisation", abstract: "Decide about organisations and the requests for their accounts.",
        subcommands: [
            AdminOrganisationList.self, AdminOrganisationAccept.self, AdminOrganisationDeny.self,
            AdminOrganisationAdd.self, AdminOrganisationRemove.self, AdminOrganisationSuspend.self,
            AdminOrganisationReinstate.self,
        ])
}

/// `cairn admin organisation list`
struct AdminOrganisationList: AdminOrder {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List open requests, the oldest first, and the organisations.",
        discussion: "At most 100 requests and 1,000 organisations.")

    @OptionGroup var options: StatsOptions

    var line: String { "organisations" }
}

/// `cairn admin organisation accept`
struct AdminOrganisationAccept: AdminOrder {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Accept a request.",
        discussion: """
            The account then belongs to the organisation of the requested name, which is made if there is none. Its
            connections have the new role before the command ends.
            """)

    @OptionGroup var options: StatsOptions

    @Argument(help: "Id of the request.")
    var request: String

    @Argument(help: "Id of the organisation, if it has another name.")
    var organisation: String?

    func validate() throws {
        try AdminWord.check(request, "REQUEST")
        if let organisation { try AdminWord.check(organisation, "ORGANISATION") }
    }

    var line: String { AdminWord.line(["organisation-accept", request, organisation ?? ""]) }
}

/// `cairn admin organisation deny`
struct AdminOrganisationDeny: AdminOrder {
    static let configuration = CommandConfiguration(
        commandName: "deny", abstract: "Deny a request; the person is notified with the reason.")

    @OptionGroup var options: StatsOptions

    @Argument(help: "Id of the request.")
    var request: String

    @Argument(help: "Reason; for the person, and kept in the audit log.")
    var reason: [String]

    func validate() throws { try AdminWord.check(request, "REQUEST") }

    var line: String { AdminWord.line(["organisation-deny", request] + reason) }
}

/// `cairn admin organisation add`
struct AdminOrganisationAdd: AdminOrder {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make an account a user of an organisation, without a request.")

    @OptionGroup var options: StatsOptions

    @Argument(help: "Id or name of an account, or its email once that was proved.")
    var account: String

    @Argument(help: "Name of the organisation, which is made if there is none.")
    var name: [String]

    func validate() throws { try AdminWord.check(account, "ACCOUNT") }

    var line: String { AdminWord.line(["organisation-add", account] + name) }
}

/// `cairn admin organisation remove`
struct AdminOrganisationRemove: AdminOrder {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "End an account's membership of its organisation: it is general again.")

    @OptionGroup var options: StatsOptions
    @OptionGroup var account: AdminAccount

    var line: String { "organisation-remove \(account.words)" }
}

/// An organisation and why.
struct AdminOrganisationID: ParsableArguments {
    @Argument(help: "Id of the organisation.")
    var organisation: String

    @Argument(help: "Reason; for the members, and kept in the audit log.")
    var reason: [String] = []

    func validate() throws { try AdminWord.check(organisation, "ORGANISATION") }

    var words: String { AdminWord.line([organisation] + reason) }
}

/// `cairn admin organisation suspend`
struct AdminOrganisationSuspend: AdminOrder {
    static let configuration = CommandConfiguration(
        commandName: "suspend", abstract: "Suspend an organisation: members are notified, and none are added.")

    @OptionGroup var options: StatsOptions
    @OptionGroup var organisation: AdminOrganisationID

    var line: String { "organisation-suspend \(organisation.words)" }
}

/// `cairn admin organisation reinstate`
struct AdminOrganisationReinstate: AdminOrder {
    static let configuration = CommandConfiguration(
        commandName: "reinstate", abstract: "End the suspension of an organisation.")

    @OptionGroup var options: StatsOptions
    @OptionGroup var organisation: AdminOrganisationID

    var line: String { "organisation-reinstate \(organisation.words)" }
}

import ArgumentParser
import CairnOperators

/// `cairn admin purchase`
struct AdminPurchase: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purchase", abstract: "Refund purchases.", subcommands: [AdminPurchaseRefund.self])
}

/// `cairn admin purchase refund`
struct AdminPurchaseRefund: AdminOrder {
    static let configuration = CommandConfiguration(
        commandName: "refund", abstract: "Refund a purchase; the buyer is notified and has to buy the tour again.",
        discussion: """
            The payment adaptor refunds it. With --paid a refund that was made elsewhere, as by an app store, is only \
            entered in the ledger. If the adaptor does not answer, the server asks it again by itself, and enters \
            the refund when the answer comes; nothing is refunded twice.
            """)

    @OptionGroup var options: StatsOptions

    @Argument(help: "Id of the purchase: the reference of its entry in the ledger.")
    var purchase: String

    @Argument(help: "Reason; kept in the audit log.")
    var reason: [String]

    @Flag(help: "It was refunded already, outside the payment adaptor.")
    var paid = false

    func validate() throws { try AdminWord.check(purchase, "PURCHASE") }

    var line: String { AdminWord.line(["purchase-refund", purchase, paid ? "paid" : "charge"] + reason) }
}

import ArgumentParser
import CairnOperators

/// `cairn admin purchase`
struct AdminPurchase: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purchase", abstract: "Pay purchases back.", subcommands: [AdminPurchaseRefund.self])
}

/// `cairn admin purchase refund`
struct AdminPurchaseRefund: AdminOrder {
    static let configuration = CommandConfiguration(
        commandName: "refund", abstract: "Pay a purchase back; the buyer is told and has to buy the tour again.",
        discussion: """
            The payment adaptor pays it back. With --paid it was paid back already, as app stores do it, and is only \
            entered in the ledger. Where the adaptor does not answer, the server asks it again by itself, and enters \
            the refund when the answer comes; nothing is paid back twice.
            """)

    @OptionGroup var options: StatsOptions

    @Argument(help: "Id of the purchase: the reference of its entry in the ledger.")
    var purchase: String

    @Argument(help: "Why; kept in the audit log.")
    var reason: [String]

    @Flag(help: "It was paid back already, outside of the payment adaptor.")
    var paid = false

    func validate() throws { try AdminWord.check(purchase, "PURCHASE") }

    var line: String { AdminWord.line(["purchase-refund", purchase, paid ? "paid" : "charge"] + reason) }
}
